import type { Cell } from '../../../cell/cell.ts'
import { loadBlock, loadBlockExtra } from '../../../tlb/block/block.ts'
import { loadMcBlockExtra, type McBlockExtra } from '../../../tlb/block/mc-block-extra.ts'
import { loadMcStateExtra, type McStateExtra } from '../../../tlb/state/mc-state-extra.ts'
import { loadShardState, type ShardState } from '../../../tlb/state/shard-state.ts'
import { refuse } from './find-or-refuse.ts'

/*
 * Reads records together with the parts that are stored in separate references. Readers in TON and other clients parse these references immediately, and
 * fail on a proof that lacks them.
 */

export const readState = (root: Cell): ShardState => {
  const state = loadShardState(root)
  void state.totalBalance
  return state
}

export const readMasterState = (root: Cell): McStateExtra => {
  const { custom } = readState(root)
  if (custom === undefined) throw refuse('cannot extract configuration from masterchain state extra information')
  const extra = loadMcStateExtra(custom)
  void extra.validatorInfo
  return extra
}

export const readMasterBlock = (root: Cell): McBlockExtra => {
  const { custom } = loadBlockExtra(loadBlock(root).extra)
  if (custom === undefined) throw refuse('cannot unpack header of block')
  const extra = loadMcBlockExtra(custom)
  void extra.prevBlkSignatures
  return extra
}
