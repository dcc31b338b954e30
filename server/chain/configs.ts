import { Lru } from '../base/memory/lru.ts'
import { runSteps, yieldToEventLoop } from '../base/yield.ts'
import type { Cell } from '../cell/cell.ts'
import { configParam } from '../tlb/config/config-dictionary.ts'
import type { BlockId } from '../tlb/ids.ts'
import type { CheckedQuery } from './checked-query.ts'
import { prevBlocksInfo } from './prev-blocks.ts'
import { checkConfig } from './proofs/config.ts'
import { mustBeWhole } from './proofs/roots.ts'
import { masterExtraOf } from './proofs/shards.ts'

const MAX_CONFIGS = 4
const MAX_BLOCKS = 64
/** Mode bit of getConfigParams: the proof includes prev_blocks of McStateExtra. */
const WITH_PREV_BLOCKS = 128

export interface BlockConfig {
  readonly root: Cell
  readonly configAddress: Uint8Array
  /** Nanograms of all accounts together. */
  readonly globalBalance: bigint
  param(param: number): Cell | undefined
  /** PREVBLOCKSINFO at the block, as a cell of VmStackValue; undefined if the TVM gets none (before version 4, or before the first key block). */
  readonly prevBlocks: Cell | undefined
}

/**
 * Reads configurations by block. A small proof shows the hash of the configuration at a block. The complete configuration is fetched only for a new hash,
 * once in many thousand blocks.
 */
export const createConfigs = (ask: CheckedQuery): ((block: BlockId, signal: AbortSignal) => Promise<BlockConfig>) => {
  const whole = new Lru<string, Cell>({ max: MAX_CONFIGS })
  const byBlock = new Lru<string, BlockConfig>({ max: MAX_BLOCKS })

  const fetchWhole = async (block: BlockId, hash: string, signal: AbortSignal) => {
    const cached = whole.get(hash)
    if (cached !== undefined) return cached
    const root = await ask('getConfigAll', { mode: 0, id: block }, signal, async (answer) =>
      mustBeWhole((await runSteps(checkConfig(answer, block), signal)).root, 'configuration'),
    )
    whole.set(hash, root)
    // Parsing the configuration used up this event-loop turn, so the caller continues in the next turn.
    await yieldToEventLoop()
    return root
  }

  const stateAt = (block: BlockId, signal: AbortSignal) =>
    ask('getConfigParams', { mode: WITH_PREV_BLOCKS, id: block, params: [8] }, signal, async (answer) => {
      const { root, state } = await runSteps(checkConfig(answer, block), signal)
      const extra = masterExtraOf(state)
      return {
        hash: Buffer.from(root.hash(0)).toString('latin1'),
        configAddress: extra.config.configAddr,
        globalBalance: extra.globalBalance.grams,
        prevBlocks: prevBlocksInfo(block, extra),
      }
    })

  return async (block, signal) => {
    const key = Buffer.from(block.rootHash).toString('latin1')
    const cached = byBlock.get(key)
    if (cached !== undefined) return cached
    const { hash, ...state } = await stateAt(block, signal)
    const root = await fetchWhole(block, hash, signal)
    const result: BlockConfig = { root, ...state, param: (param) => configParam(root, param) }
    byBlock.set(key, result)
    return result
  }
}
