import { sql } from 'kysely'
import { createBuilder } from '../postgres/reader.ts'
import type { IndexHead } from '../schema/head.ts'

/** The row that says what may be read. Compiled once, as every answer asks for it. */
export const HEAD_QUERY = createBuilder()
  .selectFrom(['published_head', 'index_checkpoint'])
  .select(['published_head.mc_seqno as head', 'published_head.utime', 'published_head.epoch', 'index_checkpoint.network'])
  .select(({ fn }) => fn.coalesce('index_checkpoint.kept_mc_seqno', 'index_checkpoint.first_mc_seqno').as('first'))
  .select(sql<boolean>`to_regproc('citus_version') is not null`.as('isDistributed'))
  // A change is published when it is finished; before the first one both are null.
  .select(sql<boolean>`coalesce(published_head.changes, 0) < coalesce(index_checkpoint.changes, 0)`.as('isChanging'))
  .select(sql<string>`coalesce(index_checkpoint.changes, 0)::text`.as('changes'))
  .compile()

/** A row of HEAD_QUERY. A driver gives large integers as numbers or as texts. */
export type HeadRow = Omit<IndexHead, 'utime' | 'epoch'> & {
  readonly utime: number | string
  readonly epoch: number | string
  /** Whether a change that no block makes is being committed (a revert, removed history). */
  readonly isChanging: boolean
  /** Which of these changes is the last. */
  readonly changes: string
}

export const headOfRow = ({ head, first, network, isDistributed, utime, epoch }: HeadRow): IndexHead => ({
  head,
  first,
  network,
  isDistributed,
  utime: Number(utime),
  epoch: Number(epoch),
})

/** Whether two reads may see the same of the index. */
export const isSameHead = (a: IndexHead, b: IndexHead): boolean =>
  a.head === b.head && a.epoch === b.epoch && a.first === b.first && a.network === b.network && a.utime === b.utime
