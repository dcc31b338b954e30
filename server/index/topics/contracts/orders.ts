import type { Transaction } from '../../../tlb/transaction/transaction.ts'
import type { PlacedTransaction } from '../topic.ts'

/* Transactions that carry out an order of a standard: an internal message, not bounced, whose body begins with its opcode. */

/** Whether a transaction received such an order. */
export const tookOrder = ({ tx }: PlacedTransaction, opcode: number): boolean => {
  const message = tx.inMsg
  if (message?.info.type !== 'internal' || message.info.bounced) return false
  const { body } = message
  return !body.exotic && body.bits >= 32 && body.slice().preloadUint(32) === opcode
}

/** Whether it came to nothing. */
export const isAborted = ({ description }: Transaction): boolean => 'aborted' in description && description.aborted
