import type { Cell } from '../../../server/cell/cell.ts'
import { type MessageParts, storeMessage } from '../../../server/tlb/message/message.ts'
import { storeTransaction as store, type Transaction } from '../../../server/tlb/transaction/transaction.ts'

/** The parts of a transaction. */
export type TransactionParts = Omit<Transaction, 'root' | 'inMsg' | 'outMsgs'> & {
  readonly inMsg?: MessageParts | undefined
  readonly outMsgs: readonly MessageParts[]
}

/** A transaction cell from its parts. */
export const storeTransaction = ({ inMsg, outMsgs, ...rest }: TransactionParts): Cell =>
  store({ ...rest, inMsg: inMsg && storeMessage(inMsg), outMsgs: outMsgs.map((message) => storeMessage(message)) })
