import * as z from 'zod'
import { base64, decimal, hash44, rawLower } from './wire.ts'

/** A block's whole identity; `shard` is a signed decimal. */
export const blockIdExt = z
  .strictObject({
    '@type': z.literal('ton.blockIdExt'),
    workchain: z.int32(),
    shard: decimal(),
    seqno: z.int(),
    root_hash: hash44(),
    file_hash: hash44(),
  })
  .meta({ id: 'BlockIdExt' })

/** A transaction's place on an account: lt and hash, zeros where there is none. */
export const transactionId = z
  .strictObject({ '@type': z.literal('internal.transactionId'), lt: decimal(), hash: hash44() })
  .meta({ id: 'TransactionId' })

export const masterchainInfo = z
  .strictObject({ '@type': z.literal('blocks.masterchainInfo'), last: blockIdExt, state_root_hash: hash44(), init: blockIdExt })
  .meta({ id: 'MasterchainInfo' })

const blockSignature = z
  .strictObject({ '@type': z.literal('blocks.signature'), node_id_short: hash44(), signature: base64() })
  .meta({ id: 'BlockSignature' })

/** Validators' signatures; the simplex form carries what its signatures cover. */
export const blockSignatures = z
  .discriminatedUnion('@type', [
    z.strictObject({ '@type': z.literal('blocks.blockSignatures'), id: blockIdExt, signatures: z.array(blockSignature) }),
    z.strictObject({
      '@type': z.literal('blocks.blockSignatures.simplex'),
      id: blockIdExt,
      signatures: z.array(blockSignature),
      session_id: hash44(),
      slot: z.int(),
      candidate: base64(),
    }),
  ])
  .meta({ id: 'BlockSignatures' })

const shardBlockLink = z
  .strictObject({ '@type': z.literal('blocks.shardBlockLink'), id: blockIdExt, proof: base64() })
  .meta({ id: 'ShardBlockLink' })

const blockLinkBack = z
  .strictObject({
    '@type': z.literal('blocks.blockLinkBack'),
    to_key_block: z.boolean(),
    from: blockIdExt,
    to: blockIdExt,
    dest_proof: base64(),
    proof: base64(),
    state_proof: base64(),
  })
  .meta({ id: 'BlockLinkBack' })

/** How a masterchain block commits a shard block, and how that block is reached from `from`. */
export const shardBlockProof = z
  .strictObject({
    '@type': z.literal('blocks.shardBlockProof'),
    from: blockIdExt,
    mc_id: blockIdExt,
    links: z.array(shardBlockLink),
    mc_proof: z.array(blockLinkBack),
  })
  .meta({ id: 'ShardBlockProof' })

export const consensusBlock = z
  .strictObject({ '@type': z.literal('ext.blocks.consensusBlock'), consensus_block: z.int32(), timestamp: z.int() })
  .meta({ id: 'ConsensusBlock' })

export const shards = z.strictObject({ '@type': z.literal('blocks.shards'), shards: z.array(blockIdExt) }).meta({ id: 'Shards' })

/** `validator_list_hash_short` is signed; `prev_blocks` holds two after a merge. */
export const blockHeader = z
  .strictObject({
    '@type': z.literal('blocks.header'),
    id: blockIdExt,
    global_id: z.int32(),
    version: z.int(),
    after_merge: z.boolean(),
    after_split: z.boolean(),
    before_split: z.boolean(),
    want_merge: z.boolean(),
    want_split: z.boolean(),
    validator_list_hash_short: z.int32(),
    catchain_seqno: z.int(),
    min_ref_mc_seqno: z.int(),
    is_key_block: z.boolean(),
    prev_key_block_seqno: z.int(),
    start_lt: decimal(),
    end_lt: decimal(),
    gen_utime: z.int(),
    prev_blocks: z.array(blockIdExt),
  })
  .meta({ id: 'BlockHeader' })

const outMsgQueueSize = z
  .strictObject({ '@type': z.literal('blocks.outMsgQueueSize'), id: blockIdExt, size: z.int() })
  .meta({ id: 'OutMsgQueueSize' })

export const outMsgQueueSizes = z
  .strictObject({ '@type': z.literal('blocks.outMsgQueueSizes'), shards: z.array(outMsgQueueSize), ext_msg_queue_size_limit: z.int() })
  .meta({ id: 'OutMsgQueueSizes' })

const shortTxId = z
  .strictObject({ '@type': z.literal('blocks.shortTxId'), mode: z.int(), account: rawLower(), lt: decimal(), hash: hash44() })
  .meta({ id: 'ShortTxId' })

/** Transactions of a block by account id, then lt; `incomplete`: more remain after the last. */
export const blockTransactions = z
  .strictObject({
    '@type': z.literal('blocks.transactions'),
    id: blockIdExt,
    req_count: z.int(),
    incomplete: z.boolean(),
    transactions: z.array(shortTxId),
  })
  .meta({ id: 'BlockTransactions' })
