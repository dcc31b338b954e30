import type { Pause } from '../../../base/yield.ts'
import type { BlockAccounts } from './accounts/block-accounts.ts'
import type { Journal } from './block-so-far.ts'
import type { LimitStatus } from './limits.ts'
import type { OutQueue } from './queue.ts'
import type { Transactions } from './run/transactions.ts'

/**
 * A block that is being made. Its transactions run in TON's order (Collator::do_collate of validator/impl/collator.cpp): tick, messages of impersonated
 * accounts, messages without a sender, inbound internal, inbound external, messages made in this block, tock. Messages that do not fit remain in the queues
 * for the next block.
 */
export interface Making {
  readonly workchain: number
  readonly startLt: bigint
  readonly blockAccounts: BlockAccounts
  readonly transactions: Transactions
  readonly limits: LimitStatus
  readonly queue: OutQueue
  readonly journal: Journal
  /** Called in loops over messages that may be many, to yield to other work of the thread. */
  readonly pause: Pause
  /** Set when a limit is reached, and after the tock transactions: new messages are queued and not delivered. */
  enqueueOnly: boolean
  /** True if all messages that were queued before the block have been processed. */
  inboundEmpty: boolean
}
