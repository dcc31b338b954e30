import { TonError } from '../../shared/errors.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import type { Reader } from '../store/postgres/pool.ts'
import { blocksOfMasterchainBlock, findBlocks, masterchainBlocks, shardTops } from '../store/queries/blocks.ts'
import { answer, nextCursor } from './answer.ts'
import { toBlock } from './block.ts'

type Names = 'v3.masterchainInfo' | 'v3.blocks' | 'v3.masterchainBlockShardState' | 'v3.masterchainBlockShards'

const noBlocks = (): TonError => new TonError('NOT_FOUND', 'blocks not found')

/** Blocks as they are indexed. */
export const blockHandlers = ({ reader }: { readonly reader: Reader }): AnswerHandlers<Names> => ({
  'v3.masterchainInfo': (params, { signal }) =>
    answer(reader, params, signal, async (view) => {
      const blocks = await masterchainBlocks(view, [view.first, view.head])
      const [first, last] = [blocks[0], blocks.at(-1)]
      if (!first || !last) throw new TonError('UNAVAILABLE', 'the index has no block yet', { retryAfter: 1 })
      return { last: toBlock(last), first: toBlock(first) }
    }),

  'v3.blocks': (params, { signal }) =>
    answer(reader, params, signal, async (view, next) => {
      const page = await findBlocks(view, params, params)
      next(page.next)
      return { blocks: page.rows.map(toBlock), ...nextCursor(params, page.next) }
    }),

  'v3.masterchainBlockShardState': (params, { signal }) =>
    answer(reader, params, signal, async (view) => {
      const blocks = await shardTops(view, params.seqno)
      if (blocks.length === 0) throw noBlocks()
      return { blocks: blocks.map(toBlock) }
    }),

  'v3.masterchainBlockShards': (params, { signal }) =>
    answer(reader, params, signal, async (view) => {
      const { seqno, limit, offset } = params
      const blocks = await blocksOfMasterchainBlock(view, seqno, limit, offset)
      // Pages of a block that is there come to an end; of one that is not there is none.
      if (blocks.length === 0 && (offset === 0 || (await masterchainBlocks(view, [seqno])).length === 0)) throw noBlocks()
      return { blocks: blocks.map(toBlock) }
    }),
})
