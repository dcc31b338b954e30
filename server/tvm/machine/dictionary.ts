import { bitAt, putBit } from '../../cell/bitpath.ts'
import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { EMPTY_BUILDER, type VmBuilder } from './builder.ts'
import { parting, path, readEdge, storeLabel } from './dictionary-edges.ts'
import { CELL_OVERFLOW } from './exceptions.ts'
import { finishCell } from './finish-cell.ts'
import type { Machine } from './machine.ts'

/*
 * Hashmap n X with gas. Each edge that is read is charged as a load, and each new cell costs 500 gas. The order of charges is that of TON's crypto/vm/dict.cpp.
 * Keys are left-aligned bits. null is the empty dictionary.
 */

/** Stores a value after a label; undefined if there is no room. */
export type StoreValue = (builder: VmBuilder) => VmBuilder | undefined

export const storeSliceValue =
  (value: Slice): StoreValue =>
  (builder) =>
    builder.fits(value.remainingBits, value.remainingRefs) ? builder.storeSlice(value) : undefined
export const storeRefValue =
  (value: Cell): StoreValue =>
  (builder) =>
    builder.fits(0, 1) ? builder.storeRef(value) : undefined
export const storeBuilderValue =
  (value: VmBuilder): StoreValue =>
  (builder) =>
    builder.fits(value.bits, value.refs) ? builder.storeBuilder(value) : undefined

export const lookup = (vm: Machine, root: Cell | null, n: number, key: Uint8Array): Slice | undefined => {
  if (root === null) return undefined
  let cell = root
  let at = 0
  for (;;) {
    const { end, rest } = readEdge(vm, cell, n, at)
    if (parting(key, at, end, n) < end) return undefined
    if (end === n) return rest
    cell = rest.preloadRef(bitAt(key, end))
    at = end + 1
  }
}

/** `set` sets any key, `replace` only an existing key, `add` only a new key. */
export type SetMode = 'set' | 'replace' | 'add'

interface Changed {
  readonly old: Slice | undefined
  /** The new edge; undefined if nothing changed. */
  readonly cell: Cell | undefined
}

export const setKey = (vm: Machine, root: Cell | null, n: number, key: Uint8Array, value: StoreValue, mode: SetMode): Changed =>
  setIn(vm, root, n, key, 0, value, mode)

/** An edge: its label, then what `value` stores. */
export const finishEdge = (vm: Machine, label: VmBuilder, value: StoreValue): Cell => {
  const builder = value(label)
  if (builder === undefined) throw CELL_OVERFLOW
  return finishCell(vm, builder)
}

const leaf = (vm: Machine, key: Uint8Array, at: number, n: number, value: StoreValue): Cell =>
  finishEdge(vm, storeLabel(EMPTY_BUILDER, key, at, n, n - at), value)

const fork = (vm: Machine, bits: Uint8Array, at: number, end: number, n: number, left: Cell, right: Cell): Cell =>
  finishCell(
    vm,
    storeLabel(EMPTY_BUILDER, bits, at, end, n - at)
      .storeRef(left)
      .storeRef(right),
  )

const setIn = (vm: Machine, edge: Cell | null, n: number, key: Uint8Array, at: number, value: StoreValue, mode: SetMode): Changed => {
  if (edge === null) {
    return { old: undefined, cell: mode === 'replace' ? undefined : leaf(vm, key, at, n, value) }
  }
  const { end, rest } = readEdge(vm, edge, n, at)
  const common = parting(key, at, end, n)
  if (common < end) {
    if (mode === 'replace') return { old: undefined, cell: undefined }
    // The key differs from the edge within the edge's label. So a fork is made from the new leaf and the rest of the edge.
    const fresh = leaf(vm, key, common + 1, n, value)
    const old = finishEdge(vm, storeLabel(EMPTY_BUILDER, path, common + 1, end, n - common - 1), storeSliceValue(rest))
    return {
      old: undefined,
      cell: bitAt(key, common) ? fork(vm, key, at, common, n, old, fresh) : fork(vm, key, at, common, n, fresh, old),
    }
  }
  if (end === n) return { old: rest, cell: mode === 'add' ? undefined : leaf(vm, key, at, n, value) }
  const left = rest.preloadRef(0)
  const right = rest.preloadRef(1)
  const goesRight = bitAt(key, end) === 1
  const { old, cell } = setIn(vm, goesRight ? right : left, n, key, end + 1, value, mode)
  if (cell === undefined) return { old, cell }
  return { old, cell: goesRight ? fork(vm, key, at, end, n, left, cell) : fork(vm, key, at, end, n, cell, right) }
}

/** Deletes a key. Returns the deleted value (undefined if the key was missing) and the new root. */
export const deleteKey = (
  vm: Machine,
  root: Cell | null,
  n: number,
  key: Uint8Array,
): { readonly old: Slice | undefined; readonly root: Cell | null } => {
  const { old, cell } = deleteIn(vm, root, n, key, 0)
  return old === undefined ? { old, root } : { old, root: cell ?? null }
}

const deleteIn = (vm: Machine, edge: Cell | null, n: number, key: Uint8Array, at: number): Changed => {
  if (edge === null) return { old: undefined, cell: undefined }
  const { end, rest } = readEdge(vm, edge, n, at)
  if (parting(key, at, end, n) < end) return { old: undefined, cell: undefined }
  if (end === n) return { old: rest, cell: undefined }
  const left = rest.preloadRef(0)
  const right = rest.preloadRef(1)
  const bit = bitAt(key, end)
  const { old, cell } = deleteIn(vm, bit ? right : left, n, key, end + 1)
  if (old === undefined) return { old, cell: undefined }
  if (cell !== undefined) return { old, cell: bit ? fork(vm, key, at, end, n, left, cell) : fork(vm, key, at, end, n, cell, right) }
  return { old, cell: absorb(vm, key, n, at, end, 1 - bit, bit ? left : right, readEdge) }
}

/** Replaces a fork at bit `end` by its remaining edge. The fork's label and bit are put before the edge's label. */
export const absorb = (
  vm: Machine,
  key: Uint8Array,
  n: number,
  at: number,
  end: number,
  bit: number,
  sibling: Cell,
  read: typeof readEdge,
): Cell => {
  for (let i = at; i < end; i++) putBit(path, i, bitAt(key, i))
  putBit(path, end, bit)
  const { end: to, rest } = read(vm, sibling, n, end + 1)
  return finishEdge(vm, storeLabel(EMPTY_BUILDER, path, at, to, n - at), storeSliceValue(rest))
}

/** A copy of the found key of n bits from `path`. */
export const keyFound = (n: number): Uint8Array => path.slice(0, (n + 7) >>> 3)

/**
 * Returns the entry with the smallest or largest key. The bits of the key are in `path` afterwards. `first` is the side to take at a fork at bit 0, `others`
 * the side at all other forks. They differ for signed keys.
 */
export const minmax = (vm: Machine, root: Cell | null, n: number, first: number, others: number, from = 0): Slice | undefined => {
  if (root === null) return undefined
  let cell = root
  let at = from
  for (;;) {
    const { end, rest } = readEdge(vm, cell, n, at)
    if (end === n) return rest
    const bit = end === 0 ? first : others
    putBit(path, end, bit)
    cell = rest.preloadRef(bit)
    at = end + 1
  }
}

/**
 * Returns the entry with the next larger key or, if `up` is false, the next smaller key. With `equal`, the key itself is also a result. `signed` keys begin
 * with a sign bit. The bits of the found key are in `path` afterwards.
 */
export const nearest = (
  vm: Machine,
  root: Cell | null,
  n: number,
  key: Uint8Array,
  up: boolean,
  equal: boolean,
  signed: boolean,
): Slice | undefined => {
  /** The bit of larger keys at a position; if `up` is false, the bit of smaller keys. */
  const beyond = (at: number): number => (up ? 1 : 0) ^ (at === 0 && signed ? 1 : 0)
  const extreme = (cell: Cell, at: number): Slice | undefined => minmax(vm, cell, n, 1 - beyond(0), 1 - beyond(1), at)
  const find = (cell: Cell, at: number): Slice | undefined => {
    const { end, rest } = readEdge(vm, cell, n, at)
    const common = parting(key, at, end, n)
    if (common < end) return bitAt(key, common) === beyond(common) ? undefined : extreme(cell, at)
    if (end === n) return equal ? rest : undefined
    const bit = bitAt(key, end)
    putBit(path, end, bit)
    const found = find(rest.preloadRef(bit), end + 1)
    if (found !== undefined || bit === beyond(end)) return found
    // `path` still has the bits of the path to this fork. All keys on the other side of the fork are beyond the key.
    putBit(path, end, beyond(end))
    return extreme(rest.preloadRef(beyond(end)), end + 1)
  }
  return root === null ? undefined : find(root, 0)
}

/** The entries whose keys begin with a prefix. With `remove`, the result's keys do not have the prefix. */
export const subdictionary = (
  vm: Machine,
  root: Cell | null,
  n: number,
  prefix: Uint8Array,
  length: number,
  remove: boolean,
): Cell | null => {
  if (root === null || length === 0) return root
  let cell = root
  let at = 0
  for (;;) {
    const { end, rest } = readEdge(vm, cell, n, at)
    const limit = Math.min(length, end)
    if (parting(prefix, at, end, length) < limit) return null
    if (end < length) {
      cell = rest.preloadRef(bitAt(prefix, end))
      at = end + 1
      continue
    }
    if (!remove && at === 0) return root
    for (let i = 0; i < at; i++) putBit(path, i, bitAt(prefix, i))
    const from = remove ? length : 0
    return finishEdge(vm, storeLabel(EMPTY_BUILDER, path, from, end, n - from), storeSliceValue(rest))
  }
}
