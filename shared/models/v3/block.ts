import * as z from 'zod'
import { decimal, hash44 } from '../wire.ts'
import { nextCursor } from './book.ts'
import { shardHex, v3BlockId } from './values.ts'

export const v3Block = z
  .strictObject({
    workchain: z.int32(),
    shard: shardHex(),
    seqno: z.int(),
    root_hash: hash44(),
    file_hash: hash44(),
    global_id: z.int32(),
    version: z.int(),
    after_merge: z.boolean(),
    before_split: z.boolean(),
    after_split: z.boolean(),
    want_merge: z.boolean(),
    want_split: z.boolean(),
    key_block: z.boolean(),
    vert_seqno_incr: z.boolean(),
    flags: z.int(),
    gen_utime: decimal(),
    start_lt: decimal(),
    end_lt: decimal(),
    validator_list_hash_short: z.int32(),
    gen_catchain_seqno: z.int(),
    min_ref_mc_seqno: z.int(),
    prev_key_block_seqno: z.int(),
    vert_seqno: z.int(),
    master_ref_seqno: z.int(),
    rand_seed: hash44(),
    created_by: hash44(),
    tx_count: z.int(),
    masterchain_block_ref: v3BlockId,
    prev_blocks: z.array(v3BlockId),
  })
  .meta({ id: 'V3Block' })

export const v3MasterchainInfo = z.strictObject({ last: v3Block, first: v3Block }).meta({ id: 'V3MasterchainInfo' })

export const v3Blocks = z.strictObject({ blocks: z.array(v3Block), ...nextCursor }).meta({ id: 'V3Blocks' })
