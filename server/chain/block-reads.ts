import type { Blocks } from './blocks.ts'
import type { Chain } from './chain-port.ts'
import type { CheckedQuery } from './checked-query.ts'
import type { Head } from './liteserver.ts'
import { checkHeader, prevBlocksOf, stateHashOf } from './proofs/header.ts'
import { checkAllShards } from './proofs/shards.ts'
import { checkQueueSize } from './proofs/state.ts'

export const createBlockReads = (
  ask: CheckedQuery,
  blocks: Pick<Blocks, 'zeroState'>,
  head: () => Head,
): Pick<Chain, 'masterchainInfo' | 'blockHeader' | 'shards' | 'outMsgQueueSizes'> => {
  const shards: Chain['shards'] = (masterBlock, signal) =>
    ask('getAllShardsInfo', { id: masterBlock }, signal, ({ proof, data }) => checkAllShards(proof, data, masterBlock))

  return {
    shards,

    async masterchainInfo(signal) {
      const last = head().id
      const [stateRootHash, init] = await Promise.all([
        ask('getBlockHeader', { id: last, mode: 0 }, signal, (answer) => stateHashOf(checkHeader(answer.headerProof, last))),
        blocks.zeroState(signal),
      ])
      return { last, stateRootHash, init }
    },

    blockHeader: (id, signal) =>
      ask('getBlockHeader', { id, mode: 0 }, signal, (answer) => {
        const { block, info } = checkHeader(answer.headerProof, id)
        return { id, globalId: block.globalId, info, prevBlocks: prevBlocksOf(info) }
      }),

    async outMsgQueueSizes(signal) {
      const last = head().id
      const ids = [last, ...(await shards(last, signal)).map(({ id }) => id)]
      const sizes = await Promise.all(
        ids.map((id) =>
          ask('getBlockOutMsgQueueSize', { id, wantProof: true }, signal, (answer) => ({ id, size: checkQueueSize(answer, id) })),
        ),
      )
      const limit = await ask('getOutMsgQueueSizes', {}, signal, (answer) => answer.extMsgQueueSizeLimit)
      return { shards: sizes, limit }
    },
  }
}
