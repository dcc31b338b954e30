import * as z from 'zod'
import { rule } from '../fields/field.ts'
import { optionalHash } from '../fields/hash.ts'
import { int32, int64, nonNegative, positive, shard } from '../fields/ints.ts'
import { method } from '../method.ts'
import {
  blockHeader,
  blockIdExt,
  blockSignatures,
  consensusBlock,
  masterchainInfo,
  outMsgQueueSizes,
  shardBlockProof,
  shards,
} from '../models/block.ts'

const read = { effect: 'read', needs: 'chain', rest: 'GET, POST', weight: 1 } as const

/** The part of a block's identity that a client can know. */
export const shortBlockId = { workchain: int32(), shard: shard(), seqno: int32(positive) }

/** Blocks, shards and their proofs. */
export const blocks = {
  getMasterchainInfo: method({
    ...read,
    cache: 'head',
    summary: 'The newest masterchain block, its state and the zerostate.',
    params: z.object({}),
    result: masterchainInfo,
  }),
  getMasterchainBlockSignatures: method({
    ...read,
    cache: 'final',
    summary: "Validators' signatures of a masterchain block.",
    params: z.object({ seqno: int32(positive) }),
    result: blockSignatures,
  }),
  getShardBlockProof: method({
    ...read,
    cache: 'head',
    summary: 'Proof that the masterchain commits a shard block.',
    params: z.object({ ...shortBlockId, from_seqno: int32(nonNegative).optional() }),
    result: shardBlockProof,
  }),
  getConsensusBlock: method({
    ...read,
    cache: 'never',
    summary: 'The newest masterchain seqno that is final, and the present time.',
    params: z.object({}),
    result: consensusBlock,
  }),
  lookupBlock: method({
    ...read,
    cache: 'final',
    summary: 'A block by seqno, by logical time or by unix time.',
    params: z
      .object({
        workchain: int32(),
        shard: shard(),
        seqno: int32(positive).optional(),
        lt: int64(nonNegative).optional(),
        unixtime: int32(nonNegative).optional(),
      })
      .refine(
        ({ seqno, lt, unixtime }) => [seqno, lt, unixtime].filter((by) => by !== undefined).length === 1,
        rule('exactly one of seqno, lt, unixtime should be specified'),
      ),
    result: blockIdExt,
  }),
  getShards: method({
    ...read,
    cache: 'final',
    aliases: ['shards'],
    summary: 'Newest shard blocks that a masterchain block commits.',
    params: z.object({ seqno: int32(positive) }),
    result: shards,
  }),
  getBlockHeader: method({
    ...read,
    cache: 'final',
    summary: 'Header of a block. The hashes are checked when both are given.',
    params: z.object({ ...shortBlockId, root_hash: optionalHash(), file_hash: optionalHash() }),
    result: blockHeader,
  }),
  getOutMsgQueueSize: method({
    ...read,
    cache: 'head',
    summary: 'Lengths of the outbound message queues of the masterchain and every shard.',
    params: z.object({}),
    result: outMsgQueueSizes,
  }),
}
