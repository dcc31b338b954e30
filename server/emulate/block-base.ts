import { Lru } from '../base/memory/lru.ts'
import type { Chain } from '../chain/chain-port.ts'
import { toHex } from '../tlb/bytes.ts'
import type { BlockId } from '../tlb/ids.ts'
import { type ExecutorConfig, unpackConfig } from '../tvm/executor/config.ts'
import { prevBlocksValue } from '../tvm/get-method-request.ts'
import type { Value } from '../tvm/machine/value.ts'

/** Data that all emulated transactions after one masterchain block share: configuration, previous blocks, time. */
export interface BlockBase {
  readonly config: ExecutorConfig
  /** Result of PREVBLOCKSINFO as a TVM tuple; null if the chain does not provide it. */
  readonly prevBlocks: Value
  /** Unix seconds and end_lt of the masterchain block. */
  readonly utime: number
  readonly endLt: bigint
}

const MAX_CACHED = 8

export const createBlockBases = (
  chain: Pick<Chain, 'config' | 'blockHeader'>,
): ((block: BlockId, signal: AbortSignal) => Promise<BlockBase>) => {
  const cache = new Lru<string, BlockBase>({ max: MAX_CACHED })
  return async (block, signal) => {
    const key = toHex(block.rootHash)
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const [{ root, prevBlocks }, { info }] = await Promise.all([chain.config(block, signal), chain.blockHeader(block, signal)])
    const base = {
      config: unpackConfig(root),
      prevBlocks: prevBlocks ? prevBlocksValue(prevBlocks) : null,
      utime: info.genUtime,
      endLt: info.endLt,
    }
    cache.set(key, base)
    return base
  }
}
