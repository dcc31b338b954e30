import type { Instruction } from '../machine/instruction.ts'
import { isNaNInteger, notANumber } from '../machine/integer.ts'
import type { Machine } from '../machine/machine.ts'
import { pushChecked } from './arithmetic.ts'
import { fixed, signedByte, simple } from './define.ts'

/* 0xB8..0xC5: comparisons of integers, and their quiet forms with prefix 0xB7. */

interface Outcome {
  readonly less: number
  readonly equal: number
  readonly greater: number
  readonly quiet: boolean
}

const compare = (vm: Machine, { less, equal, greater, quiet }: Outcome): void => {
  const s = vm.stack
  const n = s.length
  if (n > 1) {
    const x = s[n - 2]
    const y = s[n - 1]
    if (typeof x === 'number' && typeof y === 'number' && !isNaNInteger(x) && !isNaNInteger(y)) {
      s.pop()
      s[n - 2] = x < y ? less : x > y ? greater : equal
      return
    }
  }
  vm.need(2)
  const y = vm.int()
  const x = vm.int()
  // biome-ignore lint/suspicious/noDoubleEquals: a number and a bigint are never strictly equal
  s.push(isNaNInteger(x) || isNaNInteger(y) ? notANumber(quiet) : x < y ? less : x == y ? equal : greater)
}

const compareWith = (vm: Machine, { value, outcome }: { readonly value: number; readonly outcome: Outcome }): void => {
  const x = vm.int()
  if (isNaNInteger(x)) vm.stack.push(notANumber(outcome.quiet))
  else vm.stack.push(x < value ? outcome.less : x > value ? outcome.greater : outcome.equal)
}

const sgn = (vm: Machine, quiet: boolean): void => {
  const x = vm.int()
  vm.stack.push(isNaNInteger(x) ? notANumber(quiet) : x < 0 ? -1 : x > 0 ? 1 : 0)
}

const isnan = (vm: Machine): void => {
  const x = vm.int()
  vm.stack.push(isNaNInteger(x) ? -1 : 0)
}
const chknan = (vm: Machine): void => {
  pushChecked(vm, vm.int(), false)
}

const forms = (quiet: boolean): Instruction[] => {
  const q = quiet ? 'Q' : ''
  const base = quiet ? 0xb700 : 0
  const bits = quiet ? 16 : 8
  const by = (less: number, equal: number, greater: number): Outcome => ({ less, equal, greater, quiet })
  const constant = (opcode: number, name: string, outcome: Outcome): Instruction =>
    fixed(base + opcode, bits, 8, `${q}${name}`, compareWith, {
      map: (args) => ({ value: signedByte(args), outcome }),
      text: (args) => String(signedByte(args)),
    })
  return [
    simple(base + 0xb8, bits, `${q}SGN`, sgn, quiet),
    simple(base + 0xb9, bits, `${q}LESS`, compare, by(-1, 0, 0)),
    simple(base + 0xba, bits, `${q}EQUAL`, compare, by(0, -1, 0)),
    simple(base + 0xbb, bits, `${q}LEQ`, compare, by(-1, -1, 0)),
    simple(base + 0xbc, bits, `${q}GREATER`, compare, by(0, 0, -1)),
    simple(base + 0xbd, bits, `${q}NEQ`, compare, by(-1, 0, -1)),
    simple(base + 0xbe, bits, `${q}GEQ`, compare, by(0, -1, -1)),
    simple(base + 0xbf, bits, `${q}CMP`, compare, by(-1, 0, 1)),
    constant(0xc0, 'EQINT', by(0, -1, 0)),
    constant(0xc1, 'LESSINT', by(-1, 0, 0)),
    constant(0xc2, 'GTINT', by(0, 0, -1)),
    constant(0xc3, 'NEQINT', by(-1, 0, -1)),
  ]
}

export const COMPARE: readonly Instruction[] = [
  ...forms(false),
  ...forms(true),
  simple(0xc4, 8, 'ISNAN', isnan),
  simple(0xc5, 8, 'CHKNAN', chknan),
]
