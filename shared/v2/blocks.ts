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
import { FIRST_BLOCK, IN_MASTERCHAIN } from '../samples.ts'

const read = { heading: 'Blocks', effect: 'read', needs: 'chain', rest: 'GET, POST', weight: 1, cache: 'head' } as const

/** The part of a block id that a client can know before it loads the block. */
export const shortBlockId = {
  workchain: int32('The workchain of the block: -1 is the masterchain, 0 the basechain.', {}, -1),
  shard: shard('The shard of the block.'),
  seqno: int32('The number of the block in its shard.', positive),
}

/** The hashes of a block id, for callers who need exactly this block. */
export const blockHashes = {
  root_hash: optionalHash('The root hash that the block must have; checked when both hashes are given.'),
  file_hash: optionalHash('The file hash that the block must have; checked when both hashes are given.'),
}

export const blocks = {
  getMasterchainInfo: method({
    ...read,
    summary: 'The newest masterchain block, its state and the zerostate.',
    examples: [{ title: 'now', params: {} }],
    params: z.object({}),
    result: masterchainInfo,
  }),
  getMasterchainBlockSignatures: method({
    ...read,
    cache: 'final',
    summary: "Validators' signatures of a masterchain block.",
    examples: [{ title: 'of block 1', params: { seqno: 1 } }],
    params: z.object({ seqno: int32('The number of the masterchain block.', positive) }),
    result: blockSignatures,
  }),
  getShardBlockProof: method({
    ...read,
    summary: 'Proof that the masterchain commits a shard block.',
    examples: [{ title: 'of a masterchain block, from itself', params: { ...FIRST_BLOCK, from_seqno: 1 } }],
    params: z.object({
      ...shortBlockId,
      from_seqno: int32('The masterchain block from which the proof leads; by default the newest.', nonNegative).optional(),
    }),
    result: shardBlockProof,
  }),
  getConsensusBlock: method({
    ...read,
    cache: 'never',
    summary: 'The newest masterchain seqno that is final, and the present time.',
    examples: [{ title: 'now', params: {} }],
    params: z.object({}),
    result: consensusBlock,
  }),
  lookupBlock: method({
    ...read,
    cache: 'final',
    summary: 'A block by seqno, by logical time or by unix time.',
    examples: [
      { title: 'by seqno', params: { ...IN_MASTERCHAIN, seqno: 1 } },
      { title: 'by logical time', params: { ...IN_MASTERCHAIN, lt: '4000000' } },
      { title: 'by a unix time after the newest block', params: { ...IN_MASTERCHAIN, unixtime: 2_147_483_647 }, fails: 'CHAIN' },
    ],
    params: z
      .object({
        workchain: shortBlockId.workchain,
        shard: shard('The shard of the block, or one inside it or around it.'),
        seqno: int32('The number of the block in its shard.', positive).optional(),
        lt: int64('A logical time: the block that holds it, or the first one after it.', nonNegative).optional(),
        unixtime: int32('Unix seconds: the first block made at that time or later.', nonNegative, 1_735_689_600).optional(),
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
    examples: [{ title: 'at block 1', params: { seqno: 1 } }],
    params: z.object({ seqno: int32('The number of the masterchain block.', positive) }),
    result: shards,
  }),
  getBlockHeader: method({
    ...read,
    cache: 'final',
    summary: 'Header of a block. The hashes are checked when both are given.',
    examples: [{ title: 'of block 1', params: FIRST_BLOCK }],
    params: z.object({ ...shortBlockId, ...blockHashes }),
    result: blockHeader,
  }),
  getOutMsgQueueSize: method({
    ...read,
    summary: 'Lengths of the outbound message queues of the masterchain and every shard.',
    examples: [{ title: 'now', params: {} }],
    params: z.object({}),
    result: outMsgQueueSizes,
  }),
}
