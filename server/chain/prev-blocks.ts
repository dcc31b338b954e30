import { beginCell } from '../cell/builder.ts'
import type { Cell } from '../cell/cell.ts'
import { hashToBig } from '../tlb/bytes.ts'
import { configVersion } from '../tlb/config/general.ts'
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../tlb/ids.ts'
import type { McStateExtra } from '../tlb/state/mc-state-extra.ts'
import { storeVmStackValue, type VmStackValue } from '../tlb/vm-stack/vm-stack.ts'
import { oldBlockIn } from './proofs/old-blocks.ts'

/*
 * PREVBLOCKSINFO, element 13 of SmartContractInfo (ConfigInfo::get_prev_blocks_info of crypto/block/mc-config.cpp):
 * [ wc:Integer shard:Integer seqno:Integer root_hash:Integer file_hash:Integer] = BlockId;
 * [ last_mc_blocks:[BlockId...] prev_key_block:BlockId last_mc_blocks_100:[BlockId...] ] : PrevBlocksInfo
 */

const COUNT = 16
const STEP = 100
/** Global versions since which PREVBLOCKSINFO exists, and since which PREVBLOCKSINFO lists every 100th block. */
export const PREV_BLOCKS_SINCE = { info: 4, steps: 9 } as const

/** Seqnos of the blocks in the tuple, newest first: the last fifteen before `seqno`, and up to sixteen multiples of 100 (`seqno` can be one of these). */
export const prevSeqnos = (seqno: number): { readonly last: readonly number[]; readonly steps: readonly number[] } => ({
  last: Array.from({ length: Math.min(COUNT - 1, seqno) }, (_, i) => seqno - 1 - i),
  steps: Array.from({ length: Math.min(COUNT, Math.floor(seqno / STEP) + 1) }, (_, i) => (Math.floor(seqno / STEP) - i) * STEP),
})

const int = (value: bigint | number): VmStackValue => ({ type: 'int', value: BigInt(value) })
const tuple = (items: readonly VmStackValue[]): VmStackValue => ({ type: 'tuple', items })
const blockTuple = (id: BlockId): VmStackValue =>
  tuple([int(id.workchain), int(id.shard), int(id.seqno), int(hashToBig(id.rootHash)), int(hashToBig(id.fileHash))])

/** The tuple for get-methods at a masterchain block; undefined before version 4 or before the first key block, where the TVM gets no tuple. */
const prevBlocksTuple = (block: BlockId, extra: McStateExtra): VmStackValue | undefined => {
  const { version } = configVersion(extra.config.config)
  if (version < PREV_BLOCKS_SINCE.info) return undefined
  const key = extra.afterKeyBlock ? block : extra.lastKeyBlock && { workchain: MASTERCHAIN, shard: WHOLE_SHARD, ...extra.lastKeyBlock }
  if (key === undefined) return undefined
  const at = (seqno: number): VmStackValue => {
    const id = seqno === block.seqno ? block : oldBlockIn(extra.prevBlocks, seqno)?.id
    return id === undefined ? { type: 'null' } : blockTuple(id)
  }
  const { last, steps } = prevSeqnos(block.seqno)
  const items = [tuple([blockTuple(block), ...last.map(at)]), blockTuple(key)]
  return tuple(version < PREV_BLOCKS_SINCE.steps ? items : [...items, tuple(steps.map(at))])
}

/** PREVBLOCKSINFO for get-methods at a masterchain block, as a cell of VmStackValue; undefined where the TVM gets none. */
export const prevBlocksInfo = (block: BlockId, extra: McStateExtra): Cell | undefined => {
  const value = prevBlocksTuple(block, extra)
  return value && storeVmStackValue(beginCell(), value).end()
}
