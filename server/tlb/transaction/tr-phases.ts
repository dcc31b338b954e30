import type { Builder } from '../../cell/builder.ts'
import { beginCell } from '../../cell/builder.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { type CurrencyCollection, loadCurrency, storeCurrency } from '../currency.ts'

/*
 * tr_phase_storage$_ storage_fees_collected:Grams storage_fees_due:(Maybe Grams) status_change:AccStatusChange = TrStoragePhase;
 * acst_unchanged$0 = AccStatusChange;  acst_frozen$10 = AccStatusChange;  acst_deleted$11 = AccStatusChange;
 * tr_phase_credit$_ due_fees_collected:(Maybe Grams) credit:CurrencyCollection = TrCreditPhase;
 * tr_phase_action$_ success:Bool valid:Bool no_funds:Bool status_change:AccStatusChange
 *   total_fwd_fees:(Maybe Grams) total_action_fees:(Maybe Grams) result_code:int32 result_arg:(Maybe int32) tot_actions:uint16
 *   spec_actions:uint16 skipped_actions:uint16 msgs_created:uint16 action_list_hash:bits256 tot_msg_size:StorageUsed = TrActionPhase;
 * tr_phase_bounce_negfunds$00 = TrBouncePhase;
 * tr_phase_bounce_nofunds$01 msg_size:StorageUsed req_fwd_fees:Grams = TrBouncePhase;
 * tr_phase_bounce_ok$1 msg_size:StorageUsed msg_fees:Grams fwd_fees:Grams = TrBouncePhase;
 * storage_used$_ cells:(VarUInteger 7) bits:(VarUInteger 7) = StorageUsed;
 */

export type AccStatusChange = 'unchanged' | 'frozen' | 'deleted'

export interface StorageUsed {
  readonly cells: bigint
  readonly bits: bigint
}
export interface StoragePhase {
  readonly feesCollected: bigint
  readonly feesDue?: bigint | undefined
  readonly statusChange: AccStatusChange
}
export interface CreditPhase {
  readonly dueFeesCollected?: bigint | undefined
  readonly credit: CurrencyCollection
}
export interface ActionPhase {
  readonly success: boolean
  readonly valid: boolean
  readonly noFunds: boolean
  readonly statusChange: AccStatusChange
  readonly totalFwdFees?: bigint | undefined
  readonly totalActionFees?: bigint | undefined
  readonly resultCode: number
  readonly resultArg?: number | undefined
  readonly totActions: number
  readonly specActions: number
  readonly skippedActions: number
  readonly msgsCreated: number
  readonly actionListHash: Uint8Array
  readonly totMsgSize: StorageUsed
}
export type BouncePhase =
  | { readonly type: 'negfunds' }
  | { readonly type: 'nofunds'; readonly msgSize: StorageUsed; readonly reqFwdFees: bigint }
  | { readonly type: 'ok'; readonly msgSize: StorageUsed; readonly msgFees: bigint; readonly fwdFees: bigint }

const loadStorageUsed = (s: Slice): StorageUsed => ({ cells: s.loadVarUint(3), bits: s.loadVarUint(3) })
const storeStorageUsed = (b: Builder, used: StorageUsed): Builder => b.storeVarUint(used.cells, 3).storeVarUint(used.bits, 3)

const loadStatusChange = (s: Slice): AccStatusChange => (!s.loadBit() ? 'unchanged' : s.loadBit() ? 'deleted' : 'frozen')
const storeStatusChange = (b: Builder, change: AccStatusChange): Builder =>
  change === 'unchanged' ? b.storeBit(0) : b.storeUint(change === 'frozen' ? 2 : 3, 2)

const storeMaybeCoins = (b: Builder, amount: bigint | undefined): Builder =>
  amount === undefined ? b.storeBit(0) : b.storeBit(1).storeCoins(amount)

export const loadStoragePhase = (s: Slice): StoragePhase => ({
  feesCollected: s.loadCoins(),
  feesDue: s.loadBit() ? s.loadCoins() : undefined,
  statusChange: loadStatusChange(s),
})
export const storeStoragePhase = (b: Builder, phase: StoragePhase): Builder =>
  storeStatusChange(storeMaybeCoins(b.storeCoins(phase.feesCollected), phase.feesDue), phase.statusChange)

export const loadCreditPhase = (s: Slice): CreditPhase => ({
  dueFeesCollected: s.loadBit() ? s.loadCoins() : undefined,
  credit: loadCurrency(s),
})
export const storeCreditPhase = (b: Builder, phase: CreditPhase): Builder =>
  storeCurrency(storeMaybeCoins(b, phase.dueFeesCollected), phase.credit)

export const loadActionPhase = (cell: Cell): ActionPhase => {
  const s = cell.slice()
  const flags = s.loadUint(3)
  const phase: ActionPhase = {
    success: (flags & 4) !== 0,
    valid: (flags & 2) !== 0,
    noFunds: (flags & 1) !== 0,
    statusChange: loadStatusChange(s),
    totalFwdFees: s.loadBit() ? s.loadCoins() : undefined,
    totalActionFees: s.loadBit() ? s.loadCoins() : undefined,
    resultCode: s.loadInt(32),
    resultArg: s.loadBit() ? s.loadInt(32) : undefined,
    totActions: s.loadUint(16),
    specActions: s.loadUint(16),
    skippedActions: s.loadUint(16),
    msgsCreated: s.loadUint(16),
    actionListHash: s.loadBytes(32),
    totMsgSize: loadStorageUsed(s),
  }
  s.end()
  return phase
}
export const storeActionPhase = (phase: ActionPhase): Cell => {
  const b = beginCell().storeBit(phase.success).storeBit(phase.valid).storeBit(phase.noFunds)
  storeMaybeCoins(storeMaybeCoins(storeStatusChange(b, phase.statusChange), phase.totalFwdFees), phase.totalActionFees)
  b.storeInt(phase.resultCode, 32)
  if (phase.resultArg === undefined) b.storeBit(0)
  else b.storeBit(1).storeInt(phase.resultArg, 32)
  b.storeUint(phase.totActions, 16).storeUint(phase.specActions, 16).storeUint(phase.skippedActions, 16).storeUint(phase.msgsCreated, 16)
  if (phase.actionListHash.length !== 32) throw new CellError('range', 'action_list_hash is not 32 bytes')
  return storeStorageUsed(b.storeBytes(phase.actionListHash), phase.totMsgSize).end()
}

export const loadBouncePhase = (s: Slice): BouncePhase => {
  if (s.loadBit()) return { type: 'ok', msgSize: loadStorageUsed(s), msgFees: s.loadCoins(), fwdFees: s.loadCoins() }
  if (s.loadBit()) return { type: 'nofunds', msgSize: loadStorageUsed(s), reqFwdFees: s.loadCoins() }
  return { type: 'negfunds' }
}
export const storeBouncePhase = (b: Builder, phase: BouncePhase): Builder => {
  switch (phase.type) {
    case 'negfunds':
      return b.storeUint(0, 2)
    case 'nofunds':
      return storeStorageUsed(b.storeUint(1, 2), phase.msgSize).storeCoins(phase.reqFwdFees)
    case 'ok':
      return storeStorageUsed(b.storeBit(1), phase.msgSize).storeCoins(phase.msgFees).storeCoins(phase.fwdFees)
  }
}
