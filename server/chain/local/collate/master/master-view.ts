import { augGet } from '../../../../cell/aug.ts'
import type { Cell } from '../../../../cell/cell.ts'
import type { ExtBlkRef } from '../../../../tlb/block/ext-blk-ref.ts'
import type { ShardDescr } from '../../../../tlb/block/shard-descr.ts'
import { findShard } from '../../../../tlb/block/shard-hashes.ts'
import { WHOLE_SHARD } from '../../../../tlb/ids.ts'
import { loadMcStateExtra, type McStateExtra } from '../../../../tlb/state/mc-state-extra.ts'
import { loadKeyExtBlkRef, oldMcBlocksAug } from '../../../../tlb/state/old-mc-blocks.ts'
import { loadShardState, type ShardState } from '../../../../tlb/state/shard-state.ts'
import type { Value } from '../../../../tvm/machine/value.ts'
import type { ChainConfig } from '../../config/view.ts'
import type { ChainTip } from '../../model.ts'
import { refOf } from '../block-context.ts'
import { prevBlocksTuple } from './prev-blocks.ts'

/** The last masterchain state, with the parts that the next shard block and masterchain block use. */
export interface MasterView {
  readonly ref: ExtBlkRef
  readonly state: ShardState
  readonly extra: McStateExtra
  readonly config: ChainConfig
  readonly shard: ShardDescr | undefined
  readonly shardCatchainSeqno: number
  /** The newest key block; the zerostate before the first key block. */
  readonly keyBlock: ExtBlkRef
  /** PREVBLOCKSINFO as a TVM value, computed at the first call. */
  prevBlocks(): Value
}

const memo = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Throws if the block is missing, because OldMcBlocksInfo contains every earlier block. */
const oldBlock = (prevBlocks: Cell | undefined, seqno: number): ExtBlkRef => {
  const found = augGet(oldMcBlocksAug, prevBlocks, BigInt(seqno))
  if (found === undefined) throw new Error(`masterchain block ${seqno} is not among the previous blocks of the state`)
  return loadKeyExtBlkRef(found.value).blkRef
}

export const viewMaster = (tip: ChainTip, readConfig: (root: Cell) => ChainConfig): MasterView => {
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
    keyBlock,
    prevBlocks: memo(() =>
      prevBlocksTuple(ref.seqno, keyBlock.seqno, (seqno) => (seqno === ref.seqno ? ref : oldBlock(extra.prevBlocks, seqno))),
    ),
  }
}
