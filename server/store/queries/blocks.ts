import { sql } from 'kysely'
import { type BlockId, type ShortBlockId, shardFromWire } from '../../tlb/ids.ts'
import { bytesList, integersList } from '../postgres/lists.ts'
import { MASTER_KEY, shardKey } from '../row-keys.ts'
import type { Tables } from '../schema/tables.ts'
import { inWindow, lastOf, type WindowFilter } from './conditions.ts'
import { fixed } from './fixed.ts'
import {
  afterCursor,
  bound,
  intPart,
  isIn,
  numberPart,
  type Order,
  onPage,
  orderBy,
  type Page,
  type PageParams,
  readPage,
  signedPart,
} from './order.ts'
import type { View } from './view.ts'

export type BlockRow = Tables['blocks']

export interface BlockFilter extends WindowFilter {
  readonly workchain?: number | undefined
  /** The shard prefix as a signed 64-bit integer. */
  readonly shard?: bigint | undefined
  readonly seqno?: number | undefined
  readonly root_hash?: Uint8Array | undefined
  readonly file_hash?: Uint8Array | undefined
  readonly mc_seqno?: number | undefined
}

/** Blocks of the same gen_utime are ordered by masterchain block, then workchain, shard and seqno, so that new blocks always come after older ones. */
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

const OTHER_FIELDS = ['workchain', 'shard', 'seqno', 'root_hash', 'file_hash', 'start_utime', 'end_utime', 'start_lt', 'end_lt'] as const

/** Returns whether `mc_seqno` is the only filter, and offset, order and cursor have their defaults. */
export const isOneMasterchainBlock = (filter: BlockFilter, { offset, sort, cursor, as_of }: PageParams): boolean =>
  filter.mc_seqno !== undefined &&
  offset === 0 &&
  sort === 'desc' &&
  !cursor &&
  as_of === undefined &&
  OTHER_FIELDS.every((name) => filter[name] === undefined)

export const findBlocks = (view: View, filter: BlockFilter, page: PageParams): Promise<Page<BlockRow>> =>
  readPage(BY_TIME, page, (piece) => {
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
    return view.rows(onPage(query.orderBy(orderBy(BY_TIME, piece.sort)), piece))
  })

/** Reads masterchain blocks by seqno. The condition on shard_key lets a distributed database query a single node. */
export const masterchainBlocks = (view: View, seqnos: readonly number[]): Promise<BlockRow[]> =>
  view.rows(
    all(view)
      .where('shard_key', '=', MASTER_KEY)
      .where(sql<boolean>`seqno = any(${[...seqnos]}::integer[])`)
      .orderBy('seqno'),
  )

export const blocksOfMasterchainBlock = (view: View, seqno: number, limit: number, offset: number): Promise<BlockRow[]> => {
  const query = all(view).where('mc_seqno', '=', seqno).orderBy(sql`workchain, shard, seqno`)
  return view.rows(onPage(query, { limit, offset }))
}

const BY_NUMBER = fixed((builder, head, shards, seqnos) =>
  builder
    .selectFrom('blocks')
    .select(['workchain', 'shard', 'seqno', 'root_hash', 'file_hash'])
    .where('mc_seqno', '<=', head)
    // A distributed database finds the shards only by a condition on shard_key alone.
    .where(isIn(sql.ref('shard_key'), shards))
    .where(sql<boolean>`(shard_key, seqno) in (select * from unnest(${shards}::bytea[], ${seqnos}::bigint[]))`),
)

/** Reads full block ids. Blocks that are not indexed are missing from the result. */
export const blocksByNumber = async (view: View, numbers: readonly ShortBlockId[]): Promise<BlockId[]> => {
  const shards = bytesList(numbers.map(({ workchain, shard }) => shardKey(workchain, shard)))
  const rows = await view.rows(BY_NUMBER(view.head, shards, integersList(numbers.map(({ seqno }) => String(seqno)))))
  return rows.map(({ workchain, shard, seqno, root_hash, file_hash }) => ({
    workchain,
    shard: shardFromWire(BigInt(shard)),
    seqno,
    rootHash: root_hash,
    fileHash: file_hash,
  }))
}

const TOPS = fixed((builder, seqno, head) =>
  builder
    .selectFrom('shard_tops as top')
    .innerJoin('blocks as b', (join) => join.onRef('b.shard_key', '=', 'top.shard_key').onRef('b.seqno', '=', 'top.seqno'))
    .selectAll('b')
    .where(sql<boolean>`top.mc_seqno = ${seqno} and top.mc_seqno <= ${head} and b.mc_seqno <= ${head}`)
    .orderBy(sql`b.workchain, b.shard, b.seqno`),
)

/** Reads the newest block of every shard at a masterchain block, ordered by workchain, shard and seqno. Blocks that are not indexed are missing. */
export const shardTops = (view: View, seqno: number): Promise<BlockRow[]> => view.rows(TOPS(seqno, view.head))
