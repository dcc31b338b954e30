import type { Lane, Lanes } from './accounts/lanes.ts'
import type { Journal } from './journal.ts'
import type { LimitStatus } from './limits.ts'
import { external } from './phases/external.ts'
import { inbound } from './phases/inbound.ts'
import { internal } from './phases/internal.ts'
import { special, tickTock } from './phases/special.ts'
import type { OutQueue } from './queue.ts'
import type { Transactions } from './run/transactions.ts'

export type { ExternalOutcome } from './phases/external.ts'

/*
 * One block's transactions in TON's order (Collator::do_collate of validator/impl/collator.cpp): tick, messages out of nothing, inbound internal,
 * inbound external, messages made in this block, tock. What does not fit is left in queues for the next block.
 */

/** A block in the making, as its phases see it. */
export interface Making {
  readonly workchain: number
  readonly startLt: bigint
  readonly lanes: Lanes
  readonly transactions: Transactions
  readonly limits: LimitStatus
  readonly queue: OutQueue
  readonly journal: Journal
  /** Once a limit is reached, whatever is made is queued. */
  enqueueOnly: boolean
  /** Whether every message that stood in a queue before the block was processed. */
  inboundEmpty: boolean
}

/** The phases of a block over what they share. */
export const createWork = (p: Omit<Making, 'enqueueOnly' | 'inboundEmpty'>) => {
  const making: Making = { ...p, enqueueOnly: false, inboundEmpty: true }
  return {
    journal: p.journal,
    tick: (accounts: readonly Lane[]): Promise<void> => tickTock(making, accounts, 'tick'),
    tock: (accounts: readonly Lane[]): Promise<void> => tickTock(making, accounts, 'tock'),
    special: (messages: Parameters<typeof special>[1]) => special(making, messages),
    inbound: (messages: Parameters<typeof inbound>[1]) => inbound(making, messages),
    external: (messages: Parameters<typeof external>[1]) => external(making, messages),
    internal: () => internal(making),
    /** From here on whatever is made is queued (what tock transactions send). */
    stop: (): void => {
      making.enqueueOnly = true
    },
    /** Whether every message that stood in a queue before the block was processed. */
    get inboundEmpty() {
      return making.inboundEmpty
    },
  }
}
export type Work = ReturnType<typeof createWork>
