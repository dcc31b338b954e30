import type { Cell } from '../../cell/cell.ts'
import type { ActionPhase } from '../../tlb/transaction/tr-phases.ts'
import { storeTransaction } from '../../tlb/transaction/transaction.ts'
import type { TransactionDescr } from '../../tlb/transaction/transaction-descr.ts'
import type { AccountAfter } from './account-after.ts'
import type { ActionState } from './action-phase/state.ts'
import type { TransactionRun } from './transaction-run.ts'

const nonZero = (nanotons: bigint): bigint | undefined => (nanotons === 0n ? undefined : nanotons)

const actionRecord = (state: ActionState): ActionPhase => ({
  success: state.success,
  valid: state.valid,
  noFunds: state.noFunds,
  statusChange: state.statusChange,
  totalFwdFees: nonZero(state.totalFwdFees),
  totalActionFees: nonZero(state.totalActionFees),
  resultCode: state.resultCode,
  resultArg: state.resultArg === 0 ? undefined : state.resultArg,
  totActions: state.actions,
  specActions: state.specActions,
  skippedActions: state.skippedActions,
  msgsCreated: state.messagesCreated,
  actionListHash: state.listHash,
  totMsgSize: { cells: BigInt(state.messageCells), bits: BigInt(state.messageBits) },
})

export const describe = (run: TransactionRun): TransactionDescr => {
  const action = run.action === undefined ? undefined : actionRecord(run.action)
  const common = { compute: run.computed!.phase, action, aborted: action?.success !== true, destroyed: run.wasDeleted }
  if (run.kind !== 'message') return { type: 'tick-tock', isTock: run.kind === 'tock', storage: run.storage!, ...common }
  const { storage, credit, bounce, message } = run
  return { type: 'ordinary', creditFirst: !message!.bounce, storage, credit, bounce, ...common }
}

export const transactionCell = (run: TransactionRun, after: AccountAfter, description: TransactionDescr): Cell => {
  const { account } = run
  return storeTransaction({
    account: account.id.hash,
    lt: run.startLt,
    prevTransHash: account.lastTransHash,
    prevTransLt: account.lastTransLt,
    now: run.now,
    origStatus: account.status,
    endStatus: after.status,
    inMsg: run.message?.cell,
    outMsgs: run.outMsgs,
    totalFees: { grams: run.totalFees },
    stateUpdate: { oldHash: account.cell.hash(), newHash: after.cell.hash() },
    description,
  })
}
