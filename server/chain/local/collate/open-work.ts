import type { Pause } from '../../../base/yield.ts'
import { augGet } from '../../../cell/aug.ts'
import type { Cell } from '../../../cell/cell.ts'
import { shardAccountsAug } from '../../../tlb/state/shard-account.ts'
import type { MakeTransaction } from '../../../tvm/make-transaction.ts'
import type { Validator } from '../validator.ts'
import { createBlockAccounts, type Keep } from './accounts/block-accounts.ts'
import type { BlockContext } from './block-context.ts'
import { createJournal } from './block-so-far.ts'
import type { LimitStatus } from './limits.ts'
import type { MasterView } from './master/master-view.ts'
import { createOutQueue } from './queue.ts'
import { createTransactions, type Environment } from './run/transactions.ts'

export interface WorkTools {
  readonly make: MakeTransaction
  readonly validator: Validator
  readonly keep: Keep
  readonly pause: Pause
  /** Selects the libraries for the TVM from the libraries of a masterchain state. */
  readonly libraries: (root: Cell | undefined) => Cell | undefined
  readonly signal: AbortSignal
}

const environmentOf = (context: BlockContext, master: MasterView, libraries: WorkTools['libraries']): Environment => ({
  config: context.config.root,
  now: context.now,
  blockSeed: context.randSeed,
  blockLt: context.startLt,
  libraries: libraries(master.state.libraries),
  allLibraries: master.state.libraries,
  prevBlocks: master.prevBlocks(),
})

/**
 * A block that is being made. Its transactions run in TON's order (Collator::do_collate of validator/impl/collator.cpp): tick, messages of impersonated
 * accounts, messages without a sender, inbound internal, inbound external, messages made in this block, tock. Messages that do not fit remain in the queues
 * for the next block. Only the two flags change.
 */
export type Making = Readonly<Omit<Opened, 'enqueueOnly' | 'inboundEmpty'>> & Pick<Opened, 'enqueueOnly' | 'inboundEmpty'>
type Opened = ReturnType<typeof openWork>

export const openWork = (tools: WorkTools, context: BlockContext, master: MasterView, limits: LimitStatus) => {
  const { workchain, startLt } = context
  const environment = (): Environment => environmentOf(context, master, tools.libraries)
  return {
    workchain,
    startLt,
    limits,
    blockAccounts: createBlockAccounts(workchain, (id) => augGet(shardAccountsAug, context.accounts, id)?.value, tools.keep),
    queue: createOutQueue(context.queue.outQueue, context.queue.extra?.outQueueSize ?? 0),
    // As in Collator::do_collate, end_lt must be above start_lt.
    journal: createJournal({ limits, minEndLt: startLt + 1n }),
    transactions: createTransactions({ make: tools.make, environment, startLt, pause: tools.pause, signal: tools.signal }),
    /** Called in loops over messages that may be many, to yield to other work of the thread. */
    pause: tools.pause,
    /** Set when a limit is reached, and after the tock transactions: new messages are queued and not delivered. */
    enqueueOnly: false,
    /** True if all messages that were queued before the block have been processed. */
    inboundEmpty: true,
  }
}
