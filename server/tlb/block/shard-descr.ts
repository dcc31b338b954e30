import { type Builder, beginCell } from '../../cell/builder.ts'
import { CellError } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { badTag, lazy, storeHash } from '../common.ts'
import { type CurrencyCollection, loadCurrency, storeCurrency } from '../currency.ts'

/*
 * fsm_none$0 = FutureSplitMerge;
 * fsm_split$10 split_utime:uint32 interval:uint32 = FutureSplitMerge;
 * fsm_merge$11 merge_utime:uint32 interval:uint32 = FutureSplitMerge;
 * shard_descr#b seq_no:uint32 reg_mc_seqno:uint32 start_lt:uint64 end_lt:uint64 root_hash:bits256 file_hash:bits256
 *   before_split:Bool before_merge:Bool want_split:Bool want_merge:Bool nx_cc_updated:Bool flags:(## 3) { flags = 0 }
 *   next_catchain_seqno:uint32 next_validator_shard:uint64 min_ref_mc_seqno:uint32 gen_utime:uint32
 *   split_merge_at:FutureSplitMerge fees_collected:CurrencyCollection funds_created:CurrencyCollection = ShardDescr;
 * shard_descr_new#a ... split_merge_at:FutureSplitMerge
 *   ^[ fees_collected:CurrencyCollection funds_created:CurrencyCollection ] = ShardDescr;
 */

export type FutureSplitMerge =
  | { readonly type: 'none' }
  | { readonly type: 'split' | 'merge' /** Unix seconds. */; readonly utime: number; readonly interval: number }

export interface ShardDescr {
  readonly seqno: number
  readonly regMcSeqno: number
  readonly startLt: bigint
  readonly endLt: bigint
  readonly rootHash: Uint8Array
  readonly fileHash: Uint8Array
  readonly beforeSplit: boolean
  readonly beforeMerge: boolean
  readonly wantSplit: boolean
  readonly wantMerge: boolean
  readonly nxCcUpdated: boolean
  readonly flags: number
  readonly nextCatchainSeqno: number
  readonly nextValidatorShard: bigint
  readonly minRefMcSeqno: number
  readonly genUtime: number
  readonly splitMergeAt: FutureSplitMerge
  readonly feesCollected: CurrencyCollection
  readonly fundsCreated: CurrencyCollection
  /** True for shard_descr#b, which has the last two members inline. False or undefined for shard_descr_new#a. */
  readonly inlineFees?: boolean | undefined
}

const loadFutureSplitMerge = (s: Slice): FutureSplitMerge => {
  if (!s.loadBit()) return { type: 'none' }
  return { type: s.loadBit() ? 'merge' : 'split', utime: s.loadUint(32), interval: s.loadUint(32) }
}

const storeFutureSplitMerge = (b: Builder, at: FutureSplitMerge): Builder =>
  at.type === 'none'
    ? b.storeBit(0)
    : b
        .storeUint(at.type === 'split' ? 2 : 3, 2)
        .storeUint(at.utime, 32)
        .storeUint(at.interval, 32)

const loadFees = (s: Slice): Pick<ShardDescr, 'feesCollected' | 'fundsCreated'> => ({
  feesCollected: loadCurrency(s),
  fundsCreated: loadCurrency(s),
})

/** Reads a ShardDescr. In the #a form the two currencies share a reference that a proof may have pruned, so they are read on first use. */
export const loadShardDescr = (s: Slice): ShardDescr => {
  const tag = s.loadUint(4)
  if (tag !== 0xa && tag !== 0xb) throw badTag('ShardDescr', tag)
  const head = {
    seqno: s.loadUint(32),
    regMcSeqno: s.loadUint(32),
    startLt: s.loadUintBig(64),
    endLt: s.loadUintBig(64),
    rootHash: s.loadBytes(32),
    fileHash: s.loadBytes(32),
    beforeSplit: s.loadBit(),
    beforeMerge: s.loadBit(),
    wantSplit: s.loadBit(),
    wantMerge: s.loadBit(),
    nxCcUpdated: s.loadBit(),
    flags: s.loadUint(3),
    nextCatchainSeqno: s.loadUint(32),
    nextValidatorShard: s.loadUintBig(64),
    minRefMcSeqno: s.loadUint(32),
    genUtime: s.loadUint(32),
    splitMergeAt: loadFutureSplitMerge(s),
  }
  if (head.flags !== 0) throw new CellError('range', `ShardDescr: unknown flags ${head.flags}`)
  if (tag === 0xb) return { ...head, ...loadFees(s), inlineFees: true }
  const cell = s.loadRef()
  const fees = lazy(() => loadFees(cell.slice()))
  return {
    ...head,
    get feesCollected() {
      return fees().feesCollected
    },
    get fundsCreated() {
      return fees().fundsCreated
    },
    inlineFees: false,
  }
}

export type ShardDescrBlock = Pick<ShardDescr, 'seqno' | 'rootHash' | 'fileHash'>

export const loadShardDescrBlock = (s: Slice): ShardDescrBlock => {
  const tag = s.loadUint(4)
  if (tag !== 0xa && tag !== 0xb) throw badTag('ShardDescr', tag)
  const seqno = s.loadUint(32)
  s.skip(32 + 64 + 64)
  return { seqno, rootHash: s.loadBytes(32), fileHash: s.loadBytes(32) }
}

export const storeShardDescr = (b: Builder, descr: ShardDescr): Builder => {
  b.storeUint(descr.inlineFees ? 0xb : 0xa, 4)
    .storeUint(descr.seqno, 32)
    .storeUint(descr.regMcSeqno, 32)
  storeHash(storeHash(b.storeUint(descr.startLt, 64).storeUint(descr.endLt, 64), descr.rootHash), descr.fileHash)
  b.storeBit(descr.beforeSplit).storeBit(descr.beforeMerge).storeBit(descr.wantSplit).storeBit(descr.wantMerge)
  b.storeBit(descr.nxCcUpdated).storeUint(descr.flags, 3)
  b.storeUint(descr.nextCatchainSeqno, 32).storeUint(descr.nextValidatorShard, 64)
  b.storeUint(descr.minRefMcSeqno, 32).storeUint(descr.genUtime, 32)
  storeFutureSplitMerge(b, descr.splitMergeAt)
  if (descr.inlineFees) return storeCurrency(storeCurrency(b, descr.feesCollected), descr.fundsCreated)
  return b.storeRef(storeCurrency(storeCurrency(beginCell(), descr.feesCollected), descr.fundsCreated).end())
}
