import * as z from 'zod'
import { v3Hash } from '../fields/v3/addresses-and-hashes.ts'
import { paged, sorted } from '../fields/v3/page.ts'
import { patience } from '../fields/v3/request-settings.ts'
import { method } from '../method.ts'
import { v3Blocks, v3MasterchainInfo } from '../models/v3/blocks.ts'
import { committed, inBlock, listParams, masterchainSeqno, reads, window } from './common.ts'

const read = reads('Blockchain data')

export const blocks = {
  'v3.masterchainInfo': method({
    ...read,
    summary: 'First and last masterchain block of the index.',
    examples: [{ title: 'first and last', params: {} }],
    params: z.object({ ...patience }),
    result: v3MasterchainInfo,
  }),
  'v3.blocks': method({
    ...read,
    page: { rows: 'blocks', max: 1000 },
    summary: 'Blocks by their place, hash, masterchain block or time.',
    examples: [
      { title: 'the newest', params: { limit: 2 } },
      { title: 'of a shard', params: { workchain: 0, shard: '8000000000000000', sort: 'asc' } },
    ],
    params: listParams({
      ...inBlock,
      root_hash: v3Hash('Only the block with this root hash.').optional(),
      file_hash: v3Hash('Only the block with this file hash.').optional(),
      mc_seqno: committed,
      ...window,
      ...sorted(),
      ...patience,
    }),
    result: v3Blocks,
  }),
  'v3.masterchainBlockShardState': method({
    ...read,
    summary: 'Newest block of every shard at a masterchain block, that block itself included.',
    examples: [{ title: 'at a masterchain block', params: { seqno: 1 } }],
    params: z.object({ seqno: masterchainSeqno, ...patience }),
    result: v3Blocks,
    errors: ['NOT_FOUND'],
  }),
  'v3.masterchainBlockShards': method({
    ...read,
    page: { rows: 'blocks', max: 1000 },
    summary: 'Blocks that a masterchain block commits, that block itself included.',
    examples: [{ title: 'of a masterchain block', params: { seqno: 1, limit: 10 } }],
    params: z.object({ seqno: masterchainSeqno, ...paged(1000), ...patience }),
    result: v3Blocks,
    errors: ['NOT_FOUND'],
  }),
}
