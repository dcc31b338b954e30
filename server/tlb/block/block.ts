import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { expectTag, storeHash } from '../common.ts'

/*
 * block#11ef55aa global_id:int32 info:^BlockInfo value_flow:^ValueFlow
 *   state_update:^(MERKLE_UPDATE ShardState) extra:^BlockExtra = Block;
 * block_extra#4a33f6fd in_msg_descr:^InMsgDescr out_msg_descr:^OutMsgDescr account_blocks:^ShardAccountBlocks
 *   rand_seed:bits256 created_by:bits256 custom:(Maybe ^McBlockExtra) = BlockExtra;
 * !merkle_update#04 {X:Type} old_hash:bits256 new_hash:bits256 old_depth:uint16 new_depth:uint16 old:^X new:^X = MERKLE_UPDATE X;
 */

/** The root of a block. Its four parts are cells; loadBlockInfo and the other loaders of this folder read them. */
export interface Block {
  readonly globalId: number
  readonly info: Cell
  readonly valueFlow: Cell
  /** A Merkle update cell. loadStateUpdate reads its members, applyUpdate applies it. */
  readonly stateUpdate: Cell
  readonly extra: Cell
}

/** BlockExtra. Its three dictionaries are cells of HashmapAugE: see in-msg-descr.ts, out-msg-descr.ts and account-block.ts. */
export interface BlockExtra {
  readonly inMsgDescr: Cell
  readonly outMsgDescr: Cell
  readonly accountBlocks: Cell
  readonly randSeed: Uint8Array
  readonly createdBy: Uint8Array
  /** Only in masterchain blocks. */
  readonly custom?: Cell | undefined
}

export const loadBlock = (cell: Cell): Block => {
  const s = cell.slice()
  expectTag(s, 32, 0x11ef55aa, 'Block')
  const block = { globalId: s.loadInt(32), info: s.loadRef(), valueFlow: s.loadRef(), stateUpdate: s.loadRef(), extra: s.loadRef() }
  s.end()
  return block
}

export const storeBlock = (block: Block): Cell =>
  beginCell()
    .storeUint(0x11ef55aa, 32)
    .storeInt(block.globalId, 32)
    .storeRef(block.info)
    .storeRef(block.valueFlow)
    .storeRef(block.stateUpdate)
    .storeRef(block.extra)
    .end()

export const loadBlockExtra = (cell: Cell): BlockExtra => {
  const s = cell.slice()
  expectTag(s, 32, 0x4a33f6fd, 'BlockExtra')
  const extra: BlockExtra = {
    inMsgDescr: s.loadRef(),
    outMsgDescr: s.loadRef(),
    accountBlocks: s.loadRef(),
    randSeed: s.loadBytes(32),
    createdBy: s.loadBytes(32),
    custom: s.loadMaybeRef(),
  }
  s.end()
  return extra
}

export const storeBlockExtra = (extra: BlockExtra): Cell => {
  const b = beginCell().storeUint(0x4a33f6fd, 32).storeRef(extra.inMsgDescr).storeRef(extra.outMsgDescr).storeRef(extra.accountBlocks)
  return storeHash(storeHash(b, extra.randSeed), extra.createdBy).storeMaybeRef(extra.custom).end()
}

/** Reads the members of a Merkle update without checking them. applyUpdate and the BoC reader check them. */
export const loadStateUpdate = (cell: Cell) => {
  const s = cell.sliceExotic()
  expectTag(s, 8, 4, 'MERKLE_UPDATE')
  return {
    oldHash: s.loadBytes(32),
    newHash: s.loadBytes(32),
    oldDepth: s.loadUint(16),
    newDepth: s.loadUint(16),
    old: s.loadRef(),
    new: s.loadRef(),
  }
}
