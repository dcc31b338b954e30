import { type AugSpec, augSetMany } from '../../../server/cell/aug.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import type { DictValue } from '../../../server/cell/hashmap-change.ts'

/** Builds a HashmapAug from entries in any order. Throws CellError `dict` if a key occurs twice. */
export const augFromEntries = <Y>(spec: AugSpec<Y>, entries: Iterable<readonly [bigint, DictValue]>): Cell | undefined =>
  augSetMany(
    spec,
    undefined,
    [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  )
