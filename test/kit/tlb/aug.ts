import type { AugSpec } from '../../../server/cell/aug.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { changesOf, type DictChange } from '../../../server/cell/dict.ts'
import { change, type DictValue } from '../../../server/cell/hashmap-change.ts'

/** Applies many changes in one pass, where augSetManySteps takes several. The entries must be sorted by key, with each key once. */
export const augSetMany = <Y>(spec: AugSpec<Y>, root: Cell | undefined, entries: Iterable<DictChange>): Cell | undefined =>
  change(root, spec.n, [...changesOf(spec.n, entries)], spec)

/** Builds a HashmapAug from entries in any order. Throws CellError `dict` if a key occurs twice. */
export const augFromEntries = <Y>(spec: AugSpec<Y>, entries: Iterable<readonly [bigint, DictValue]>): Cell | undefined =>
  augSetMany(
    spec,
    undefined,
    [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  )
