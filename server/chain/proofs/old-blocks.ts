import { augGet } from '../../cell/aug.ts'
import type { Cell } from '../../cell/cell.ts'
import { type BlockId, blockFullText, MASTERCHAIN, sameBlock, WHOLE_SHARD } from '../../tlb/ids.ts'
import { loadKeyExtBlkRef, oldMcBlocksAug } from '../../tlb/state/old-mc-blocks.ts'
import { must } from './error.ts'
import { masterExtraOf } from './shards.ts'
import type { ProvenState } from './state.ts'

/* OldMcBlocksInfo of a masterchain state: every earlier masterchain block by seqno. Entry 0 is the zerostate. */

/**
 * An earlier masterchain block by seqno; undefined if there is no entry. `prevBlocks`: the dictionary in McStateExtra. Throws if that part of the proof is
 * pruned.
 */
export const oldBlockIn = (prevBlocks: Cell | undefined, seqno: number) => {
  const found = augGet(oldMcBlocksAug, prevBlocks, BigInt(seqno))
  if (found === undefined) return undefined
  const { key, blkRef } = loadKeyExtBlkRef(found.value)
  must(blkRef.seqno === seqno, 'previous blocks', `entry ${seqno} holds block ${blkRef.seqno}`)
  const id = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno, rootHash: blkRef.rootHash, fileHash: blkRef.fileHash }
  return { id, key, endLt: blkRef.endLt }
}

/** Checks that a masterchain block is among the previous blocks of a proven masterchain state. */
export const checkOldBlock = (state: ProvenState, block: BlockId) => {
  const old = oldBlockIn(masterExtraOf(state).prevBlocks, block.seqno)
  must(
    old !== undefined && sameBlock(old.id, block),
    'previous blocks',
    () => `${blockFullText(block)} is not a previous block of ${blockFullText(state.header.id)}`,
  )
  return old
}
