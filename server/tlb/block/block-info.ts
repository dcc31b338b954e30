import { type Builder, beginCell } from '../../cell/builder.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { expectTag } from '../common.ts'
import { type ExtBlkRef, loadExtBlkRef, storeExtBlkRef } from './ext-blk-ref.ts'
import { loadShardIdent, storeShardIdent } from './shard-ident.ts'

/*
 * block_info#9bc7a987 version:uint32 not_master:(## 1) after_merge:(## 1) before_split:(## 1) after_split:(## 1)
 *   want_split:Bool want_merge:Bool key_block:Bool vert_seqno_incr:(## 1) flags:(## 8) { flags <= 1 }
 *   seq_no:# vert_seq_no:# { vert_seq_no >= vert_seqno_incr } shard:ShardIdent gen_utime:uint32 start_lt:uint64 end_lt:uint64
 *   gen_validator_list_hash_short:uint32 gen_catchain_seqno:uint32 min_ref_mc_seqno:uint32 prev_key_block_seqno:uint32
 *   gen_software:flags . 0?GlobalVersion master_ref:not_master?^BlkMasterInfo
 *   prev_ref:^(BlkPrevInfo after_merge) prev_vert_ref:vert_seqno_incr?^(BlkPrevInfo 0) = BlockInfo;
 * capabilities#c4 version:uint32 capabilities:uint64 = GlobalVersion;
 * master_info$_ master:ExtBlkRef = BlkMasterInfo;
 * prev_blk_info$_ prev:ExtBlkRef = BlkPrevInfo 0;
 * prev_blks_info$_ prev1:^ExtBlkRef prev2:^ExtBlkRef = BlkPrevInfo 1;
 */

export interface GlobalVersion {
  readonly version: number
  readonly capabilities: bigint
}

export const loadGlobalVersion = (s: Slice): GlobalVersion => {
  expectTag(s, 8, 0xc4, 'GlobalVersion')
  return { version: s.loadUint(32), capabilities: s.loadUintBig(64) }
}

export const storeGlobalVersion = (b: Builder, version: GlobalVersion): Builder =>
  b.storeUint(0xc4, 8).storeUint(version.version, 32).storeUint(version.capabilities, 64)

const loadRefIn = (cell: Cell): ExtBlkRef => {
  const s = cell.slice()
  const ref = loadExtBlkRef(s)
  s.end()
  return ref
}

const loadPrev = (cell: Cell, afterMerge: boolean): readonly ExtBlkRef[] => {
  if (!afterMerge) return [loadRefIn(cell)]
  const s = cell.slice()
  return [loadRefIn(s.loadRef()), loadRefIn(s.loadRef())]
}

/** It is a class, because a chain has a BlockInfo for every block, and the getters of a class are made only once. */
class ReadBlockInfo {
  readonly version: number
  readonly notMaster: boolean
  readonly afterMerge: boolean
  readonly beforeSplit: boolean
  readonly afterSplit: boolean
  readonly wantSplit: boolean
  readonly wantMerge: boolean
  readonly keyBlock: boolean
  readonly vertSeqnoIncr: boolean
  readonly flags: number
  readonly seqno: number
  readonly vertSeqno: number
  readonly workchain: number
  /** Unsigned shard prefix with its terminating bit. */
  readonly shard: bigint
  readonly genUtime: number
  readonly startLt: bigint
  readonly endLt: bigint
  readonly genValidatorListHashShort: number
  readonly genCatchainSeqno: number
  readonly minRefMcSeqno: number
  readonly prevKeyBlockSeqno: number
  readonly genSoftware: GlobalVersion | undefined
  readonly #masterCell: Cell | undefined
  readonly #prevCell: Cell
  readonly #prevVertCell: Cell | undefined
  #master: ExtBlkRef | undefined
  #prev: readonly ExtBlkRef[] | undefined
  #prevVert: ExtBlkRef | undefined

  constructor(s: Slice) {
    expectTag(s, 32, 0x9bc7a987, 'BlockInfo')
    this.version = s.loadUint(32)
    const bits = s.loadUint(8)
    this.notMaster = (bits & 128) !== 0
    this.afterMerge = (bits & 64) !== 0
    this.beforeSplit = (bits & 32) !== 0
    this.afterSplit = (bits & 16) !== 0
    this.wantSplit = (bits & 8) !== 0
    this.wantMerge = (bits & 4) !== 0
    this.keyBlock = (bits & 2) !== 0
    this.vertSeqnoIncr = (bits & 1) !== 0
    this.flags = s.loadUint(8)
    if (this.flags > 1) throw new CellError('range', `BlockInfo: unknown flags ${this.flags}`)
    this.seqno = s.loadUint(32)
    this.vertSeqno = s.loadUint(32)
    const ident = loadShardIdent(s)
    this.workchain = ident.workchain
    this.shard = ident.shard
    this.genUtime = s.loadUint(32)
    this.startLt = s.loadUintBig(64)
    this.endLt = s.loadUintBig(64)
    this.genValidatorListHashShort = s.loadUint(32)
    this.genCatchainSeqno = s.loadUint(32)
    this.minRefMcSeqno = s.loadUint(32)
    this.prevKeyBlockSeqno = s.loadUint(32)
    this.genSoftware = this.flags & 1 ? loadGlobalVersion(s) : undefined
    this.#masterCell = this.notMaster ? s.loadRef() : undefined
    this.#prevCell = s.loadRef()
    this.#prevVertCell = this.vertSeqnoIncr ? s.loadRef() : undefined
    s.end()
  }

  get masterRef(): ExtBlkRef | undefined {
    if (this.#masterCell === undefined) return undefined
    this.#master ??= loadRefIn(this.#masterCell)
    return this.#master
  }
  /** The previous block; two blocks after a merge. */
  get prev(): readonly ExtBlkRef[] {
    this.#prev ??= loadPrev(this.#prevCell, this.afterMerge)
    return this.#prev
  }
  get prevVert(): ExtBlkRef | undefined {
    if (this.#prevVertCell === undefined) return undefined
    this.#prevVert ??= loadRefIn(this.#prevVertCell)
    return this.#prevVert
  }
}

/** block_info#9bc7a987. `masterRef`, `prev` and `prevVert` are in references that a proof may have pruned, so they are read on first use. */
export type BlockInfo = Pick<ReadBlockInfo, keyof ReadBlockInfo>

export const loadBlockInfo = (cell: Cell): BlockInfo => new ReadBlockInfo(cell.slice())

const refCell = (ref: ExtBlkRef): Cell => storeExtBlkRef(beginCell(), ref).end()

const storePrev = (info: BlockInfo): Cell => {
  const [first, second] = info.prev
  if (first === undefined || (second !== undefined) !== info.afterMerge || info.prev.length > 2) {
    throw new CellError('range', `BlockInfo: ${info.prev.length} previous blocks`)
  }
  return second === undefined ? refCell(first) : beginCell().storeRef(refCell(first)).storeRef(refCell(second)).end()
}

export const storeBlockInfo = (info: BlockInfo): Cell => {
  if (info.notMaster !== (info.masterRef !== undefined))
    throw new CellError('range', 'BlockInfo: a shard block needs a masterRef, a masterchain block must have none')
  if (info.vertSeqnoIncr !== (info.prevVert !== undefined))
    throw new CellError('range', 'BlockInfo: prevVert must be given if vertSeqnoIncr is set, and only then')
  const b = beginCell().storeUint(0x9bc7a987, 32).storeUint(info.version, 32)
  b.storeBit(info.notMaster).storeBit(info.afterMerge).storeBit(info.beforeSplit).storeBit(info.afterSplit)
  b.storeBit(info.wantSplit).storeBit(info.wantMerge).storeBit(info.keyBlock).storeBit(info.vertSeqnoIncr)
  // Only bit 0 of the flags is defined. It says whether gen_software follows.
  b.storeUint(info.genSoftware === undefined ? 0 : 1, 8)
  b.storeUint(info.seqno, 32).storeUint(info.vertSeqno, 32)
  storeShardIdent(b, info).storeUint(info.genUtime, 32).storeUint(info.startLt, 64).storeUint(info.endLt, 64)
  b.storeUint(info.genValidatorListHashShort, 32).storeUint(info.genCatchainSeqno, 32)
  b.storeUint(info.minRefMcSeqno, 32).storeUint(info.prevKeyBlockSeqno, 32)
  if (info.genSoftware !== undefined) storeGlobalVersion(b, info.genSoftware)
  if (info.masterRef !== undefined) b.storeRef(refCell(info.masterRef))
  b.storeRef(storePrev(info))
  if (info.prevVert !== undefined) b.storeRef(refCell(info.prevVert))
  return b.end()
}
