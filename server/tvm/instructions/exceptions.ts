import type { Instruction } from '../machine/instruction.ts'
import { extract, jump, throwException } from '../machine/jump.ts'
import type { Machine } from '../machine/machine.ts'
import { fixed, simple } from './define.ts'
import { savedIn } from './registers.ts'

/* 0xF2..0xF3: throwing and catching. These instructions jump to c2 directly, so that a throw does not count as an extra step. */

interface Throw {
  readonly code: number
  /** The condition for which the instruction throws; undefined if it always throws. */
  readonly when?: boolean
}
const throwFixed = (vm: Machine, { code, when }: Throw): void => {
  if (when === undefined || vm.bool() === when) throwException(vm, code)
}
const throwArg = (vm: Machine, { code, when }: Throw): void => {
  vm.need(when === undefined ? 1 : 2)
  const throws = when === undefined || vm.bool() === when
  const argument = vm.pop()
  if (throws) throwException(vm, code, argument)
}
/** Mode bits: 1 throws with an argument, 2 throws if the condition is true, 4 throws if it is false. */
const throwAny = (vm: Machine, mode: number): void => {
  const hasArgument = (mode & 1) !== 0
  const hasCondition = (mode & 6) !== 0
  const when = (mode & 2) !== 0
  vm.need(1 + (hasCondition ? 1 : 0) + (hasArgument ? 1 : 0))
  const throws = hasCondition ? vm.bool() === when : true
  const code = vm.small(0xffff)
  const argument = hasArgument ? vm.pop() : 0
  if (throws) throwException(vm, code, argument)
}

/** Runs a continuation with another continuation as its exception handler. `pass` and `results` are as in CALLXARGS; -1 for all. */
const attempt = (vm: Machine, pass: number, results: number): void => {
  vm.need(pass < 0 ? 2 : pass + 2)
  let handler = vm.continuation()
  const cont = vm.continuation()
  const c2 = vm.c2
  const current = extract(vm, 7, pass, results)
  handler = savedIn(savedIn(handler, 2, c2), 0, current)
  vm.c0 = current
  vm.c2 = handler
  jump(vm, cont)
}
const tryOp = (vm: Machine): void => attempt(vm, -1, -1)
const tryargs = (vm: Machine, args: number): void => attempt(vm, args >> 4, args & 15)

const withCode = (when?: boolean) => ({
  map: (code: number): Throw => (when === undefined ? { code } : { code, when }),
})

export const EXCEPTIONS: readonly Instruction[] = [
  fixed(0xf200 >> 6, 10, 6, 'THROW', throwFixed, withCode()),
  fixed(0xf240 >> 6, 10, 6, 'THROWIF', throwFixed, withCode(true)),
  fixed(0xf280 >> 6, 10, 6, 'THROWIFNOT', throwFixed, withCode(false)),
  fixed(0xf2c0 >> 3, 13, 11, 'THROW', throwFixed, withCode()),
  fixed(0xf2c8 >> 3, 13, 11, 'THROWARG', throwArg, withCode()),
  fixed(0xf2d0 >> 3, 13, 11, 'THROWIF', throwFixed, withCode(true)),
  fixed(0xf2d8 >> 3, 13, 11, 'THROWARGIF', throwArg, withCode(true)),
  fixed(0xf2e0 >> 3, 13, 11, 'THROWIFNOT', throwFixed, withCode(false)),
  fixed(0xf2e8 >> 3, 13, 11, 'THROWARGIFNOT', throwArg, withCode(false)),
  simple(0xf2f0, 16, 'THROWANY', throwAny, 0),
  simple(0xf2f1, 16, 'THROWARGANY', throwAny, 1),
  simple(0xf2f2, 16, 'THROWANYIF', throwAny, 2),
  simple(0xf2f3, 16, 'THROWARGANYIF', throwAny, 3),
  simple(0xf2f4, 16, 'THROWANYIFNOT', throwAny, 4),
  simple(0xf2f5, 16, 'THROWARGANYIFNOT', throwAny, 5),
  simple(0xf2ff, 16, 'TRY', tryOp),
  fixed(0xf3, 8, 8, 'TRYARGS', tryargs, { text: (args) => `${args >> 4},${args & 15}` }),
]
