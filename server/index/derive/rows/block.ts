import type { SourceBlock } from '../../../chain/blocks.ts'
import { shardKey } from '../../../store/row-keys.ts'
import type { blocks, shardTops } from '../../../store/schema/blocks.ts'
import type { WriteRow } from '../../../store/schema/table.ts'

const signed = (shard: bigint): bigint => BigInt.asIntN(64, shard)

/** `transactions`: number of transactions in the block, including those of accounts that are not indexed. */
export const blockRow = (block: SourceBlock, mcSeqno: number, transactions: number): WriteRow<typeof blocks> => {
  const { id, info } = block
  return {
    shard_key: shardKey(id.workchain, id.shard),
    seqno: id.seqno,
    workchain: id.workchain,
    shard: signed(id.shard),
    root_hash: id.rootHash,
    file_hash: id.fileHash,
    mc_seqno: mcSeqno,
    global_id: block.globalId,
    version: info.version | 0,
    after_merge: info.afterMerge,
    before_split: info.beforeSplit,
    after_split: info.afterSplit,
    want_merge: info.wantMerge,
    want_split: info.wantSplit,
    key_block: info.keyBlock,
    vert_seqno_incr: info.vertSeqnoIncr,
    flags: info.flags,
    gen_utime: info.genUtime,
    start_lt: info.startLt,
    end_lt: info.endLt,
    validator_list_hash_short: info.genValidatorListHashShort | 0,
    gen_catchain_seqno: info.genCatchainSeqno,
    min_ref_mc_seqno: info.minRefMcSeqno,
    prev_key_block_seqno: info.prevKeyBlockSeqno,
    vert_seqno: info.vertSeqno,
    master_ref_seqno: info.masterRef?.seqno,
    rand_seed: block.extra.randSeed,
    created_by: block.extra.createdBy,
    tx_count: transactions,
    prev_shards: block.prev.map(({ shard }) => signed(shard)),
    prev_seqnos: block.prev.map(({ seqno }) => seqno),
  }
}

export const shardTopRow = (
  { workchain, shard, seqno }: { readonly workchain: number; readonly shard: bigint; readonly seqno: number },
  mcSeqno: number,
): WriteRow<typeof shardTops> => ({ shard_key: shardKey(workchain, shard), mc_seqno: mcSeqno, seqno })
