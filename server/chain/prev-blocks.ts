import { beginCell } from '../cell/builder.ts'
import type { Cell } from '../cell/cell.ts'
import { configVersion } from '../tlb/config/general.ts'
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../tlb/ids.ts'
import type { McStateExtra } from '../tlb/state/mc-state-extra.ts'
import { storeVmStackValue } from '../tlb/vm-stack/vm-stack.ts'
import { fromBytes } from '../tvm/machine/integer.ts'
import type { Value } from '../tvm/machine/value.ts'
import { toStackValues } from '../tvm/machine/vm-stack-value.ts'
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

type MasterBlock = Pick<BlockId, 'seqno' | 'rootHash' | 'fileHash'>

const blockTuple = ({ seqno, rootHash, fileHash }: MasterBlock): Value => [
  MASTERCHAIN,
  WHOLE_SHARD,
  seqno,
  fromBytes(rootHash),
  fromBytes(fileHash),
]

/**
 * The parts of the tuple. `before`: returns a masterchain block before `newest`, or undefined for an entry that is null. The third part is read only if
 * the version has it: a proof by a lite-server has no more entries than are needed.
 */
export const prevBlocksTuple = (
  newest: MasterBlock,
  keyBlock: MasterBlock,
  before: (seqno: number) => MasterBlock | undefined,
  hasSteps = true,
): readonly Value[] => {
  const at = (seqno: number): Value => {
    const block = seqno === newest.seqno ? newest : before(seqno)
    return block === undefined ? null : blockTuple(block)
  }
  const { last, steps } = prevSeqnos(newest.seqno)
  return [[newest.seqno, ...last].map(at), blockTuple(keyBlock), ...(hasSteps ? [steps.map(at)] : [])]
}

/**
 * PREVBLOCKSINFO for get-methods at a masterchain block, as a cell of VmStackValue; undefined before version 4 or before the first key block, where the TVM
 * gets none.
 */
export const prevBlocksInfo = (block: BlockId, extra: McStateExtra): Cell | undefined => {
  const { version } = configVersion(extra.config.config)
  const keyBlock = extra.afterKeyBlock ? block : extra.lastKeyBlock
  if (version < PREV_BLOCKS_SINCE.info || keyBlock === undefined) return undefined
  const before = (seqno: number) => oldBlockIn(extra.prevBlocks, seqno)?.id
  const [value] = toStackValues([prevBlocksTuple(block, keyBlock, before, version >= PREV_BLOCKS_SINCE.steps)])
  return storeVmStackValue(beginCell(), value!).end()
}
