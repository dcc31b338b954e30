import { sql } from 'kysely'
import { builder } from '../postgres/reader.ts'
import type { IndexHead } from '../schema/head.ts'

/** Reads the published head. Compiled once, because every answer runs this query. */
export const HEAD_QUERY = builder
  .selectFrom(['published_head', 'index_checkpoint'])
  .select(['published_head.mc_seqno as head', 'index_checkpoint.network'])
  // As numbers: the driver reads bigint as text.
  .select([sql<number>`published_head.utime::float8`.as('utime'), sql<number>`published_head.epoch::float8`.as('epoch')])
  .select(({ fn }) => fn.coalesce('index_checkpoint.kept_mc_seqno', 'index_checkpoint.first_mc_seqno').as('first'))
  .select(sql<boolean>`to_regproc('citus_version') is not null`.as('isDistributed'))
  // A change (a revert, or removed history) counts in index_checkpoint when it begins to commit, and in published_head when it is finished. Both columns
  // are null before the first change.
  .select(sql<boolean>`coalesce(published_head.changes, 0) < coalesce(index_checkpoint.changes, 0)`.as('isChanging'))
  .select(sql<number>`coalesce(index_checkpoint.changes, 0)::float8`.as('changes'))
  .compile()

export interface HeadRow extends IndexHead {
  /** True while a revert or a removal of history is being committed. */
  readonly isChanging: boolean
  /** Number of reverts and removals of history so far. */
  readonly changes: number
}

export const isSameHead = (a: IndexHead, b: IndexHead): boolean =>
  a.head === b.head && a.epoch === b.epoch && a.first === b.first && a.network === b.network && a.utime === b.utime
