import { INTEGER_OVERFLOW } from './exceptions.ts'
import type { Integer } from './value.ts'

/** 2^256. Integers are from -LIMIT to LIMIT - 1. */
export const LIMIT = 1n << 256n
const SAFE = BigInt(Number.MAX_SAFE_INTEGER)

/** Converts a bigint to the machine's form: a number if it is a safe integer. */
export const normal = (value: bigint): Integer => (value <= SAFE && value >= -SAFE ? Number(value) : value)

/** Like `normal`, but for a result that may not fit 257 bits: NaN for quiet instructions, exception 4 for other instructions. */
export const fitted = (value: bigint, quiet: boolean): Integer => {
  if (value < LIMIT && value >= -LIMIT) return normal(value)
  if (quiet) return Number.NaN
  throw INTEGER_OVERFLOW
}

export const notANumber = (quiet: boolean): number => {
  if (quiet) return Number.NaN
  throw INTEGER_OVERFLOW
}

// biome-ignore lint/suspicious/noSelfCompare: Number.isNaN takes no bigint, and this is one comparison
export const isNaNInteger = (value: Integer): boolean => value !== value

/** Returns whether the integer fits n bits in two's complement. NaN never fits. */
export const fitsSigned = (value: Integer, n: number): boolean => {
  if (typeof value === 'number') {
    if (n >= 54) return !isNaNInteger(value)
    if (n === 0) return value === 0
    const half = 2 ** (n - 1)
    return value >= -half && value < half
  }
  return n > 53 && BigInt.asIntN(n, value) === value
}

export const fitsUnsigned = (value: Integer, n: number): boolean => {
  if (typeof value === 'number') return value >= 0 && (n >= 53 || value < 2 ** n)
  return value >= 0n && (n > 256 || BigInt.asUintN(n, value) === value)
}

/** Bits of the shortest two's complement form: 0 for 0, 1 for -1. */
export const signedBits = (value: bigint): number => {
  if (value === 0n) return 0
  return (value < 0n ? ~value : value) === 0n ? 1 : (value < 0n ? ~value : value).toString(2).length + 1
}

export const unsignedBits = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length)

export const toBytes32 = (value: Integer): Buffer | undefined => {
  if (!fitsUnsigned(value, 256)) return undefined
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
}

export const fromBytes = (bytes: Uint8Array): Integer =>
  bytes.length === 0 ? 0 : normal(BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`))

/*
 * Results of shifting NaN in versions where the result is not NaN. The node represents NaN by an empty list of digits, and those versions shift this list. The
 * bounds come from the node's words of 52 bits. TON's emulator gives the same results at version 12.
 */

/** NaN shifted right. `round` < 0 rounds down. */
export const oldNaNShiftedRight = (count: number, round: number): number => (count === 0 ? Number.NaN : count > 12 && round < 0 ? -1 : 0)
export const oldNaNShiftedLeft = (count: number): number => (count >= 52 && count < 312 ? 0 : Number.NaN)
