import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { dictFromEntries } from '../../cell/dict.ts'
import { storeHash } from '../../tlb/common.ts'
import { storeHashUpdate } from '../../tlb/transaction/hash-update.ts'
import type { ActionPhase } from '../../tlb/transaction/tr-phases.ts'
import { storeAccountStatus } from '../../tlb/transaction/transaction.ts'
import { storeTransactionDescr, type TransactionDescr } from '../../tlb/transaction/transaction-descr.ts'
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

/*
 * transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 now:uint32 outmsg_cnt:uint15
 *   orig_status:AccountStatus end_status:AccountStatus
 *   ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ]
 *   total_fees:CurrencyCollection state_update:^(HASH_UPDATE Account) description:^TransactionDescr = Transaction;
 */
export const transactionCell = (run: TransactionRun, after: AccountAfter, description: TransactionDescr): Cell => {
  const { account, outMsgs } = run
  const messages = beginCell()
    .storeMaybeRef(run.message?.cell)
    .storeMaybeRef(
      dictFromEntries(
        15,
        outMsgs.map((message, i) => [BigInt(i), beginCell().storeRef(message)] as const),
      ),
    )
  const b = storeHash(beginCell().storeUint(7, 4), account.id.hash).storeUint(run.startLt, 64)
  storeHash(b, account.lastTransHash).storeUint(account.lastTransLt, 64)
  b.storeUint(run.now, 32).storeUint(outMsgs.length, 15)
  storeAccountStatus(storeAccountStatus(b, account.status), after.status)
  return b
    .storeRef(messages.end())
    .storeCoins(run.totalFees)
    .storeBit(0)
    .storeRef(storeHashUpdate({ oldHash: account.cell.hash(), newHash: after.cell.hash() }))
    .storeRef(storeTransactionDescr(description))
    .end()
}
