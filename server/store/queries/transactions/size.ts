import type { TraceRow } from '../traces.ts'
import type { TransactionRow } from './transaction-key.ts'

/* Sizes of transactions and traces, for limits. A transaction can send 255 messages, so the number of transactions alone limits neither memory nor time. */

/** Number of messages that count as one transaction. */
export const MESSAGES_OF_ONE = 5
/** Maximum size of the transactions in one answer. Further traces are shown without transactions. */
export const MAX_SIZE_OF_PAGE = 10_000

const sizeOf = (transactions: number, messages: number): number => Math.max(transactions, Math.ceil(messages / MESSAGES_OF_ONE))

export type SizedTrace = Pick<TraceRow, 'nodes' | 'edges' | 'pending_edges'>

/** The number of the trace's transactions, or more if they have many messages. */
export const sizeOfTrace = ({ nodes, edges, pending_edges }: SizedTrace): number => sizeOf(nodes, edges + pending_edges)

export type WithSent = Pick<TransactionRow, 'action_msgs_created'>

/** Number of rows of messages: one of the message that the transaction received, and those that it sent. A failed action phase sent none. */
export const messageCount = ({ action_success, ...row }: Pick<TransactionRow, 'action_success' | 'action_msgs_created'>): number =>
  action_success ? messagesOf(row) : 1

/** Number of messages that the transaction sent, and the one that it received. */
export const messagesOf = ({ action_msgs_created: sent }: Partial<WithSent>): number => 1 + (sent ?? 0)

/** Adds up transactions. `add` returns the size of all that were added. */
export const createSize = () => {
  let [transactions, messages] = [0, 0]
  return {
    add(row: WithSent): number {
      messages += messagesOf(row)
      return sizeOf(++transactions, messages)
    },
    now: (): number => sizeOf(transactions, messages),
  }
}

export const sizeOfTransactions = (rows: Iterable<WithSent>): number => {
  const size = createSize()
  for (const row of rows) size.add(row)
  return size.now()
}
