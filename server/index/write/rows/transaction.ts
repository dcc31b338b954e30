import { ACCOUNT_STATUSES, BOUNCE_TYPES, DESCR_TYPES, SKIP_REASONS, STATUS_CHANGES } from '../../../store/codes.ts'
import type { ComputePhase } from '../../../tlb/transaction/tr-compute.ts'
import type { ActionPhase, BouncePhase, CreditPhase, StoragePhase } from '../../../tlb/transaction/tr-phases.ts'
import type { Transaction } from '../../../tlb/transaction/transaction.ts'
import type { SplitMergeInfo, TransactionDescr } from '../../../tlb/transaction/transaction-descr.ts'
import type { AccountFacts } from '../../derive/account-facts.ts'
import {
  beginRow,
  endRow,
  putBig,
  putBool,
  putBytes,
  putKey,
  putMaybe,
  putMaybeBool,
  putMaybeBytes,
  putNull,
  putNumber,
  putText,
  type RowTable,
} from './row.ts'
import { extra, line, NULL } from './text.ts'

type DescrType = (typeof DESCR_TYPES)[number]

const TYPES: { readonly [T in TransactionDescr['type']]: DescrType } = {
  ordinary: 'ord',
  storage: 'storage',
  'tick-tock': 'tick_tock',
  'split-prepare': 'split_prepare',
  'split-install': 'split_install',
  'merge-prepare': 'merge_prepare',
  'merge-install': 'merge_install',
}

/** Columns of a part that is not there; parts are several columns as one text. */
const nulls = (count: number): string => line(Array.from({ length: count }, () => NULL))
const NO_STORAGE = nulls(3)
const NO_CREDIT = nulls(3)
const NO_COMPUTE = nulls(14)
const SKIPPED_COMPUTE = nulls(13)
const NO_ACTION = nulls(15)
const NO_BOUNCE = nulls(6)
const NO_BOUNCE_SIZE = nulls(5)
const NO_SPLIT = nulls(4)
const NO_STATE = nulls(5)

const putStatus = (name: (typeof ACCOUNT_STATUSES)[number]): void => putNumber(ACCOUNT_STATUSES.indexOf(name))
const putChange = (name: (typeof STATUS_CHANGES)[number]): void => putNumber(STATUS_CHANGES.indexOf(name))

const putStorage = (phase: StoragePhase | undefined): void => {
  if (phase === undefined) {
    putText(NO_STORAGE)
    return
  }
  putBig(phase.feesCollected)
  putMaybe(phase.feesDue)
  putChange(phase.statusChange)
}

const putCredit = (phase: CreditPhase | undefined): void => {
  if (phase === undefined) {
    putText(NO_CREDIT)
    return
  }
  putMaybe(phase.dueFeesCollected)
  putBig(phase.credit.grams)
  putText(extra(phase.credit.other))
}

/** A hash that validators leave zero is null. */
const putStateHash = (hash: Uint8Array): void => {
  let isZero = true
  for (let i = 0; isZero && i < hash.length; i++) isZero = hash[i] === 0
  if (isZero) putNull()
  else putBytes(hash)
}

const putCompute = (phase: ComputePhase | undefined): void => {
  if (phase === undefined) {
    putText(NO_COMPUTE)
    return
  }
  if (phase.type === 'skipped') {
    putNumber(SKIP_REASONS.indexOf(phase.reason))
    putText(SKIPPED_COMPUTE)
    return
  }
  putNull()
  putBool(phase.success)
  putBool(phase.msgStateUsed)
  putBool(phase.accountActivated)
  putBig(phase.gasFees)
  putMaybe(phase.gasUsed)
  putMaybe(phase.gasLimit)
  putMaybe(phase.gasCredit)
  putNumber(phase.mode)
  putNumber(phase.exitCode)
  putMaybe(phase.exitArg)
  putMaybe(phase.vmSteps)
  putStateHash(phase.vmInitStateHash)
  putStateHash(phase.vmFinalStateHash)
}

const putAction = (phase: ActionPhase | undefined): void => {
  if (phase === undefined) {
    putText(NO_ACTION)
    return
  }
  putBool(phase.success)
  putBool(phase.valid)
  putBool(phase.noFunds)
  putChange(phase.statusChange)
  putMaybe(phase.totalFwdFees)
  putMaybe(phase.totalActionFees)
  putNumber(phase.resultCode)
  putMaybe(phase.resultArg)
  putNumber(phase.totActions)
  putNumber(phase.specActions)
  putNumber(phase.skippedActions)
  putNumber(phase.msgsCreated)
  putBytes(phase.actionListHash)
  putMaybe(phase.totMsgSize.cells)
  putMaybe(phase.totMsgSize.bits)
}

const putBounce = (phase: BouncePhase | undefined): void => {
  if (phase === undefined) {
    putText(NO_BOUNCE)
    return
  }
  putNumber(BOUNCE_TYPES.indexOf(phase.type))
  if (phase.type === 'negfunds') {
    putText(NO_BOUNCE_SIZE)
    return
  }
  putMaybe(phase.msgSize.cells)
  putMaybe(phase.msgSize.bits)
  if (phase.type === 'nofunds') {
    putBig(phase.reqFwdFees)
    putNull()
    putNull()
    return
  }
  putNull()
  putBig(phase.msgFees)
  putBig(phase.fwdFees)
}

const putSplit = (info: SplitMergeInfo | undefined): void => {
  if (info === undefined) {
    putText(NO_SPLIT)
    return
  }
  putNumber(info.curShardPfxLen)
  putNumber(info.accSplitDepth)
  putBytes(info.thisAddr)
  putBytes(info.siblingAddr)
}

/** Any description: members that a type does not have are undefined. */
interface AnyDescr {
  readonly aborted?: boolean
  readonly destroyed?: boolean
  readonly creditFirst?: boolean
  readonly isTock?: boolean
  readonly installed?: boolean
  readonly storage?: StoragePhase | undefined
  readonly credit?: CreditPhase | undefined
  readonly compute?: ComputePhase
  readonly action?: ActionPhase | undefined
  readonly bounce?: BouncePhase | undefined
  readonly split?: SplitMergeInfo
}

const putDescription = (descr: TransactionDescr): void => {
  const all: AnyDescr = descr
  putNumber(DESCR_TYPES.indexOf(TYPES[descr.type]))
  putMaybeBool(all.aborted)
  putMaybeBool(all.destroyed)
  putMaybeBool(all.creditFirst)
  putMaybeBool(all.isTock)
  putMaybeBool(all.installed)
  putStorage(all.storage)
  putCredit(all.credit)
  putCompute(all.compute)
  putAction(all.action)
  putBounce(all.bounce)
  putSplit(all.split)
}

const putStateAfter = (after: AccountFacts | undefined): void => {
  if (after === undefined) {
    putText(NO_STATE)
    return
  }
  putBig(after.balance)
  putText(extra(after.extra))
  putMaybeBytes(after.codeHash)
  putMaybeBytes(after.dataHash)
  putMaybeBytes(after.frozenHash)
}

export interface TransactionPlace {
  readonly account: string
  readonly hash: string
  readonly traceId: string
  readonly mcSeqno: number
  readonly workchain: number
  readonly shard: bigint
  readonly blockSeqno: number
}

/** Writes a row of transactions. `after`: the account as the block leaves it, given for its last transaction in the block. */
export const putTransaction = (table: RowTable, tx: Transaction, place: TransactionPlace, after: AccountFacts | undefined): void => {
  beginRow(table)
  putText(place.account)
  putBig(tx.lt)
  putKey(place.hash)
  putKey(place.traceId)
  putNumber(place.mcSeqno)
  putNumber(place.workchain)
  putBig(BigInt.asIntN(64, place.shard))
  putNumber(place.blockSeqno)
  putNumber(tx.now)
  putBytes(tx.prevTransHash)
  putBig(tx.prevTransLt)
  putStatus(tx.origStatus)
  putStatus(tx.endStatus)
  putBig(tx.totalFees.grams)
  putText(extra(tx.totalFees.other))
  putBytes(tx.stateUpdate.oldHash)
  putBytes(tx.stateUpdate.newHash)
  putStateAfter(after)
  putDescription(tx.description)
  endRow()
}

/** Writes a row of tx_by_hash. */
export const putTxByHash = (table: RowTable, hash: string, account: string, lt: bigint): void => {
  beginRow(table)
  putKey(hash)
  putText(account)
  putBig(lt)
  endRow()
}
