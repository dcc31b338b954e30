import { Lru } from '../base/memory/lru.ts'
import { toHex } from '../tlb/bytes.ts'
import type { BlockId } from '../tlb/ids.ts'
import type { Blocks } from './blocks.ts'
import type { Chain } from './chain-port.ts'
import type { CheckedQuery } from './checked-query.ts'
import type { Head, ZeroStateId } from './liteserver.ts'
import { checkHeader, prevBlocksOf, stateHashOf } from './proofs/header.ts'
import { answerRoot } from './proofs/roots.ts'
import { checkAllShards } from './proofs/shards.ts'
import { checkQueueSize } from './proofs/state.ts'

const MAX_STATE_HASHES = 16

export interface BlockReads extends Pick<Chain, 'masterchainInfo' | 'blockHeader' | 'shards' | 'outMsgQueueSizes'> {
  zeroState(signal: AbortSignal): Promise<ZeroStateId>
}

export const createBlockReads = (ask: CheckedQuery, blocks: Pick<Blocks, 'zeroState'>, head: () => Head): BlockReads => {
  const stateHashes = new Lru<string, Uint8Array>({ max: MAX_STATE_HASHES })
  let init: ZeroStateId | undefined

  const zeroState: BlockReads['zeroState'] = async (signal) => {
    init ??= await blocks.zeroState(signal)
    return init
  }

  const stateHash = async (id: BlockId, signal: AbortSignal): Promise<Uint8Array> => {
    const key = toHex(id.rootHash)
    const cached = stateHashes.get(key)
    if (cached !== undefined) return cached
    const hash = await ask('getBlockHeader', { id, mode: 0 }, signal, (answer) => stateHashOf(checkHeader(answer.headerProof, id)))
    stateHashes.set(key, hash)
    return hash
  }

  const shards: Chain['shards'] = (masterBlock, signal) =>
    ask('getAllShardsInfo', { id: masterBlock }, signal, ({ proof, data }) =>
      checkAllShards(proof, data, masterBlock, (boc) => answerRoot(boc).slice().loadMaybeRef()),
    )

  return {
    zeroState,
    shards,

    async masterchainInfo(signal) {
      const last = head().id
      return { last, stateRootHash: await stateHash(last, signal), init: await zeroState(signal) }
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
