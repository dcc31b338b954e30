import { TonError } from '../../shared/errors.ts'
import type { blocks } from '../../shared/v3/blocks.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { blocksOfMasterchainBlock, findBlocks, masterchainBlocks, shardTops } from '../store/queries/blocks.ts'
import { noBlockYet } from '../store/queries/view.ts'
import type { V3Index } from './answer/answer.ts'
import { list } from './answer/list.ts'
import { lookup } from './answer/lookup.ts'
import { toBlock } from './shapes/block.ts'

const noBlocks = (): TonError => new TonError('NOT_FOUND', 'blocks not found')

const relate = () => ({ accounts: [], format: toBlock })

export const blockHandlers = (index: V3Index): AnswerHandlers<keyof typeof blocks> => ({
  'v3.masterchainInfo': lookup(index, 'v3.masterchainInfo', async (view) => {
    const blocks = await masterchainBlocks(view, [view.first, view.head])
    const [first, last] = [blocks[0], blocks.at(-1)]
    if (!first || !last) throw noBlockYet()
    return { body: { last: toBlock(last), first: toBlock(first) } }
  }),

  'v3.blocks': list(index, 'v3.blocks', {
    find: findBlocks,
    isShort: ({ mc_seqno }) => mc_seqno !== undefined,
    relate,
  }),

  'v3.masterchainBlockShardState': lookup(
    index,
    'v3.masterchainBlockShardState',
    async (view, { seqno }) => {
      const blocks = await shardTops(view, seqno)
      if (blocks.length === 0) throw noBlocks()
      return { body: { blocks: blocks.map(toBlock) } }
    },
    () => true,
  ),

  'v3.masterchainBlockShards': list(index, 'v3.masterchainBlockShards', {
    async find(view, { seqno, limit, offset }) {
      const rows = await blocksOfMasterchainBlock(view, seqno, limit, offset)
      // An empty page with an offset is the end of the list. An empty page without offset means that the masterchain block does not exist.
      if (rows.length === 0 && (offset === 0 || (await masterchainBlocks(view, [seqno])).length === 0)) throw noBlocks()
      return { rows, next: undefined }
    },
    isShort: () => true,
    relate,
  }),
})
