import { bitAt } from '../../cell/bitpath.ts'
import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { EMPTY_BUILDER } from './builder.ts'
import { absorb, finishEdge, type SetMode, type StoreValue, storeSliceValue } from './dictionary.ts'
import { parting, path, readPrefixEdge, storeLabel } from './dictionary-edges.ts'
import { CELL_OVERFLOW, DICT_ERROR } from './exceptions.ts'
import { finishCell } from './finish-cell.ts'
import type { Machine } from './machine.ts'

/* Prefix code dictionaries (PfxHashmap n X): keys of up to n bits. No key is a prefix of another. */

const isFork = (node: Slice): boolean => {
  if (node.remainingBits === 0) throw DICT_ERROR
  if (!node.loadBit()) return false
  if (node.remainingBits !== 0 || node.remainingRefs !== 2) throw DICT_ERROR
  return true
}

/** Finds the key that is a prefix of the bits. Returns its value and its length. */
export const lookupPrefix = (
  vm: Machine,
  root: Cell | null,
  n: number,
  key: Uint8Array,
  length: number,
): { readonly value: Slice; readonly length: number } | undefined => {
  if (root === null) return undefined
  let cell = root
  let at = 0
  for (;;) {
    const { end, rest } = readPrefixEdge(vm, cell, n, at)
    if (parting(key, at, end, length) < end) return undefined
    if (!isFork(rest)) return { value: rest, length: end }
    if (end === n) throw DICT_ERROR
    if (end === length) return undefined
    cell = rest.preloadRef(bitAt(key, end))
    at = end + 1
  }
}

/** Sets a key of `length` bits and returns the new root. Returns undefined if nothing changed, for example because one key would be a prefix of another. */
export const setPrefix = (
  vm: Machine,
  root: Cell | null,
  n: number,
  key: Uint8Array,
  length: number,
  value: StoreValue,
  mode: SetMode,
): Cell | undefined => (length > n ? undefined : setIn(vm, root, n, key, length, 0, value, mode))

const leaf = (vm: Machine, key: Uint8Array, at: number, length: number, n: number, value: StoreValue): Cell => {
  const head = storeLabel(EMPTY_BUILDER, key, at, length, n - at)
  if (!head.fits(1, 0)) throw CELL_OVERFLOW
  return finishEdge(vm, head.storeSame(0, 1), value)
}

const fork = (vm: Machine, key: Uint8Array, at: number, end: number, n: number, left: Cell, right: Cell): Cell => {
  const head = storeLabel(EMPTY_BUILDER, key, at, end, n - at)
  if (!head.fits(1, 2)) throw CELL_OVERFLOW
  return finishCell(vm, head.storeSame(1, 1).storeRef(left).storeRef(right))
}

const setIn = (
  vm: Machine,
  edge: Cell | null,
  n: number,
  key: Uint8Array,
  length: number,
  at: number,
  value: StoreValue,
  mode: SetMode,
): Cell | undefined => {
  if (edge === null) return mode === 'replace' ? undefined : leaf(vm, key, at, length, n, value)
  const { end, rest } = readPrefixEdge(vm, edge, n, at)
  const common = parting(key, at, end, length)
  if (common < end) {
    if (common === length || mode === 'replace') return undefined
    const fresh = leaf(vm, key, common + 1, length, n, value)
    const old = finishEdge(vm, storeLabel(EMPTY_BUILDER, path, common + 1, end, n - common - 1), storeSliceValue(rest))
    return bitAt(key, common) ? fork(vm, key, at, common, n, old, fresh) : fork(vm, key, at, common, n, fresh, old)
  }
  if (!isFork(rest)) return end !== length || mode === 'add' ? undefined : leaf(vm, key, at, length, n, value)
  if (length === end) return undefined
  const left = rest.preloadRef(0)
  const right = rest.preloadRef(1)
  const bit = bitAt(key, end)
  const changed = setIn(vm, bit ? right : left, n, key, length, end + 1, value, mode)
  if (changed === undefined) return undefined
  return bit ? fork(vm, key, at, end, n, left, changed) : fork(vm, key, at, end, n, changed, right)
}

/** Deletes a key of `length` bits. Returns the new root (null if empty); undefined if there was no such key. */
export const deletePrefix = (vm: Machine, root: Cell | null, n: number, key: Uint8Array, length: number): Cell | null | undefined =>
  root === null || length > n ? undefined : deleteIn(vm, root, n, key, length, 0)

const deleteIn = (vm: Machine, edge: Cell, n: number, key: Uint8Array, length: number, at: number): Cell | null | undefined => {
  const { end, rest } = readPrefixEdge(vm, edge, n, at)
  if (parting(key, at, end, length) < end) return undefined
  if (!isFork(rest)) return end < length ? undefined : null
  if (end === length) return undefined
  const left = rest.preloadRef(0)
  const right = rest.preloadRef(1)
  const bit = bitAt(key, end)
  const changed = deleteIn(vm, bit ? right : left, n, key, length, end + 1)
  if (changed === undefined) return undefined
  if (changed !== null) return bit ? fork(vm, key, at, end, n, left, changed) : fork(vm, key, at, end, n, changed, right)
  return absorb(vm, key, n, at, end, 1 - bit, bit ? left : right, readPrefixEdge)
}
