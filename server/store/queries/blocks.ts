import { sql } from 'kysely'
import { type BlockId, type ShortBlockId, shardFromWire } from '../../tlb/ids.ts'
import { MASTER_KEY, shardKey } from '../row-keys.ts'
import { blocks } from '../schema/blocks.ts'
import type { Tables } from '../schema/tables.ts'
import { withBounds } from './bounds.ts'
import { is, type ListParams, upToHead, within } from './conditions.ts'
import { findPage, limited, orderOf, type Page } from './order.ts'
import type { View } from './view.ts'

export type BlockRow = Tables['blocks']

/** Blocks of the same gen_utime are ordered by masterchain block, then workchain, shard and seqno, so that new blocks always come after older ones. */
const BY_TIME = orderOf(blocks, 'g', ['gen_utime', 'mc_seqno', 'workchain', 'shard', 'seqno'])

export const findBlocks = async (view: View, given: ListParams<'v3.blocks'>): Promise<Page<BlockRow>> => {
  const params = await withBounds(view, given, true)
  return await findPage(view, BY_TIME, params, [
    upToHead(view, params),
    is('workchain', params.workchain),
    is('shard', params.shard?.toString()),
    is('seqno', params.seqno),
    is('root_hash', params.root_hash),
    is('file_hash', params.file_hash),
    is('mc_seqno', params.mc_seqno),
    ...within(params, 'gen_utime', 'start_lt'),
  ])
}

/** Reads masterchain blocks by seqno. The condition on shard_key lets a distributed database query a single node. */
export const masterchainBlocks = (view: View, seqnos: readonly number[]): Promise<BlockRow[]> =>
  view.rows(
    sql<BlockRow>`select * from blocks where shard_key = ${MASTER_KEY} and seqno = any(${seqnos}::integer[]) and mc_seqno <= ${view.head}
      order by seqno`,
  )

export const blocksOfMasterchainBlock = (view: View, seqno: number, limit: number, offset: number): Promise<BlockRow[]> =>
  view.rows(
    sql<BlockRow>`select * from blocks where mc_seqno = ${seqno} and mc_seqno <= ${view.head} order by workchain, shard, seqno
      ${limited({ limit, offset })}`,
  )

/** Reads full block ids. Blocks that are not indexed are missing from the result. */
export const blocksByNumber = async (view: View, numbers: readonly ShortBlockId[]): Promise<BlockId[]> => {
  const shards = numbers.map(({ workchain, shard }) => shardKey(workchain, shard))
  const seqnos = numbers.map(({ seqno }) => seqno)
  const rows = await view.rows(
    // A distributed database finds the shards only by a condition on shard_key alone.
    sql<BlockRow>`select workchain, shard, seqno, root_hash, file_hash from blocks where mc_seqno <= ${view.head}
      and shard_key = any(${shards}::bytea[]) and (shard_key, seqno) in (select * from unnest(${shards}::bytea[], ${seqnos}::bigint[]))`,
    'generic',
  )
  return rows.map(({ workchain, shard, seqno, root_hash, file_hash }) => ({
    workchain,
    shard: shardFromWire(BigInt(shard)),
    seqno,
    rootHash: root_hash,
    fileHash: file_hash,
  }))
}

/** Reads the newest block of every shard at a masterchain block, ordered by workchain, shard and seqno. Blocks that are not indexed are missing. */
export const shardTops = (view: View, seqno: number): Promise<BlockRow[]> =>
  view.rows(
    sql<BlockRow>`select b.* from shard_tops top join blocks b on b.shard_key = top.shard_key and b.seqno = top.seqno
      where top.mc_seqno = ${seqno} and top.mc_seqno <= ${view.head} and b.mc_seqno <= ${view.head}
      order by b.workchain, b.shard, b.seqno`,
    'generic',
  )
