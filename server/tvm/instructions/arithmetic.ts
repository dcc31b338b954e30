import { INTEGER_OVERFLOW, RANGE_CHECK } from '../machine/exceptions.ts'
import type { Instruction } from '../machine/instruction.ts'
import {
  fitsSigned,
  fitsUnsigned,
  fitted,
  isNaNInteger,
  normal,
  notANumber,
  oldNaNShiftedLeft,
  oldNaNShiftedRight,
  signedBits,
  unsignedBits,
} from '../machine/integer.ts'
import type { Machine } from '../machine/machine.ts'
import type { Integer, Value } from '../machine/value.ts'
import { V_QUIET_NAN, V_SHIFT_NAN } from '../versions.ts'
import { fixed, signedByte, simple } from './define.ts'

/* 0xA0..0xA8, 0xAA..0xB6: sums, shifts, logic, and their quiet forms with prefix 0xB7. Division is in division.ts. */

export const pushChecked = (vm: Machine, value: Integer, quiet: boolean): void => {
  if (isNaNInteger(value) && !quiet) throw INTEGER_OVERFLOW
  vm.stack.push(value)
}

type Big = (x: bigint, y: bigint) => bigint

/** The general path for the two topmost integers. It checks types from the top, returns NaN for NaN operands, and takes integers of any size. */
const slow = (vm: Machine, quiet: boolean, of: Big): void => {
  vm.need(2)
  const y = vm.int()
  const x = vm.int()
  vm.stack.push(isNaNInteger(x) || isNaNInteger(y) ? notANumber(quiet) : fitted(of(BigInt(x), BigInt(y)), quiet))
}

const bothNumbers = (s: Value[], n: number): boolean => n > 1 && typeof s[n - 1] === 'number' && typeof s[n - 2] === 'number'

const sum: Big = (x, y) => x + y
const difference: Big = (x, y) => x - y
const product: Big = (x, y) => x * y

const add = (vm: Machine, quiet: boolean): void => {
  const s = vm.stack
  const n = s.length
  if (bothNumbers(s, n)) {
    const result = (s[n - 2] as number) + (s[n - 1] as number)
    if (Number.isSafeInteger(result)) {
      s.pop()
      s[n - 2] = result
      return
    }
  }
  slow(vm, quiet, sum)
}
const sub = (vm: Machine, quiet: boolean): void => {
  const s = vm.stack
  const n = s.length
  if (bothNumbers(s, n)) {
    const result = (s[n - 2] as number) - (s[n - 1] as number)
    if (Number.isSafeInteger(result)) {
      s.pop()
      s[n - 2] = result
      return
    }
  }
  slow(vm, quiet, difference)
}
const subr = (vm: Machine, quiet: boolean): void => {
  vm.need(2)
  const s = vm.stack
  const n = s.length
  const y = s[n - 1]!
  s[n - 1] = s[n - 2]!
  s[n - 2] = y
  sub(vm, quiet)
}
const mul = (vm: Machine, quiet: boolean): void => {
  const s = vm.stack
  const n = s.length
  if (bothNumbers(s, n)) {
    // Adding 0 turns -0 into 0.
    const result = (s[n - 2] as number) * (s[n - 1] as number) + 0
    if (Number.isSafeInteger(result)) {
      s.pop()
      s[n - 2] = result
      return
    }
  }
  slow(vm, quiet, product)
}

interface Constant {
  readonly value: number
  readonly quiet: boolean
}
const addConstant = (vm: Machine, { value, quiet }: Constant): void => {
  const s = vm.stack
  const top = s.length - 1
  const x = s[top]
  if (typeof x === 'number') {
    const result = x + value
    if (Number.isSafeInteger(result)) {
      s[top] = result
      return
    }
  }
  const integer = vm.int()
  s.push(isNaNInteger(integer) ? notANumber(quiet) : fitted(BigInt(integer) + BigInt(value), quiet))
}
const mulConstant = (vm: Machine, { value, quiet }: Constant): void => {
  const x = vm.int()
  if (typeof x === 'number') {
    const result = x * value + 0
    if (Number.isSafeInteger(result)) {
      vm.stack.push(result)
      return
    }
  }
  vm.stack.push(isNaNInteger(x) ? notANumber(quiet) : fitted(BigInt(x) * BigInt(value), quiet))
}
const negate = (vm: Machine, quiet: boolean): void => {
  const x = vm.int()
  vm.stack.push(typeof x === 'number' ? (!isNaNInteger(x) ? 0 - x : notANumber(quiet)) : fitted(-x, quiet))
}

/**
 * Number of bits of an integer in the node: five words of 52 bits. A left shift by 260 bits or more gives NaN, even for zero (`AnyIntView::lshift_any` of
 * bigint.hpp).
 */
const WORDS = 5 * 52
const shiftLeft = (x: Integer, count: number, quiet: boolean): Integer => {
  if (typeof x === 'number' && count <= 31 && Math.abs(x) < 4194304) return x * 2 ** count
  if (x === 0) return count < WORDS ? 0 : notANumber(quiet)
  return fitted(BigInt(x) << BigInt(count), quiet)
}
const shiftRight = (x: Integer, count: number): Integer =>
  typeof x === 'number' ? (count > 53 ? (x < 0 ? -1 : 0) : Math.floor(x / 2 ** count)) : normal(x >> BigInt(count))

interface Shift {
  readonly left: boolean
  readonly quiet: boolean
}
const shifted = (x: Integer, count: number, { left, quiet }: Shift, keepsNaN: boolean): Integer => {
  if (!isNaNInteger(x)) return left ? shiftLeft(x, count, quiet) : shiftRight(x, count)
  if (keepsNaN) return notANumber(quiet)
  const old = left ? oldNaNShiftedLeft(count) : oldNaNShiftedRight(count, -1)
  return isNaNInteger(old) ? notANumber(quiet) : old
}
const shiftBy = (vm: Machine, shift: Shift & { readonly count: number }): void => {
  const x = vm.int()
  vm.stack.push(shifted(x, shift.count, shift, vm.version >= V_SHIFT_NAN))
}
export const popCount = (vm: Machine, max: number): number => {
  const count = vm.int()
  return typeof count === 'number' && count >= 0 && count <= max ? count : -1
}
const shift = (vm: Machine, how: Shift): void => {
  vm.need(2)
  const count = popCount(vm, 1023)
  const keeps = vm.version >= V_QUIET_NAN
  if (count < 0 && !(keeps && how.quiet)) throw RANGE_CHECK
  const x = vm.int()
  vm.stack.push(count < 0 ? Number.NaN : shifted(x, count, how, keeps))
}
const pow2 = (vm: Machine, quiet: boolean): void => {
  const count = popCount(vm, 1023)
  if (count < 0 && !(vm.version >= V_QUIET_NAN && quiet)) throw RANGE_CHECK
  vm.stack.push(count < 0 ? Number.NaN : count < 53 ? 2 ** count : count < 256 ? 1n << BigInt(count) : notANumber(quiet))
}

interface Logic {
  readonly quiet: boolean
  readonly small: (x: number, y: number) => number
  readonly big: Big
  /** Result for a NaN operand before version 13. It is a valid number if the other operand alone decides the result. */
  readonly nan: (x: Integer, y: Integer) => Integer
}
const logic = (vm: Machine, { quiet, small, big, nan }: Logic): void => {
  vm.need(2)
  const y = vm.int()
  const x = vm.int()
  if (typeof x === 'number' && typeof y === 'number' && (x | 0) === x && (y | 0) === y) vm.stack.push(small(x, y))
  else if (!isNaNInteger(x) && !isNaNInteger(y)) vm.stack.push(normal(big(BigInt(x), BigInt(y))))
  else pushChecked(vm, vm.version >= V_QUIET_NAN ? Number.NaN : nan(x, y), quiet)
}
const none = (): number => Number.NaN
const AND = {
  small: (x: number, y: number) => x & y,
  big: (x: bigint, y: bigint) => x & y,
  nan: (x: Integer, y: Integer) => (x === 0 || y === 0 ? 0 : Number.NaN),
}
const OR = {
  small: (x: number, y: number) => x | y,
  big: (x: bigint, y: bigint) => x | y,
  nan: (x: Integer, y: Integer) => (x === -1 || y === -1 ? -1 : Number.NaN),
}
const XOR = { small: (x: number, y: number) => x ^ y, big: (x: bigint, y: bigint) => x ^ y, nan: none }
const not = (vm: Machine, quiet: boolean): void => {
  const x = vm.int()
  vm.stack.push(typeof x === 'number' ? (!isNaNInteger(x) ? normalSum(-1, x) : notANumber(quiet)) : normal(~x))
}
/** `one` - x, as a bigint if the difference is not a safe integer. */
const normalSum = (one: number, x: number): Integer => (Number.isSafeInteger(one - x) ? one - x : BigInt(one) - BigInt(x))

interface Fits {
  readonly signed: boolean
  readonly quiet: boolean
}
const checkFits = (vm: Machine, bits: number, { signed, quiet }: Fits): void => {
  const x = vm.int()
  vm.stack.push((signed ? fitsSigned(x, bits) : fitsUnsigned(x, bits)) ? x : notANumber(quiet))
}
const fits = (vm: Machine, how: Fits & { readonly bits: number }): void => checkFits(vm, how.bits, how)
const fitsx = (vm: Machine, how: Fits): void => {
  vm.need(2)
  checkFits(vm, vm.small(1023), how)
}
const bitsize = (vm: Machine, { signed, quiet }: Fits): void => {
  const x = vm.int()
  if (isNaNInteger(x) || (!signed && x < 0)) {
    if (!quiet) throw RANGE_CHECK
    vm.stack.push(Number.NaN)
  } else vm.stack.push(signed ? signedBits(BigInt(x)) : unsignedBits(BigInt(x)))
}

interface MinMax {
  readonly min: boolean
  readonly max: boolean
  readonly quiet: boolean
}
const minmax = (vm: Machine, { min, max, quiet }: MinMax): void => {
  vm.need(2)
  let x = vm.int()
  let y = vm.int()
  if (isNaNInteger(x)) y = x
  else if (isNaNInteger(y)) x = y
  else if (x > y) [x, y] = [y, x]
  if (min) pushChecked(vm, x, quiet)
  if (max) pushChecked(vm, y, quiet)
}
const abs = (vm: Machine, quiet: boolean): void => {
  const x = vm.int()
  if (x < 0) vm.stack.push(typeof x === 'number' ? -x : fitted(-x, quiet))
  else pushChecked(vm, x, quiet)
}

const forms = (quiet: boolean): Instruction[] => {
  const q = quiet ? 'Q' : ''
  const base = quiet ? 0xb700 : 0
  const bits = quiet ? 16 : 8
  const long = quiet ? 0xb70000 : 0
  const bitsLong = quiet ? 24 : 16
  const next = { text: (args: number) => String(args + 1) }
  const byte = { map: (args: number) => ({ value: signedByte(args), quiet }), text: (args: number) => String(signedByte(args)) }
  return [
    simple(base + 0xa0, bits, `${q}ADD`, add, quiet),
    simple(base + 0xa1, bits, `${q}SUB`, sub, quiet),
    simple(base + 0xa2, bits, `${q}SUBR`, subr, quiet),
    simple(base + 0xa3, bits, `${q}NEGATE`, negate, quiet),
    simple(base + 0xa4, bits, `${q}INC`, addConstant, { value: 1, quiet }),
    simple(base + 0xa5, bits, `${q}DEC`, addConstant, { value: -1, quiet }),
    fixed(base + 0xa6, bits, 8, `${q}ADDINT`, addConstant, byte),
    fixed(base + 0xa7, bits, 8, `${q}MULINT`, mulConstant, byte),
    simple(base + 0xa8, bits, `${q}MUL`, mul, quiet),
    fixed(base + 0xaa, bits, 8, `${q}LSHIFT`, shiftBy, { map: (args) => ({ count: args + 1, left: true, quiet }), ...next }),
    fixed(base + 0xab, bits, 8, `${q}RSHIFT`, shiftBy, { map: (args) => ({ count: args + 1, left: false, quiet }), ...next }),
    simple(base + 0xac, bits, `${q}LSHIFT`, shift, { left: true, quiet }),
    simple(base + 0xad, bits, `${q}RSHIFT`, shift, { left: false, quiet }),
    simple(base + 0xae, bits, `${q}POW2`, pow2, quiet),
    simple(base + 0xb0, bits, `${q}AND`, logic, { ...AND, quiet }),
    simple(base + 0xb1, bits, `${q}OR`, logic, { ...OR, quiet }),
    simple(base + 0xb2, bits, `${q}XOR`, logic, { ...XOR, quiet }),
    simple(base + 0xb3, bits, `${q}NOT`, not, quiet),
    fixed(base + 0xb4, bits, 8, `${q}FITS`, fits, { map: (args) => ({ bits: args + 1, signed: true, quiet }), ...next }),
    fixed(base + 0xb5, bits, 8, `${q}UFITS`, fits, { map: (args) => ({ bits: args + 1, signed: false, quiet }), ...next }),
    simple(long + 0xb600, bitsLong, `${q}FITSX`, fitsx, { signed: true, quiet }),
    simple(long + 0xb601, bitsLong, `${q}UFITSX`, fitsx, { signed: false, quiet }),
    simple(long + 0xb602, bitsLong, `${q}BITSIZE`, bitsize, { signed: true, quiet }),
    simple(long + 0xb603, bitsLong, `${q}UBITSIZE`, bitsize, { signed: false, quiet }),
    simple(long + 0xb608, bitsLong, `${q}MIN`, minmax, { min: true, max: false, quiet }),
    simple(long + 0xb609, bitsLong, `${q}MAX`, minmax, { min: false, max: true, quiet }),
    simple(long + 0xb60a, bitsLong, `${q}MINMAX`, minmax, { min: true, max: true, quiet }),
    simple(long + 0xb60b, bitsLong, `${q}ABS`, abs, quiet),
  ]
}

export const ARITHMETIC: readonly Instruction[] = [...forms(false), ...forms(true)]
