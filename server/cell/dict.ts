import type { Budget } from './budget.ts'
import type { Cell } from './cell.ts'
import { CellError } from './error.ts'
import { find, leafKey, leaves, pathOf, type WalkFrom, type WalkOptions } from './hashmap.ts'
import { type Change, change, type DictValue } from './hashmap-change.ts'
import type { Slice } from './slice.ts'

/*
 * Hashmap n X: persistent dictionaries with n-bit unsigned keys. `undefined` is the empty dictionary (hme_empty). All functions throw
 * CellError: `range` for a key that does not fit, `dict` for a malformed tree, `overflow` for a value that does not fit next to its label,
 * `pruned` if the path leads through a pruned branch, `budget` for a walk over more edges than its budget has.
 */
export type { DictValue } from './hashmap-change.ts'

export const dictGet = (root: Cell | undefined, n: number, key: bigint): Slice | undefined => find(root, n, pathOf(key, n), true)

export const dictSet = (root: Cell | undefined, n: number, key: bigint, value: DictValue): Cell =>
  change(root, n, [{ path: pathOf(key, n), value }], null)!

/** The dictionary without a key; `undefined` if this was the last key. A missing key changes nothing. */
export const dictDelete = (root: Cell | undefined, n: number, key: bigint): Cell | undefined =>
  change(root, n, [{ path: pathOf(key, n), value: undefined }], null)

/** All entries in ascending order of unsigned keys; descending with `reverse`. N entries cost 2N - 1 cells of the budget. */
export function* dictEntries(root: Cell | undefined, n: number, budget: Budget, options: WalkOptions = {}): Generator<[bigint, Slice]> {
  for (const leaf of leaves(root, n, true, budget, options)) yield [leafKey(leaf, n), leaf.slice]
}

/**
 * Like `dictEntries`, for a walk that starts at a key, also over an augmented dictionary. The slice of its leaf begins with the extra. A recorded walk
 * (recordUsage) makes a proof of one page of entries.
 */
export function* walkDict(
  root: Cell | undefined,
  n: number,
  budget: Budget,
  from?: WalkFrom,
  reverse = false,
): Generator<readonly [bigint, Slice]> {
  for (const leaf of leaves(root, n, false, budget, { reverse, from })) yield [leafKey(leaf, n), leaf.slice]
}

/** Builds a dictionary from entries in any order. Throws CellError `dict` if a key occurs twice. */
export const dictFromEntries = (n: number, entries: Iterable<readonly [bigint, DictValue]>): Cell | undefined =>
  change(
    undefined,
    n,
    [
      ...changesOf(
        n,
        [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
      ),
    ],
    null,
  )

export const dictMinMax = (root: Cell | undefined, n: number): { readonly min: bigint; readonly max: bigint } | undefined => {
  const min = first(dictEntries(root, n, { cells: n + 1 }))
  const max = first(dictEntries(root, n, { cells: n + 1 }, { reverse: true }))
  return min && max && { min: min[0], max: max[0] }
}

const first = <T>(items: Iterable<T>): T | undefined => {
  for (const item of items) return item
  return undefined
}

/** A key with its new value. An undefined value deletes the key. */
export type DictChange = readonly [bigint, DictValue | undefined]

/** Converts entries to changes. Throws CellError `dict` if they are not sorted by key, with each key once. */
export function* changesOf(n: number, entries: Iterable<DictChange>): Generator<Change> {
  let previous = -1n
  for (const [key, value] of entries) {
    if (key === previous) throw new CellError('dict', `the key ${key} occurs twice`)
    if (key < previous) throw new CellError('dict', `the keys ${previous} and ${key} are out of order`)
    previous = key
    yield { path: pathOf(key, n), value }
  }
}
