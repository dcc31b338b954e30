import type { SendInput } from '../model.ts'
import type { BlockAccount, BlockAccounts } from './accounts/block-accounts.ts'
import type { Journal } from './block-so-far.ts'
import { sendAs } from './impersonate.ts'
import type { LimitStatus } from './limits.ts'
import { external } from './phases/external.ts'
import { inbound } from './phases/inbound.ts'
import { internal } from './phases/internal.ts'
import { special, tickTock } from './phases/special.ts'
import type { OutQueue } from './queue.ts'
import type { Transactions } from './run/transactions.ts'

export type { ExternalOutcome } from './phases/external.ts'

/*
 * Runs one block's transactions in TON's order (Collator::do_collate of validator/impl/collator.cpp): tick, messages of impersonated accounts, messages
 * without a sender, inbound internal, inbound external, messages made in this block, tock. Messages that do not fit remain in the queues for the next
 * block.
 */

export interface Making {
  readonly workchain: number
  readonly startLt: bigint
  readonly blockAccounts: BlockAccounts
  readonly transactions: Transactions
  readonly limits: LimitStatus
  readonly queue: OutQueue
  readonly journal: Journal
  /** Set when a limit is reached: new messages are queued and not delivered. */
  enqueueOnly: boolean
  /** True if all messages that were queued before the block have been processed. */
  inboundEmpty: boolean
}

export const createWork = (p: Omit<Making, 'enqueueOnly' | 'inboundEmpty'>) => {
  const making: Making = { ...p, enqueueOnly: false, inboundEmpty: true }
  return {
    journal: p.journal,
    tick: (accounts: readonly BlockAccount[]): Promise<void> => tickTock(making, accounts, 'tick'),
    tock: (accounts: readonly BlockAccount[]): Promise<void> => tickTock(making, accounts, 'tock'),
    special: (messages: Parameters<typeof special>[1]) => special(making, messages),
    sendAs: (inputs: readonly SendInput[]) => sendAs(making, inputs, p.startLt),
    inbound: (messages: Parameters<typeof inbound>[1]) => inbound(making, messages),
    external: (messages: Parameters<typeof external>[1]) => external(making, messages),
    internal: () => internal(making),
    /** Called after `tock`: the next `internal` queues the messages of tock transactions and does not deliver them. */
    stop: (): void => {
      making.enqueueOnly = true
    },
    get inboundEmpty() {
      return making.inboundEmpty
    },
  }
}
export type Work = ReturnType<typeof createWork>
