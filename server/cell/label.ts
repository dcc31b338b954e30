import { bitAt, fillBits, readInto, uniform } from './bitpath.ts'
import type { Builder } from './builder.ts'
import { CellError } from './error.ts'
import type { Slice } from './slice.ts'

/*
 * hml_short$0 {m:#} {n:#} len:(Unary ~n) {n <= m} s:(n * Bit) = HmLabel ~n m;
 * hml_long$10 {m:#} n:(#<= m) s:(n * Bit) = HmLabel ~n m;
 * hml_same$11 {m:#} v:Bit n:(#<= m) = HmLabel ~n m;
 */

const lengthBits = (max: number): number => 32 - Math.clz32(max)

/** Reads the label of an edge, which has at most `max` bits. Writes the label to `path` from bit `at` on, and returns its length. */
export const readLabel = (slice: Slice, max: number, path: Uint8Array, at: number): number => {
  if (!slice.loadBit()) {
    const length = slice.loadUnary()
    checkLength(length, max)
    readInto(path, at, slice, length)
    return length
  }
  if (!slice.loadBit()) {
    const length = slice.loadUint(lengthBits(max))
    checkLength(length, max)
    readInto(path, at, slice, length)
    return length
  }
  const bit = slice.loadBit() ? 1 : 0
  const length = slice.loadUint(lengthBits(max))
  checkLength(length, max)
  fillBits(path, at, bit, length)
  return length
}

const checkLength = (length: number, max: number): void => {
  if (length > max) throw new CellError('dict', `a dictionary label of ${length} bits, but the key has only ${max} bits left`)
}

/** Writes bits [from, to) of `path` as a label in its shortest form. If two forms have the same length, the function writes the one that TON writes. */
export const storeLabel = (builder: Builder, path: Uint8Array, from: number, to: number, max: number): Builder => {
  const length = to - from
  const k = lengthBits(max)
  if (length > 1 && k < 2 * length - 1 && uniform(path, from, to)) {
    return builder.storeUint(6 + bitAt(path, from), 3).storeUint(length, k)
  }
  if (k < length) builder.storeUint(2, 2).storeUint(length, k)
  else builder.storeBit(0).storeUint(2 ** (length + 1) - 2, length + 1)
  return builder.storeBits(path, length, from)
}
