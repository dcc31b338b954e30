import { WHOLE_SHARD } from '../../../../tlb/ids.ts'
import { fromBytes } from '../../../../tvm/machine/integer.ts'
import type { Value } from '../../../../tvm/machine/value.ts'
import { prevSeqnos } from '../../../prev-blocks.ts'

/*
 * The value for PREVMCBLOCKS, PREVKEYBLOCK and PREVMCBLOCKS_100 (ConfigInfo::get_prev_blocks_info of crypto/block/mc-config.cpp):
 * [ last_mc_blocks:[BlockId ...] prev_key_block:BlockId last_mc_blocks_100:[BlockId ...] ] with BlockId = [ wc shard seqno root_hash file_hash ].
 */

export interface OldBlock {
  readonly seqno: number
  readonly rootHash: Uint8Array
  readonly fileHash: Uint8Array
}

const blockTuple = (block: OldBlock): Value => [-1, WHOLE_SHARD, block.seqno, fromBytes(block.rootHash), fromBytes(block.fileHash)]

/** `at`: returns a masterchain block by seqno, up to and including the newest. */
export const prevBlocksTuple = (newest: number, keyBlock: number, at: (seqno: number) => OldBlock): Value => {
  const tuples = new Map<number, Value>()
  const block = (seqno: number): Value => {
    const found = tuples.get(seqno) ?? blockTuple(at(seqno))
    tuples.set(seqno, found)
    return found
  }
  const { last, steps } = prevSeqnos(newest)
  return [[newest, ...last].map(block), block(keyBlock), steps.map(block)]
}
