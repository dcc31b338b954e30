import { type Builder, beginCell } from '../cell/builder.ts'
import { type Cell, CellError } from '../cell/cell.ts'
import type { Slice } from '../cell/slice.ts'
import { expectTag, lazy } from './common.ts'
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

/** block_info#9bc7a987. `masterRef`, `prev` and `prevVert` stand in refs that a proof may have pruned: they are read when asked for. */
export interface BlockInfo {
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
  /** Unsigned, with the terminating bit. */
  readonly shard: bigint
  readonly genUtime: number
  readonly startLt: bigint
  readonly endLt: bigint
  readonly genValidatorListHashShort: number
  readonly genCatchainSeqno: number
  readonly minRefMcSeqno: number
  readonly prevKeyBlockSeqno: number
  readonly genSoftware?: GlobalVersion | undefined
  readonly masterRef?: ExtBlkRef | undefined
  /** One, or two after a merge. */
  readonly prev: readonly ExtBlkRef[]
  readonly prevVert?: ExtBlkRef | undefined
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

export const loadBlockInfo = (cell: Cell): BlockInfo => {
  const s = cell.slice()
  expectTag(s, 32, 0x9bc7a987, 'BlockInfo')
  const version = s.loadUint(32)
  const bits = s.loadUint(8)
  const [notMaster, afterMerge, vertSeqnoIncr] = [(bits & 128) !== 0, (bits & 64) !== 0, (bits & 1) !== 0]
  const flags = s.loadUint(8)
  if (flags > 1) throw new CellError('range', `BlockInfo: flags ${flags}`)
  const [seqno, vertSeqno] = [s.loadUint(32), s.loadUint(32)]
  const ident = loadShardIdent(s)
  const numbers = {
    genUtime: s.loadUint(32),
    startLt: s.loadUintBig(64),
    endLt: s.loadUintBig(64),
    genValidatorListHashShort: s.loadUint(32),
    genCatchainSeqno: s.loadUint(32),
    minRefMcSeqno: s.loadUint(32),
    prevKeyBlockSeqno: s.loadUint(32),
  }
  const genSoftware = flags & 1 ? loadGlobalVersion(s) : undefined
  const masterCell = notMaster ? s.loadRef() : undefined
  const prevCell = s.loadRef()
  const prevVertCell = vertSeqnoIncr ? s.loadRef() : undefined
  s.end()
  const master = lazy(() => (masterCell === undefined ? undefined : loadRefIn(masterCell)))
  const prev = lazy(() => loadPrev(prevCell, afterMerge))
  const prevVert = lazy(() => (prevVertCell === undefined ? undefined : loadRefIn(prevVertCell)))
  return {
    version,
    notMaster,
    afterMerge,
    beforeSplit: (bits & 32) !== 0,
    afterSplit: (bits & 16) !== 0,
    wantSplit: (bits & 8) !== 0,
    wantMerge: (bits & 4) !== 0,
    keyBlock: (bits & 2) !== 0,
    vertSeqnoIncr,
    flags,
    seqno,
    vertSeqno,
    workchain: ident.workchain,
    shard: ident.shard,
    ...numbers,
    genSoftware,
    get masterRef() {
      return master()
    },
    get prev() {
      return prev()
    },
    get prevVert() {
      return prevVert()
    },
  }
}

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
    throw new CellError('range', 'BlockInfo: a shard block, and only it, has a masterRef')
  if (info.vertSeqnoIncr !== (info.prevVert !== undefined)) throw new CellError('range', 'BlockInfo: prevVert goes with vertSeqnoIncr')
  const b = beginCell().storeUint(0x9bc7a987, 32).storeUint(info.version, 32)
  b.storeBit(info.notMaster).storeBit(info.afterMerge).storeBit(info.beforeSplit).storeBit(info.afterSplit)
  b.storeBit(info.wantSplit).storeBit(info.wantMerge).storeBit(info.keyBlock).storeBit(info.vertSeqnoIncr)
  // Only bit 0 is defined, and it says whether gen_software follows.
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
