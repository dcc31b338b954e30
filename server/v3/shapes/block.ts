import type { Result } from '../../../shared/registry.ts'
import type { BlockRow } from '../../store/queries/blocks.ts'
import { base64, blockRef, shardHex } from './values.ts'

export type WireBlock = Result<'v3.blocks'>['blocks'][number]

const MASTER_SHARD = '8000000000000000'

export const toBlock = (row: BlockRow): WireBlock => ({
  workchain: row.workchain,
  shard: shardHex(row.shard),
  seqno: row.seqno,
  root_hash: base64(row.root_hash),
  file_hash: base64(row.file_hash),
  global_id: row.global_id,
  version: row.version,
  after_merge: row.after_merge,
  before_split: row.before_split,
  after_split: row.after_split,
  want_merge: row.want_merge,
  want_split: row.want_split,
  key_block: row.key_block,
  vert_seqno_incr: row.vert_seqno_incr,
  flags: row.flags,
  gen_utime: row.gen_utime,
  start_lt: row.start_lt,
  end_lt: row.end_lt,
  validator_list_hash_short: row.validator_list_hash_short,
  gen_catchain_seqno: Number(row.gen_catchain_seqno),
  min_ref_mc_seqno: Number(row.min_ref_mc_seqno),
  prev_key_block_seqno: row.prev_key_block_seqno,
  vert_seqno: row.vert_seqno,
  master_ref_seqno: row.master_ref_seqno ?? 0,
  rand_seed: base64(row.rand_seed),
  created_by: base64(row.created_by),
  tx_count: row.tx_count,
  masterchain_block_ref: { workchain: -1, shard: MASTER_SHARD, seqno: row.mc_seqno },
  prev_blocks: row.prev_shards.map((shard, i) => blockRef(row.workchain, shard, row.prev_seqnos[i]!)),
})
