import { augGet } from '../../../cell/aug.ts'
import { shardAccountsAug } from '../../../tlb/state/shard-account.ts'
import type { Tvm } from '../../../tvm/tvm.ts'
import type { Validator } from '../validator.ts'
import { createLanes, type Keep, type Lanes } from './accounts/lanes.ts'
import type { BlockContext } from './context.ts'
import type { LimitStatus } from './limits.ts'
import type { MasterView } from './master/master-view.ts'
import { createOutQueue, type OutQueue } from './queue.ts'
import { createRunner, type Environment } from './run/runner.ts'
import { createWork, type Work } from './work.ts'

/** What making a block needs from outside. */
export interface WorkTools {
  readonly tvm: Tvm
  readonly validator: Validator
  readonly keep: Keep
  readonly signal: AbortSignal
  /** Lets other work of the process go on between the parts of a block that touches `size` accounts, if that is many. */
  breathe(size: number): Promise<void>
}

/** What the transactions of a block have in common. */
export const environmentOf = (context: BlockContext, master: MasterView): Environment => ({
  config: context.config.tvm,
  now: context.now,
  randomSeed: context.randSeed,
  prevBlocksInfo: master.prevBlocks(),
  ...(master.libraries === undefined ? {} : { libraries: master.libraries() }),
})

/** Opens the accounts, the queue and the work of a block. */
export const openWork = (
  tools: WorkTools,
  context: BlockContext,
  master: MasterView,
  limits: LimitStatus,
): { readonly lanes: Lanes; readonly work: Work; readonly queue: OutQueue } => {
  const lanes = createLanes(context.workchain, (id) => augGet(shardAccountsAug, context.accounts, id)?.value, tools.keep)
  const queue = createOutQueue(context.queue.outQueue, context.queue.extra?.outQueueSize ?? 0)
  const runner = createRunner({ tvm: tools.tvm, environment: () => environmentOf(context, master), signal: tools.signal })
  const work = createWork({
    workchain: context.workchain,
    startLt: context.startLt,
    now: context.now,
    // As Collator::do_collate: the masterchain's block ends one later because it always commits a shard block, any other because it must not end at its start.
    minEndLt: context.startLt + 1n,
    lanes,
    runner,
    limits,
    queue,
  })
  return { lanes, work, queue }
}
