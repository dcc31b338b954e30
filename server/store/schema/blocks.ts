import { bool, bytea, int2, int4, int4List, int8, int8List, nullable } from './column.ts'
import { table } from './table.ts'

/** `shard_key`: 4-byte workchain and 8-byte shard prefix. */
export const blocks = table('blocks', {
  kind: 'event',
  key: ['shard_key', 'seqno'],
  group: 'blocks',
  prunedWith: 'block',
  columns: {
    shard_key: bytea,
    seqno: int4,
    workchain: int4,
    /** The shard prefix as a signed 64-bit integer. */
    shard: int8,
    root_hash: bytea,
    file_hash: bytea,
    /** Seqno of the masterchain block that commits the block. */
    mc_seqno: int4,
    global_id: int4,
    /** A uint32 stored as int32, like validator_list_hash_short. */
    version: int4,
    after_merge: bool,
    before_split: bool,
    after_split: bool,
    want_merge: bool,
    want_split: bool,
    key_block: bool,
    vert_seqno_incr: bool,
    flags: int2,
    gen_utime: int8,
    start_lt: int8,
    end_lt: int8,
    validator_list_hash_short: int4,
    gen_catchain_seqno: int8,
    min_ref_mc_seqno: int8,
    prev_key_block_seqno: int4,
    vert_seqno: int4,
    master_ref_seqno: nullable(int4),
    rand_seed: bytea,
    created_by: bytea,
    tx_count: int4,
    /** One previous block, or two after a merge. Their workchain is the block's own. */
    prev_shards: int8List,
    prev_seqnos: int4List,
  },
})

/** The newest block of every shard at each masterchain block, including the masterchain block itself. Zerostates (seqno 0) have no row in blocks. */
export const shardTops = table('shard_tops', {
  kind: 'event',
  key: ['shard_key', 'mc_seqno'],
  group: 'blocks',
  prunedWith: 'block',
  columns: {
    shard_key: bytea,
    mc_seqno: int4,
    seqno: int4,
  },
})
