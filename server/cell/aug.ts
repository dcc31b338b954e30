import type { Budget } from './budget.ts'
import type { Builder } from './builder.ts'
import type { Cell } from './cell.ts'
import { changesOf, type DictChange } from './dict.ts'
import { find, leafKey, leaves, pathOf, type WalkOptions } from './hashmap.ts'
import { type Augmentation, type Change, change, type DictValue } from './hashmap-change.ts'
import { readLabel } from './label.ts'
import type { Slice } from './slice.ts'

/*
 * Persistent dictionaries with extras (HashmapAug n X Y). Each fork has the combined extra of its leaves. A change copies the cells on the path to each changed
 * leaf and shares all other cells. The functions throw the same errors as those of dict.ts.
 */

export interface AugSpec<Y> extends Augmentation<Y> {
  readonly n: number
  /** The extra of the empty dictionary (ahme_empty). */
  readonly empty: Y
}

export const augGet = <Y>(spec: AugSpec<Y>, root: Cell | undefined, key: bigint): { extra: Y; value: Slice } | undefined => {
  const s = find(root, spec.n, pathOf(key, spec.n), false)
  return s && { extra: spec.loadExtra(s), value: s }
}

export const augSet = <Y>(spec: AugSpec<Y>, root: Cell | undefined, key: bigint, value: DictValue): Cell =>
  change(root, spec.n, [{ path: pathOf(key, spec.n), value }], spec)!

/** Number of entries that are set in one step. One takes microseconds, or milliseconds if its extra has hundreds of currencies. */
const ENTRIES_A_STEP = 16

/**
 * Applies many changes in several steps. The entries must be sorted by key, with each key once. An undefined value deletes its key. Each step hashes its
 * cells, which otherwise a later step would do.
 */
export function* augSetManySteps<Y>(
  spec: AugSpec<Y>,
  root: Cell | undefined,
  entries: Iterable<DictChange>,
): Generator<void, Cell | undefined> {
  let changed = root
  let part: Change[] = []
  for (const each of changesOf(spec.n, entries)) {
    part.push(each)
    if (part.length < ENTRIES_A_STEP) continue
    changed = change(changed, spec.n, part, spec)
    changed?.hashKey()
    part = []
    yield
  }
  return part.length === 0 ? changed : change(changed, spec.n, part, spec)
}

/** All entries in ascending order of unsigned keys; descending with `reverse`. N entries cost 2N - 1 cells of the budget. */
export function* augEntries<Y>(
  spec: AugSpec<Y>,
  root: Cell | undefined,
  budget: Budget,
  options: WalkOptions = {},
): Generator<[bigint, Y, Slice]> {
  for (const leaf of leaves(root, spec.n, false, budget, options)) yield [leafKey(leaf, spec.n), spec.loadExtra(leaf.slice), leaf.slice]
}

export const augRootExtra = <Y>(spec: AugSpec<Y>, root: Cell | undefined): Y => {
  if (root === undefined) return spec.empty
  const s = root.slice()
  if (readLabel(s, spec.n, new Uint8Array(((spec.n + 7) >>> 3) + 1), 0) < spec.n) s.skipRefs(2)
  return spec.loadExtra(s)
}

/**
 * Reads a HashmapAugE and returns its root. The extra next to the root is skipped.
 * ahme_empty$0 {n:#} {X:Type} {Y:Type} extra:Y = HashmapAugE n X Y;
 * ahme_root$1 {n:#} {X:Type} {Y:Type} root:^(HashmapAug n X Y) extra:Y = HashmapAugE n X Y;
 */
export const loadAugE = <Y>(s: Slice, spec: AugSpec<Y>): Cell | undefined => {
  const root = s.loadMaybeRef()
  spec.loadExtra(s)
  return root
}

export const storeAugE = <Y>(b: Builder, spec: AugSpec<Y>, root: Cell | undefined): Builder => {
  b.storeMaybeRef(root)
  spec.storeExtra(b, augRootExtra(spec, root))
  return b
}
