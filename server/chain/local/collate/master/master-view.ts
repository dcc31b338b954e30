import type { Cell } from '../../../../cell/cell.ts'
import { findShard } from '../../../../tlb/block/shard-hashes.ts'
import { lazy } from '../../../../tlb/common.ts'
import { type BlockId, WHOLE_SHARD } from '../../../../tlb/ids.ts'
import { loadMcStateExtra } from '../../../../tlb/state/mc-state-extra.ts'
import { loadShardState } from '../../../../tlb/state/shard-state.ts'
import { prevBlocksTuple } from '../../../prev-blocks.ts'
import { oldBlockIn } from '../../../proofs/old-blocks.ts'
import type { ChainConfig } from '../../config/view.ts'
import type { ChainTip } from '../../model.ts'
import { refOf } from '../block-context.ts'

/** Throws if the block is missing, because OldMcBlocksInfo contains every earlier block. */
const oldBlock = (prevBlocks: Cell | undefined, seqno: number): BlockId => {
  const found = oldBlockIn(prevBlocks, seqno)
  if (found === undefined) throw new Error(`masterchain block ${seqno} is not among the previous blocks of the state`)
  return found.id
}

/** The last masterchain state, with the parts that the next shard block and masterchain block use. */
export const viewMaster = (tip: ChainTip, readConfig: (root: Cell) => ChainConfig) => {
  const state = loadShardState(tip.master.state)
  if (state.custom === undefined) throw new Error('a masterchain state without McStateExtra')
  const extra = loadMcStateExtra(state.custom)
  const ref = refOf(tip.master)
  const shard = findShard(extra.shardHashes, 0, WHOLE_SHARD, true)?.descr
  // As in ConfigInfo::get_last_key_block: if the last block is a key block, the result is that block.
  const keyBlock = extra.afterKeyBlock || extra.lastKeyBlock === undefined ? ref : extra.lastKeyBlock
  return {
    ref,
    state,
    extra,
    config: readConfig(extra.config.config),
    shard,
    shardCatchainSeqno: shard?.nextCatchainSeqno ?? 0,
    /** The newest key block; the zerostate before the first key block. */
    keyBlock,
    /** PREVBLOCKSINFO as a TVM value, computed at the first call. */
    prevBlocks: lazy(() => prevBlocksTuple(ref, keyBlock, (seqno) => oldBlock(extra.prevBlocks, seqno))),
  }
}
export type MasterView = Readonly<ReturnType<typeof viewMaster>>
