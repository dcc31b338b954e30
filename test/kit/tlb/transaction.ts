import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { dictFromEntries } from '../../../server/cell/dict.ts'
import { storeHash } from '../../../server/tlb/common.ts'
import { storeCurrency } from '../../../server/tlb/currency.ts'
import { type MessageParts, storeMessage } from '../../../server/tlb/message/message.ts'
import { storeHashUpdate } from '../../../server/tlb/transaction/hash-update.ts'
import { storeAccountStatus, type Transaction } from '../../../server/tlb/transaction/transaction.ts'
import { storeTransactionDescr } from '../../../server/tlb/transaction/transaction-descr.ts'

/** The parts of a transaction. */
export type TransactionParts = Omit<Transaction, 'root' | 'inMsg' | 'outMsgs'> & {
  readonly inMsg?: MessageParts | undefined
  readonly outMsgs: readonly MessageParts[]
}

/** A transaction cell from its parts. The service's executor has its own writer. */
export const storeTransaction = (transaction: TransactionParts): Cell => {
  const messages = beginCell()
    .storeMaybeRef(transaction.inMsg === undefined ? undefined : storeMessage(transaction.inMsg))
    .storeMaybeRef(
      dictFromEntries(
        15,
        transaction.outMsgs.map((message, i) => [BigInt(i), beginCell().storeRef(storeMessage(message))] as const),
      ),
    )
  const b = storeHash(beginCell().storeUint(7, 4), transaction.account).storeUint(transaction.lt, 64)
  storeHash(b, transaction.prevTransHash).storeUint(transaction.prevTransLt, 64)
  b.storeUint(transaction.now, 32).storeUint(transaction.outMsgCount, 15)
  storeAccountStatus(storeAccountStatus(b, transaction.origStatus), transaction.endStatus).storeRef(messages.end())
  return storeCurrency(b, transaction.totalFees)
    .storeRef(storeHashUpdate(transaction.stateUpdate))
    .storeRef(storeTransactionDescr(transaction.description))
    .end()
}
