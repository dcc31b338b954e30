import { bitAt, commonPrefix, fillBits, readInto, uniform } from '../../cell/bitpath.ts'
import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import type { VmBuilder } from './builder.ts'
import { CELL_OVERFLOW, CELL_UNDERFLOW, DICT_ERROR } from './exceptions.ts'
import type { Machine } from './machine.ts'

/*
 * Reads and writes edges of dictionaries for the machine. Each read is charged, and a malformed edge throws the machine's exception. Labels are
 * written to `path` at the position of their first bit, as in server/cell/hashmap.ts.
 */

/** Bits of the edges on the path to a key. Operations never overlap, so they can share one array. */
export const path: Uint8Array = new Uint8Array(136)

const lengthBits = (max: number): number => 32 - Math.clz32(max)

/** Reads a label of at most `max` bits, moves the slice, and writes the label to `path` at bit `at`. Returns the length. Exception 9 for a malformed label. */
const takeLabel = (slice: Slice, max: number, at: number): number => {
  if (slice.remainingBits < 2) throw CELL_UNDERFLOW
  const type = slice.preloadUint(2)
  if (type === 0) {
    slice.skip(2)
    return 0
  }
  let length = 0
  if (type === 1) {
    slice.skip(1)
    while (length <= max && slice.remainingBits > 0 && slice.preloadBit()) {
      slice.skip(1)
      length++
    }
    if (length > max || slice.remainingBits < length + 1) throw CELL_UNDERFLOW
    slice.skip(1)
  } else {
    const size = lengthBits(max)
    if (slice.remainingBits < type + size) throw CELL_UNDERFLOW
    const same = type === 2 ? -1 : slice.loadUint(3) & 1
    if (type === 2) slice.skip(2)
    length = slice.loadUint(size)
    if (length > max) throw CELL_UNDERFLOW
    if (same >= 0) {
      fillBits(path, at, same, length)
      return length
    }
    if (slice.remainingBits < length) throw CELL_UNDERFLOW
  }
  readInto(path, at, slice, length)
  return length
}

/** A parsed edge: the end of its label (bits of the key), and the slice after the label. */
export interface Edge {
  readonly end: number
  readonly rest: Slice
}

/** Reads an edge that begins at bit `at` of keys of `n` bits. Exception 10 for a malformed fork. */
export const readEdge = (vm: Machine, cell: Cell, n: number, at: number): Edge => {
  const rest = vm.open(cell)
  const end = at + takeLabel(rest, n - at, at)
  if (end < n && (rest.remainingBits !== 0 || rest.remainingRefs !== 2)) throw DICT_ERROR
  return { end, rest }
}

/** Reads an edge of a prefix dictionary. `rest` begins with a bit that is set for a fork. */
export const readPrefixEdge = (vm: Machine, cell: Cell, n: number, at: number): Edge => {
  const rest = vm.open(cell)
  return { end: at + takeLabel(rest, n - at, at), rest }
}

/** The first bit where an edge's label from `at` to `end` differs from a key of `limit` bits; the smaller of `end` and `limit` if no bit differs. */
export const parting = (key: Uint8Array, at: number, end: number, limit: number): number =>
  commonPrefix(path, key, at, Math.min(end, limit))

export const storeLabel = (builder: VmBuilder, bits: Uint8Array, from: number, to: number, max: number): VmBuilder => {
  const length = to - from
  const size = lengthBits(max)
  if (length > 1 && size < 2 * length - 1 && uniform(bits, from, to)) {
    return builder.storeInteger(6 + bitAt(bits, from), 3).storeInteger(length, size)
  }
  const head =
    size < length ? builder.storeInteger(2, 2).storeInteger(length, size) : builder.storeInteger(2 ** (length + 1) - 2, length + 2)
  if (!head.fits(length, 0)) throw CELL_OVERFLOW
  return length === 0 ? head : head.storeBits(bits, length, from)
}
