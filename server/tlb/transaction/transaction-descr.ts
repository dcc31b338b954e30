import { type Builder, beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { badTag, storeHash, storeMaybe } from '../common.ts'
import { type ComputePhase, loadComputePhase, storeComputePhase } from './tr-compute.ts'
import {
  type ActionPhase,
  type BouncePhase,
  type CreditPhase,
  loadActionPhase,
  loadBouncePhase,
  loadCreditPhase,
  loadStoragePhase,
  type StoragePhase,
  storeActionPhase,
  storeBouncePhase,
  storeCreditPhase,
  storeStoragePhase,
} from './tr-phases.ts'

/*
 * trans_ord$0000 credit_first:Bool storage_ph:(Maybe TrStoragePhase) credit_ph:(Maybe TrCreditPhase)
 *   compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool bounce:(Maybe TrBouncePhase) destroyed:Bool = TransactionDescr;
 * trans_storage$0001 storage_ph:TrStoragePhase = TransactionDescr;
 * trans_tick_tock$001 is_tock:Bool storage_ph:TrStoragePhase compute_ph:TrComputePhase action:(Maybe ^TrActionPhase)
 *   aborted:Bool destroyed:Bool = TransactionDescr;
 * split_merge_info$_ cur_shard_pfx_len:(## 6) acc_split_depth:(## 6) this_addr:bits256 sibling_addr:bits256 = SplitMergeInfo;
 * trans_split_prepare$0100 split_info:SplitMergeInfo storage_ph:(Maybe TrStoragePhase) compute_ph:TrComputePhase
 *   action:(Maybe ^TrActionPhase) aborted:Bool destroyed:Bool = TransactionDescr;
 * trans_split_install$0101 split_info:SplitMergeInfo prepare_transaction:^Transaction installed:Bool = TransactionDescr;
 * trans_merge_prepare$0110 split_info:SplitMergeInfo storage_ph:TrStoragePhase aborted:Bool = TransactionDescr;
 * trans_merge_install$0111 split_info:SplitMergeInfo prepare_transaction:^Transaction storage_ph:(Maybe TrStoragePhase)
 *   credit_ph:(Maybe TrCreditPhase) compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool destroyed:Bool = TransactionDescr;
 */

export interface SplitMergeInfo {
  readonly curShardPfxLen: number
  readonly accSplitDepth: number
  readonly thisAddr: Uint8Array
  readonly siblingAddr: Uint8Array
}
/** The members that all descriptions of a run have. */
interface RunDescr {
  readonly compute: ComputePhase
  readonly action?: ActionPhase | undefined
  readonly aborted: boolean
  readonly destroyed: boolean
}
export interface OrdinaryDescr extends RunDescr {
  readonly type: 'ordinary'
  readonly creditFirst: boolean
  readonly storage?: StoragePhase | undefined
  readonly credit?: CreditPhase | undefined
  readonly bounce?: BouncePhase | undefined
}
export interface TickTockDescr extends RunDescr {
  readonly type: 'tick-tock'
  readonly isTock: boolean
  readonly storage: StoragePhase
}
export interface SplitPrepareDescr extends RunDescr {
  readonly type: 'split-prepare'
  readonly split: SplitMergeInfo
  readonly storage?: StoragePhase | undefined
}
export interface MergeInstallDescr extends RunDescr {
  readonly type: 'merge-install'
  readonly split: SplitMergeInfo
  readonly prepareTransaction: Cell
  readonly storage?: StoragePhase | undefined
  readonly credit?: CreditPhase | undefined
}
export type TransactionDescr =
  | OrdinaryDescr
  | { readonly type: 'storage'; readonly storage: StoragePhase }
  | TickTockDescr
  | SplitPrepareDescr
  | { readonly type: 'split-install'; readonly split: SplitMergeInfo; readonly prepareTransaction: Cell; readonly installed: boolean }
  | { readonly type: 'merge-prepare'; readonly split: SplitMergeInfo; readonly storage: StoragePhase; readonly aborted: boolean }
  | MergeInstallDescr

const loadMaybeStorage = (s: Slice): StoragePhase | undefined => (s.loadBit() ? loadStoragePhase(s) : undefined)
const loadMaybeCredit = (s: Slice): CreditPhase | undefined => (s.loadBit() ? loadCreditPhase(s) : undefined)
const loadMaybeAction = (s: Slice): ActionPhase | undefined => (s.loadBit() ? loadActionPhase(s.loadRef()) : undefined)

const loadSplitMergeInfo = (s: Slice): SplitMergeInfo => ({
  curShardPfxLen: s.loadUint(6),
  accSplitDepth: s.loadUint(6),
  thisAddr: s.loadBytes(32),
  siblingAddr: s.loadBytes(32),
})

const loadOrdinary = (s: Slice): OrdinaryDescr => ({
  type: 'ordinary',
  creditFirst: s.loadBit(),
  storage: loadMaybeStorage(s),
  credit: loadMaybeCredit(s),
  compute: loadComputePhase(s),
  action: loadMaybeAction(s),
  aborted: s.loadBit(),
  bounce: s.loadBit() ? loadBouncePhase(s) : undefined,
  destroyed: s.loadBit(),
})

const loadTagged = (s: Slice, tag: number): TransactionDescr => {
  switch (tag) {
    case 0:
      return loadOrdinary(s)
    case 1:
      return { type: 'storage', storage: loadStoragePhase(s) }
    case 2:
    case 3: {
      const [storage, compute, action] = [loadStoragePhase(s), loadComputePhase(s), loadMaybeAction(s)]
      return { type: 'tick-tock', isTock: tag === 3, storage, compute, action, aborted: s.loadBit(), destroyed: s.loadBit() }
    }
    case 4: {
      const [split, storage] = [loadSplitMergeInfo(s), loadMaybeStorage(s)]
      const [compute, action] = [loadComputePhase(s), loadMaybeAction(s)]
      return { type: 'split-prepare', split, storage, compute, action, aborted: s.loadBit(), destroyed: s.loadBit() }
    }
    case 5:
      return { type: 'split-install', split: loadSplitMergeInfo(s), prepareTransaction: s.loadRef(), installed: s.loadBit() }
    case 6:
      return { type: 'merge-prepare', split: loadSplitMergeInfo(s), storage: loadStoragePhase(s), aborted: s.loadBit() }
    case 7: {
      const [split, prepareTransaction, storage, credit] = [loadSplitMergeInfo(s), s.loadRef(), loadMaybeStorage(s), loadMaybeCredit(s)]
      const [compute, action] = [loadComputePhase(s), loadMaybeAction(s)]
      const [aborted, destroyed] = [s.loadBit(), s.loadBit()]
      return { type: 'merge-install', split, prepareTransaction, storage, credit, compute, action, aborted, destroyed }
    }
    default:
      throw badTag('TransactionDescr', tag)
  }
}

export const loadTransactionDescr = (cell: Cell): TransactionDescr => {
  const s = cell.slice()
  const descr = loadTagged(s, s.loadUint(4))
  s.end()
  return descr
}

const storeSplitMergeInfo = (b: Builder, info: SplitMergeInfo): Builder =>
  storeHash(storeHash(b.storeUint(info.curShardPfxLen, 6).storeUint(info.accSplitDepth, 6), info.thisAddr), info.siblingAddr)

const storeMaybeStorage = (b: Builder, phase: StoragePhase | undefined): Builder => storeMaybe(b, phase, storeStoragePhase)
const storeMaybeCredit = (b: Builder, phase: CreditPhase | undefined): Builder => storeMaybe(b, phase, storeCreditPhase)
const storeComputeAndAction = (b: Builder, compute: ComputePhase, action: ActionPhase | undefined): Builder =>
  storeComputePhase(b, compute).storeMaybeRef(action === undefined ? undefined : storeActionPhase(action))

export const storeTransactionDescr = (descr: TransactionDescr): Cell => {
  const b = beginCell()
  switch (descr.type) {
    case 'ordinary':
      storeMaybeCredit(storeMaybeStorage(b.storeUint(0, 4).storeBit(descr.creditFirst), descr.storage), descr.credit)
      storeComputeAndAction(b, descr.compute, descr.action).storeBit(descr.aborted)
      return storeMaybe(b, descr.bounce, storeBouncePhase).storeBit(descr.destroyed).end()
    case 'storage':
      return storeStoragePhase(b.storeUint(1, 4), descr.storage).end()
    case 'tick-tock':
      storeStoragePhase(b.storeUint(1, 3).storeBit(descr.isTock), descr.storage)
      return storeComputeAndAction(b, descr.compute, descr.action).storeBit(descr.aborted).storeBit(descr.destroyed).end()
    case 'split-prepare':
      storeMaybeStorage(storeSplitMergeInfo(b.storeUint(4, 4), descr.split), descr.storage)
      return storeComputeAndAction(b, descr.compute, descr.action).storeBit(descr.aborted).storeBit(descr.destroyed).end()
    case 'split-install':
      return storeSplitMergeInfo(b.storeUint(5, 4), descr.split).storeRef(descr.prepareTransaction).storeBit(descr.installed).end()
    case 'merge-prepare':
      return storeStoragePhase(storeSplitMergeInfo(b.storeUint(6, 4), descr.split), descr.storage)
        .storeBit(descr.aborted)
        .end()
    case 'merge-install':
      storeSplitMergeInfo(b.storeUint(7, 4), descr.split).storeRef(descr.prepareTransaction)
      storeMaybeCredit(storeMaybeStorage(b, descr.storage), descr.credit)
      return storeComputeAndAction(b, descr.compute, descr.action).storeBit(descr.aborted).storeBit(descr.destroyed).end()
  }
}
