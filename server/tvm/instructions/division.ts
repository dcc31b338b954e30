import { RANGE_CHECK } from '../machine/exceptions.ts'
import type { Instruction } from '../machine/instruction.ts'
import { fitted, isNaNInteger, notANumber, oldNaNShiftedLeft, oldNaNShiftedRight } from '../machine/integer.ts'
import type { Machine } from '../machine/machine.ts'
import type { Integer } from '../machine/value.ts'
import { V_QUIET_NAN, V_SHIFT_NAN } from '../versions.ts'
import { popCount } from './arithmetic.ts'
import { ranged, reservedOpcode, simple } from './define.ts'

/*
 * 0xA9mscdf, quiet forms with prefix 0xB7. In the last four bits, d is the result (1 quotient, 2 remainder, 3 both, 0 both after adding a term) and f
 * is the rounding of the quotient (0 down, 1 to the nearest, ties up, 2 up; 3 is not an instruction).
 */

interface Division {
  readonly quotient: boolean
  readonly remainder: boolean
  readonly add: boolean
  /** -1 down, 0 nearest, 1 up. */
  readonly round: number
  readonly quiet: boolean
  /** Immediate count of a shift; 0 if the count is on the stack. */
  readonly count: number
}

/** Quotient and remainder of finite integers; y must not be 0. */
const divide = (x: bigint, y: bigint, round: number): [bigint, bigint] => {
  let q = x / y
  let r = x - q * y
  // JavaScript rounds the quotient toward zero. Here it is rounded down first, so that the remainder has the divisor's sign.
  if (r !== 0n && r < 0n !== y < 0n) {
    q -= 1n
    r += y
  }
  const up = round > 0 ? r !== 0n : round === 0 && (y > 0n ? 2n * r >= y : 2n * r <= y)
  return up ? [q + 1n, r - y] : [q, r]
}

const give = (vm: Machine, how: Division, q: bigint, r: bigint): void => {
  if (how.quotient) vm.stack.push(fitted(q, how.quiet))
  if (how.remainder) vm.stack.push(fitted(r, how.quiet))
}
const giveNaN = (vm: Machine, how: Division): void => {
  const value = notANumber(how.quiet)
  vm.stack.push(value)
  if (how.quotient && how.remainder) vm.stack.push(value)
}

const finish = (vm: Machine, how: Division, x: bigint, y: bigint): void => {
  if (y === 0n) giveNaN(vm, how)
  else give(vm, how, ...divide(x, y, how.round))
}

const anyNaN = (x: Integer, y: Integer, z: Integer): boolean => isNaNInteger(x) || isNaNInteger(y) || isNaNInteger(z)

/** x / y, or (x + w) / y. */
const div = (vm: Machine, how: Division): void => {
  const s = vm.stack
  const n = s.length
  if (n > 1 && !how.add && how.round < 0) {
    const x = s[n - 2]
    const y = s[n - 1]
    if (typeof x === 'number' && typeof y === 'number' && y > 0 && !isNaNInteger(x)) {
      // The division is exact: x - r is a multiple of y and a safe integer.
      let r = (x % y) + 0
      let q = (x - r) / y
      if (r < 0) {
        r += y
        q -= 1
      }
      s.length = n - 2
      if (how.quotient) s.push(q + 0)
      if (how.remainder) s.push(r)
      return
    }
  }
  vm.need(how.add ? 3 : 2)
  const y = vm.int()
  const w = how.add ? vm.int() : 0
  const x = vm.int()
  if (anyNaN(x, y, w)) giveNaN(vm, how)
  else finish(vm, how, BigInt(x) + BigInt(w), BigInt(y))
}

/** x * y / z, or (x * y + w) / z. */
const mulDiv = (vm: Machine, how: Division): void => {
  vm.need(how.add ? 4 : 3)
  const z = vm.int()
  const w = how.add ? vm.int() : 0
  const y = vm.int()
  const x = vm.int()
  if (anyNaN(x, y, z) || isNaNInteger(w)) giveNaN(vm, how)
  else finish(vm, how, BigInt(x) * BigInt(y) + BigInt(w), BigInt(z))
}

/** Pops the count of a shift; -1 if it is out of range and the instruction returns NaN for it. */
const shiftCount = (vm: Machine, how: Division, operands: number, nanFrom: number): number => {
  vm.need(operands + (how.add ? 1 : 0) + (how.count === 0 ? 1 : 0))
  if (how.count !== 0) return how.count
  const count = popCount(vm, 256)
  if (count < 0 && !(how.quiet && vm.version >= nanFrom)) throw RANGE_CHECK
  return count
}

/** A right shift with a NaN operand or a count out of range. Older versions return a quotient for NaN. */
const shiftNaN = (vm: Machine, how: Division, count: number, nanFrom: number): void => {
  const quotient = count < 0 || vm.version >= nanFrom ? Number.NaN : oldNaNShiftedRight(count, how.round)
  if (how.quotient) vm.stack.push(isNaNInteger(quotient) ? notANumber(how.quiet) : quotient)
  if (how.remainder) vm.stack.push(notANumber(how.quiet))
}

/** x / 2^n, or (x + w) / 2^n. */
const shiftRight = (vm: Machine, how: Division): void => {
  const count = shiftCount(vm, how, 1, V_SHIFT_NAN)
  const w = how.add ? vm.int() : 0
  const x = vm.int()
  if (count < 0 || anyNaN(x, w, 0)) shiftNaN(vm, how, count, V_SHIFT_NAN)
  else finish(vm, how, BigInt(x) + BigInt(w), 1n << BigInt(count))
}

/** x * y / 2^n, or (x * y + w) / 2^n. */
const mulShiftRight = (vm: Machine, how: Division): void => {
  const count = shiftCount(vm, how, 2, V_QUIET_NAN)
  const w = how.add ? vm.int() : 0
  const y = vm.int()
  const x = vm.int()
  if (count < 0 || anyNaN(x, y, w)) shiftNaN(vm, how, count, V_QUIET_NAN)
  else finish(vm, how, BigInt(x) * BigInt(y) + BigInt(w), 1n << BigInt(count))
}

/** x * 2^n / z, or (x * 2^n + w) / z. */
const shiftLeftDiv = (vm: Machine, how: Division): void => {
  const count = shiftCount(vm, how, 2, V_QUIET_NAN)
  const z = vm.int()
  const w = how.add ? vm.int() : 0
  let x = vm.int()
  if (isNaNInteger(x) && vm.version < V_QUIET_NAN) x = oldNaNShiftedLeft(count)
  if (count < 0 || anyNaN(x, z, w)) giveNaN(vm, how)
  else finish(vm, how, (BigInt(x) << BigInt(count)) + BigInt(w), BigInt(z))
}

const ROUNDS = ['', 'R', 'C']

interface Family {
  readonly prefix: number
  readonly exec: (vm: Machine, how: Division) => void
  /**
   * `d`: field of the opcode (0: adds and gives both results, 1: quotient, 2: remainder, 3: both). `round`: letter of the rounding. `immediate`: `#` if the
   * shift count is in the opcode.
   */
  readonly name: (d: number, round: string, immediate: string) => string
}

const PARTS = ['DIVMOD', 'DIV', 'MOD', 'DIVMOD']
const shiftName = (multiply: string, d: number, round: string, immediate: string): string => {
  const operation = `${multiply}${d === 0 ? 'ADD' : ''}${d === 2 ? 'MODPOW2' : 'RSHIFT'}`
  const end = d === 0 || d === 3 ? 'MOD' : ''
  // The rounding letter comes last only in RSHIFTMOD with the count on the stack.
  return multiply === '' && immediate === '' ? `${operation}${end}${round}` : `${operation}${round}${immediate}${end}`
}

const FAMILIES: readonly Family[] = [
  { prefix: 0xa90, exec: div, name: (d, round) => `${d === 0 ? 'ADD' : ''}${PARTS[d]}${round}` },
  { prefix: 0xa92, exec: shiftRight, name: (d, round, immediate) => shiftName('', d, round, immediate) },
  { prefix: 0xa98, exec: mulDiv, name: (d, round) => `MUL${d === 0 ? 'ADD' : ''}${PARTS[d]}${round}` },
  { prefix: 0xa9a, exec: mulShiftRight, name: (d, round, immediate) => shiftName('MUL', d, round, immediate) },
  { prefix: 0xa9c, exec: shiftLeftDiv, name: (d, round, immediate) => `LSHIFT${immediate}${d === 0 ? 'ADD' : ''}${PARTS[d]}${round}` },
]

const family = ({ prefix, exec, name }: Family): Instruction[] => {
  const all: Instruction[] = []
  const immediate = prefix !== 0xa90 && prefix !== 0xa98
  for (let args = 0; args < 16; args++) {
    const d = args >> 2
    const f = args & 3
    const plain = (prefix << 4) | args
    const quietCode = 0xb70000 + plain
    const now = ((prefix + 1) << 4) | args
    if (f === 3) {
      all.push(reservedOpcode(plain, 16), reservedOpcode(quietCode, 24))
      if (immediate) all.push({ ...reservedOpcode(now, 16), bits: 24 })
      continue
    }
    const how = { quotient: d !== 2, remainder: d !== 1, add: d === 0, round: f - 1, count: 0 }
    all.push(
      simple(plain, 16, name(d, ROUNDS[f]!, ''), exec, { ...how, quiet: false }),
      simple(quietCode, 24, `Q${name(d, ROUNDS[f]!, '')}`, exec, { ...how, quiet: true }),
    )
    if (immediate) {
      all.push(
        ranged(now * 256, now * 256 + 255, 24, 8, name(d, ROUNDS[f]!, '#'), exec, {
          map: (count) => ({ ...how, quiet: false, count: count + 1 }),
          text: (count) => String(count + 1),
        }),
      )
    }
  }
  return all
}

export const DIVISION: readonly Instruction[] = FAMILIES.flatMap(family)
