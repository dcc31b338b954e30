import * as z from 'zod'
import { int32, positive } from '../fields/ints.ts'
import { configIds } from '../fields/v4.ts'
import { method } from '../method.ts'
import { v4Block, v4Config, v4LastBlock } from '../models/v4.ts'

const read = { heading: 'Blocks', api: 'v4', effect: 'read', needs: 'chain', rest: 'GET', weight: 1 } as const

export const blocks = {
  'v4.getLastBlock': method({
    ...read,
    cache: 'head',
    paths: ['/block/latest'],
    summary: 'The newest masterchain block.',
    examples: [{ title: 'now', params: {} }],
    params: z.object({}),
    result: v4LastBlock,
  }),
  'v4.getBlockByUtime': method({
    ...read,
    cache: 'final',
    paths: ['/block/utime/:utime'],
    summary: 'The first masterchain block that was not made before a time, with its shard blocks and their transactions.',
    examples: [{ title: 'the first block after a day', params: { utime: 1_735_689_600 } }],
    params: z.object({ utime: int32('The time, in unix seconds.', {}, 1_735_689_600) }),
    result: v4Block,
  }),
  'v4.getBlock': method({
    ...read,
    cache: 'final',
    paths: ['/block/:seqno'],
    summary: 'A masterchain block with its shard blocks and their transactions.',
    examples: [
      { title: 'block 1', params: { seqno: 1 } },
      { title: 'a block that is not there', params: { seqno: 2_000_000_000 } },
    ],
    params: z.object({ seqno: int32('Number of the masterchain block.') }),
    result: v4Block,
  }),
  'v4.getConfig': method({
    ...read,
    heading: 'Configuration',
    cache: 'final',
    paths: ['/block/:seqno/config', '/block/:seqno/config/:ids'],
    summary: 'The configuration at a masterchain block, whole or some of its parameters.',
    examples: [
      { title: 'whole', params: { seqno: 1 } },
      { title: 'two parameters', params: { seqno: 1, ids: [0, 15] } },
    ],
    params: z.object({
      seqno: int32('The masterchain block at which it is read.', positive),
      ids: configIds('The parameters that the answer has; by default all. Those that are not set are left out.').optional(),
    }),
    result: v4Config,
    errors: ['NOT_FOUND'],
  }),
}
