import type { blocks } from '../v2/blocks.ts'
import type { Examples } from './example.ts'
import { FIRST_BLOCK } from './values.ts'

const { workchain, shard } = FIRST_BLOCK

export const blocksExamples = {
  getMasterchainInfo: [{ title: 'now', params: {} }],
  getMasterchainBlockSignatures: [{ title: 'of block 1', params: { seqno: 1 } }],
  getShardBlockProof: [{ title: 'of a masterchain block, from itself', params: { ...FIRST_BLOCK, from_seqno: 1 } }],
  getConsensusBlock: [{ title: 'now', params: {} }],
  lookupBlock: [
    { title: 'by seqno', params: { workchain, shard, seqno: 1 } },
    { title: 'by logical time', params: { workchain, shard, lt: '4000000' } },
    { title: 'by a unix time before the first block', params: { workchain, shard, unixtime: 0 }, fails: 'CHAIN' },
  ],
  getShards: [{ title: 'at block 1', params: { seqno: 1 } }],
  getBlockHeader: [{ title: 'of block 1', params: FIRST_BLOCK }],
  getOutMsgQueueSize: [{ title: 'now', params: {} }],
} satisfies Examples<keyof typeof blocks>
