import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { type ExtBlkRef, loadExtBlkRef, storeExtBlkRef } from '../block/ext-blk-ref.ts'
import { loadShardIdent, storeShardIdent } from '../block/shard-ident.ts'
import { expectTag, loadMaybe, storeMaybe, withLazyMembers } from '../common.ts'
import { type CurrencyCollection, loadCurrency, storeCurrency } from '../currency.ts'

/*
 * shard_state#9023afe2 global_id:int32 shard_id:ShardIdent seq_no:uint32 vert_seq_no:# gen_utime:uint32 gen_lt:uint64
 *   min_ref_mc_seqno:uint32 out_msg_queue_info:^OutMsgQueueInfo before_split:(## 1) accounts:^ShardAccounts
 *   ^[ overload_history:uint64 underload_history:uint64 total_balance:CurrencyCollection total_validator_fees:CurrencyCollection
 *      libraries:(HashmapE 256 LibDescr) master_ref:(Maybe BlkMasterInfo) ]
 *   custom:(Maybe ^McStateExtra) = ShardStateUnsplit;
 */

/** The part of a shard state that is in a reference. */
export interface ShardStateTotals {
  readonly overloadHistory: bigint
  readonly underloadHistory: bigint
  readonly totalBalance: CurrencyCollection
  readonly totalValidatorFees: CurrencyCollection
  /** Root of Hashmap 256 LibDescr; see lib-descr.ts. */
  readonly libraries: Cell | undefined
  readonly masterRef?: ExtBlkRef | undefined
}

/** ShardStateUnsplit. The members of ShardStateTotals share a reference that a proof may have pruned, so they are read on first use. */
export interface ShardState extends ShardStateTotals {
  readonly globalId: number
  readonly workchain: number
  /** Unsigned shard prefix with its terminating bit. */
  readonly shard: bigint
  readonly seqno: number
  readonly vertSeqno: number
  readonly genUtime: number
  readonly genLt: bigint
  readonly minRefMcSeqno: number
  readonly outMsgQueueInfo: Cell
  readonly beforeSplit: boolean
  /** Cell of HashmapAugE ShardAccounts. Read by loadAugE with shardAccountsAug. */
  readonly accounts: Cell
  /** Only in the masterchain. */
  readonly custom?: Cell | undefined
}

const TOTALS = ['overloadHistory', 'underloadHistory', 'totalBalance', 'totalValidatorFees', 'libraries', 'masterRef'] as const

const loadTotals = (cell: Cell): ShardStateTotals => {
  const s = cell.slice()
  const totals: ShardStateTotals = {
    overloadHistory: s.loadUintBig(64),
    underloadHistory: s.loadUintBig(64),
    totalBalance: loadCurrency(s),
    totalValidatorFees: loadCurrency(s),
    libraries: s.loadMaybeRef(),
    masterRef: loadMaybe(s, loadExtBlkRef),
  }
  s.end()
  return totals
}

export const loadShardState = (cell: Cell): ShardState => {
  const s = cell.slice()
  expectTag(s, 32, 0x9023afe2, 'ShardStateUnsplit')
  const head = {
    globalId: s.loadInt(32),
    ...loadShardIdent(s),
    seqno: s.loadUint(32),
    vertSeqno: s.loadUint(32),
    genUtime: s.loadUint(32),
    genLt: s.loadUintBig(64),
    minRefMcSeqno: s.loadUint(32),
    outMsgQueueInfo: s.loadRef(),
    beforeSplit: s.loadBit(),
    accounts: s.loadRef(),
  }
  const totals = s.loadRef()
  const state = { ...head, custom: s.loadMaybeRef() }
  s.end()
  return withLazyMembers(state, TOTALS, () => loadTotals(totals))
}

/** Returns the cell of ShardAccounts, the second reference of a shard state, without reading the rest. */
export const accountsOfState = (cell: Cell): Cell => {
  const s = cell.slice()
  expectTag(s, 32, 0x9023afe2, 'ShardStateUnsplit')
  return s.preloadRef(1)
}

const storeTotals = (totals: ShardStateTotals): Cell => {
  const b = beginCell().storeUint(totals.overloadHistory, 64).storeUint(totals.underloadHistory, 64)
  storeCurrency(storeCurrency(b, totals.totalBalance), totals.totalValidatorFees)
  return storeMaybe(b.storeMaybeRef(totals.libraries), totals.masterRef, storeExtBlkRef).end()
}

export const storeShardState = (state: ShardState): Cell => {
  const b = storeShardIdent(beginCell().storeUint(0x9023afe2, 32).storeInt(state.globalId, 32), state)
  b.storeUint(state.seqno, 32).storeUint(state.vertSeqno, 32).storeUint(state.genUtime, 32)
  b.storeUint(state.genLt, 64).storeUint(state.minRefMcSeqno, 32)
  b.storeRef(state.outMsgQueueInfo).storeBit(state.beforeSplit).storeRef(state.accounts)
  return b.storeRef(storeTotals(state)).storeMaybeRef(state.custom).end()
}
