import { sql } from 'kysely'
import { MASTER_KEY } from '../row-keys.ts'
import type { Tables } from '../schema/tables.ts'
import { inWindow, lastOf, type WindowFilter } from './conditions.ts'
import { fixed } from './fixed.ts'
import type { View } from './head.ts'
import { byOrder, merged, plannedBy } from './merged.ts'
import {
  afterCursor,
  anyOf,
  bound,
  intPart,
  numberPart,
  type Order,
  onPage,
  orderBy,
  type Page,
  type PageParams,
  readPage,
  signedPart,
} from './order.ts'

export type BlockRow = Tables['blocks']

export interface BlockFilter extends WindowFilter {
  readonly workchain?: number | undefined
  /** Signed. */
  readonly shard?: bigint | undefined
  readonly seqno?: number | undefined
  readonly root_hash?: Uint8Array | undefined
  readonly file_hash?: Uint8Array | undefined
  readonly mc_seqno?: number | undefined
}

/** Blocks with equal gen_utime are ordered by masterchain block, then workchain, shard, seqno, so that new blocks always come after older ones. */
const BY_TIME: Order<BlockRow> = {
  name: 'g',
  parts: [
    numberPart(sql.ref('gen_utime'), (row) => row.gen_utime),
    intPart(sql.ref('mc_seqno'), (row) => row.mc_seqno),
    intPart(sql.ref('workchain'), (row) => row.workchain),
    signedPart(sql.ref('shard'), (row) => row.shard),
    intPart(sql.ref('seqno'), (row) => row.seqno),
  ],
}

const all = (view: View) => view.sql.selectFrom('blocks').selectAll().where('mc_seqno', '<=', view.head)

/** Fields for whose values different plans are right: all of them. */
const UNEVEN = [
  'workchain',
  'shard',
  'seqno',
  'root_hash',
  'file_hash',
  'mc_seqno',
  'start_utime',
  'end_utime',
  'start_lt',
  'end_lt',
] as const

const COMMITTED_BY = fixed((builder, seqno, limit) =>
  builder.selectFrom('blocks').selectAll().where(sql<boolean>`mc_seqno = ${seqno}`).orderBy(orderBy(BY_TIME, 'desc')).limit(limit),
)

/** The masterchain block whose blocks are asked for, if nothing else narrows, moves or turns the page: building that statement anew took longer than to run it. */
const onlyCommittedBy = (filter: BlockFilter, { offset, sort, cursor, as_of }: PageParams): number | undefined =>
  offset === 0 &&
  sort === 'desc' &&
  !cursor &&
  as_of === undefined &&
  UNEVEN.every((name) => name === 'mc_seqno' || filter[name] === undefined)
    ? filter.mc_seqno
    : undefined

/** Whether a page has the blocks of one masterchain block, and nothing else is asked for. */
export const isOneMasterchainBlock = (filter: BlockFilter, page: PageParams): boolean => onlyCommittedBy(filter, page) !== undefined

/** One page of the blocks that match a filter. */
export const findBlocks = (view: View, filter: BlockFilter, page: PageParams): Promise<Page<BlockRow>> =>
  readPage(BY_TIME, page, async (given) => {
    const seqno = view.isDistributed ? undefined : onlyCommittedBy(filter, given)
    if (seqno !== undefined) return seqno > view.head ? [] : await view.rows(COMMITTED_BY(seqno, given.limit))
    return await merged(
      view,
      given,
      byOrder(BY_TIME, given.sort),
      (piece) => {
        const after = afterCursor(BY_TIME, piece)
        let query = view.sql.selectFrom('blocks').selectAll()
        if (after) query = query.where(after)
        query = query.where(bound(sql.ref('mc_seqno'), 'to', lastOf(view, page), piece))
        if (filter.workchain !== undefined) query = query.where('workchain', '=', filter.workchain)
        if (filter.shard !== undefined) query = query.where('shard', '=', String(filter.shard))
        if (filter.seqno !== undefined) query = query.where('seqno', '=', filter.seqno)
        if (filter.root_hash) query = query.where('root_hash', '=', Buffer.from(filter.root_hash))
        if (filter.file_hash) query = query.where('file_hash', '=', Buffer.from(filter.file_hash))
        if (filter.mc_seqno !== undefined) query = query.where('mc_seqno', '=', filter.mc_seqno)
        for (const said of inWindow(sql.ref('gen_utime'), sql.ref('start_lt'), filter, piece)) query = query.where(said)
        query = query.orderBy(orderBy(BY_TIME, piece.sort)).limit(piece.limit)
        return piece.offset > 0 ? query.offset(piece.offset) : query
      },
      plannedBy(filter, UNEVEN),
    )
  })

/** Masterchain blocks by seqno. Their shard's key tells a distributed database where they are. */
export const masterchainBlocks = (view: View, seqnos: readonly number[]): Promise<BlockRow[]> =>
  view.rows(
    all(view)
      .where('shard_key', '=', MASTER_KEY)
      .where(sql<boolean>`seqno = any(${[...seqnos]}::integer[])`)
      .orderBy('seqno'),
  )

/** Blocks that a masterchain block commits, by workchain, shard, seqno. */
export const blocksOfMasterchainBlock = (view: View, seqno: number, limit: number, offset: number): Promise<BlockRow[]> => {
  const query = all(view).where('mc_seqno', '=', seqno).orderBy(sql`workchain, shard, seqno`)
  return view.rows(onPage(query, { limit, offset }))
}

const TOPS = fixed((builder, seqno, head) =>
  sql<BlockRow>`select b.* from shard_tops t
      cross join lateral (select * from blocks where shard_key = t.shard_key and seqno = t.seqno and mc_seqno <= ${head} offset 0) b
    where t.mc_seqno = ${seqno} and t.mc_seqno <= ${head} order by b.workchain, b.shard, b.seqno`.compile(builder),
)

/** Top blocks of every shard at a masterchain block, by workchain, shard, seqno; tops that are not indexed are missing. */
export const shardTops = async (view: View, seqno: number): Promise<BlockRow[]> => {
  if (!view.isDistributed) return await view.rows(TOPS(seqno, view.head))
  const tops = await view.rows(
    view.sql.selectFrom('shard_tops').select(['shard_key', 'seqno']).where('mc_seqno', '=', seqno).where('mc_seqno', '<=', view.head),
  )
  if (tops.length === 0) return []
  const [keys, seqnos] = [tops.map((top) => top.shard_key), tops.map((top) => top.seqno)]
  return await view.rows(
    all(view)
      .where(anyOf(sql.ref('shard_key'), keys))
      .where(sql<boolean>`(shard_key, seqno) in (select * from unnest(${keys}::bytea[], ${seqnos}::integer[]))`)
      .orderBy(sql`workchain, shard, seqno`),
  )
}
