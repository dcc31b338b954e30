import type { Cell } from './cell.ts'
import { CellError } from './error.ts'
import { find, leafKey, leaves, nearest, pathOf } from './hashmap.ts'
import { type Change, change, type DictValue } from './hashmap-change.ts'
import type { Slice } from './slice.ts'

/*
 * Hashmap n X: persistent dictionaries with n-bit unsigned keys. `undefined` is the empty dictionary (hme_empty). All functions throw
 * CellError `range` for keys that do not fit, `dict` for malformed trees, `overflow` where a value does not fit beside its label and
 * `pruned` where the way leads through a pruned branch.
 */
export type { DictValue } from './hashmap-change.ts'

/** The value of a key. */
export const dictGet = (root: Cell | undefined, n: number, key: bigint): Slice | undefined => find(root, n, pathOf(key, n), true)

/** The dictionary with a key set. */
export const dictSet = (root: Cell | undefined, n: number, key: bigint, value: DictValue): Cell =>
  change(root, n, [{ path: pathOf(key, n), value }], null)!

/** The dictionary without a key; `undefined` when it was the last. A missing key changes nothing. */
export const dictDelete = (root: Cell | undefined, n: number, key: bigint): Cell | undefined =>
  change(root, n, [{ path: pathOf(key, n), value: undefined }], null)

/** Many changes at once, sorted by key, each key once; an undefined value deletes. */
export const dictSetMany = (
  root: Cell | undefined,
  n: number,
  entries: Iterable<readonly [bigint, DictValue | undefined]>,
): Cell | undefined => change(root, n, changesOf(n, entries), null)

/** How entries are walked. */
export interface WalkOptions {
  /** Descending. */
  readonly reverse?: boolean
  /** Most entries; one more throws CellError `dict`. A few hundred shared cells can spell 2^256 entries: set it for dictionaries of strangers. */
  readonly limit?: number
}

/** All entries in ascending order of unsigned keys, or descending. */
export function* dictEntries(root: Cell | undefined, n: number, options: WalkOptions = {}): Generator<[bigint, Slice]> {
  for (const leaf of leaves(root, n, true, options)) yield [leafKey(leaf, n), leaf.slice]
}

/** A dictionary of entries in any order. Throws CellError `dict` where a key stands twice. */
export const dictFromEntries = (n: number, entries: Iterable<readonly [bigint, DictValue]>): Cell | undefined =>
  change(
    undefined,
    n,
    changesOf(
      n,
      [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
    ),
    null,
  )

/** Least and greatest key. */
export const dictMinMax = (root: Cell | undefined, n: number): { readonly min: bigint; readonly max: bigint } | undefined => {
  const min = dictMin(root, n)
  const max = dictMax(root, n)
  return min === undefined || max === undefined ? undefined : { min: min[0], max: max[0] }
}

/** The entry with the least key. */
const dictMin = (root: Cell | undefined, n: number): [bigint, Slice] | undefined => first(dictEntries(root, n))
/** The entry with the greatest key. */
const dictMax = (root: Cell | undefined, n: number): [bigint, Slice] | undefined => first(dictEntries(root, n, { reverse: true }))

/** The entry nearest to a key: the least greater one, or with `greater` false the greatest smaller one; `orEqual` lets the key itself count. */
export const dictNearest = (
  root: Cell | undefined,
  n: number,
  key: bigint,
  { greater, orEqual = false }: { readonly greater: boolean; readonly orEqual?: boolean },
): [bigint, Slice] | undefined => {
  const leaf = nearest(root, n, pathOf(key, n), greater, orEqual, true)
  return leaf && [leafKey(leaf, n), leaf.slice]
}

const first = <T>(items: Iterable<T>): T | undefined => {
  for (const item of items) return item
  return undefined
}

/** @internal Entries as sorted changes. */
export const changesOf = (n: number, entries: Iterable<readonly [bigint, DictValue | undefined]>): Change[] => {
  const changes: Change[] = []
  let previous = -1n
  for (const [key, value] of entries) {
    if (key === previous) throw new CellError('dict', `the key ${key} stands twice`)
    if (key < previous) throw new CellError('dict', `the keys ${previous} and ${key} are out of order`)
    previous = key
    changes.push({ path: pathOf(key, n), value })
  }
  return changes
}
