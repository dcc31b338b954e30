import { beginCell } from '../../../cell/builder.ts'
import type { Cell } from '../../../cell/cell.ts'
import { storeOutMsg } from '../../../tlb/block/out-msg.ts'
import { NO_CURRENCY } from '../../../tlb/currency.ts'
import { loadOutMsgQueueInfo, loadProcessedInfo, type ProcessedUpto } from '../../../tlb/state/out-msg-queue.ts'
import { keyOf, laterLt } from '../hash-keys.ts'
import type { ChainTip, MadeBlock, PrintedTransaction, SentTransaction, StepInput } from '../model.ts'
import { type BlockContext, openContext } from './block-context.ts'
import { buildBlockResults } from './block-results.ts'
import { sendAs } from './impersonate.ts'
import { injectedMessages, replaceAccounts } from './injected-inputs.ts'
import { createLimitStatus } from './limits.ts'
import type { MasterView } from './master/master-view.ts'
import { type Making, openWork, type WorkTools } from './open-work.ts'
import { type ExternalOutcome, external } from './phases/external.ts'
import { inbound } from './phases/inbound.ts'
import { internal } from './phases/internal.ts'
import { special } from './phases/special.ts'
import { mergeQueues, messagesTo, unprocessed, wasProcessed } from './queue.ts'
import { sealBlock } from './seal.ts'

export type BlockInput = Required<Pick<StepInput, 'externals' | 'internals' | 'accounts' | 'sends'>>
export interface BlockOutcome {
  readonly made: MadeBlock
  readonly sent: readonly SentTransaction[]
  readonly printed: readonly PrintedTransaction[]
  readonly externals: readonly ExternalOutcome[]
  readonly queue: Cell | undefined
  readonly processed: readonly ProcessedUpto[]
}

/** Capability bit 32: dequeue records contain the envelope's hash (export-deq-short). */
const SHORT_DEQUEUE = 32n

/**
 * Removes from the queue the messages that the neighbour has processed, and adds a dequeue record of each to the block's OutMsgDescr
 * (Collator::out_msg_queue_cleanup). `queueInfo`: the neighbour's OutMsgQueueInfo; `endLt`: end_lt of the block that it is from.
 */
export const dequeueDelivered = async (
  context: BlockContext,
  { queue, journal, pause }: Making,
  neighbour: { readonly workchain: number; readonly queueInfo: Cell; readonly endLt: bigint },
): Promise<void> => {
  const processed = loadProcessedInfo(loadOutMsgQueueInfo(neighbour.queueInfo).procInfo)
  for (const message of messagesTo(context.queue.outQueue, neighbour.workchain, false)) {
    if (!wasProcessed(message, processed)) break
    await pause()
    queue.remove(message)
    const record =
      context.config.capabilities & SHORT_DEQUEUE
        ? ({
            type: 'export-deq-short',
            msgEnvHash: message.envelope.hash(),
            nextWorkchain: neighbour.workchain,
            nextAddrPrefix: (message.key >> 256n) & 0xffffffffffffffffn,
            importBlockLt: neighbour.endLt,
          } as const)
        : ({ type: 'export-deq', outMsg: message.envelope, importBlockLt: neighbour.endLt } as const)
    journal.describeOut([keyOf(message.msg.hash()), storeOutMsg(beginCell(), record).end()])
  }
}

export const collateShard = async (
  tools: WorkTools,
  tip: ChainTip,
  master: MasterView,
  input: BlockInput,
  utime: number,
): Promise<BlockOutcome> => {
  const { shard } = tip
  const context = openContext({
    end: shard,
    master: master.ref,
    config: master.config,
    now: Math.max(utime, shard.utime, tip.master.utime),
    afterLt: laterLt(shard.endLt, master.ref.endLt),
  })
  const limits = createLimitStatus(master.config.shardLimits, context.startLt)
  const making = openWork(tools, context, master, limits)
  const { blockAccounts, journal } = making

  await dequeueDelivered(context, making, { workchain: -1, queueInfo: master.state.outMsgQueueInfo, endLt: master.ref.endLt })
  const replaced = await replaceAccounts(blockAccounts, input.accounts, context.now, () => false)
  const sent = await sendAs(making, input.sends)
  const injected = injectedMessages(input.internals, context.startLt, context.now)
  await special(making, injected.messages)
  const fromMaster = messagesTo(loadOutMsgQueueInfo(master.state.outMsgQueueInfo).outQueue, 0, false)
  const toItself = messagesTo(context.queue.outQueue, 0, true)
  await inbound(making, mergeQueues(unprocessed(fromMaster, context.processed), toItself))
  const externals = await external(making, input.externals, context.now)
  await internal(making)

  const created = { grams: context.config.shardCreateFee }
  const sum = await buildBlockResults(
    context,
    making,
    {
      feesImported: NO_CURRENCY,
      recovered: NO_CURRENCY,
      created,
      minted: { grams: replaced.minted.grams + injected.value.grams },
      burned: replaced.burned,
      burnedFees: () => NO_CURRENCY,
    },
    tools.pause,
  )
  const catchainSeqno = master.shardCatchainSeqno
  const made = await sealBlock(
    context,
    sum,
    {
      endLt: journal.endLt,
      limits,
      minRefMcSeqno: Math.min(master.ref.seqno, ...sum.processed.map((row) => row.mcSeqno)),
      prevKeyBlockSeqno: master.keyBlock.seqno,
      keyBlock: false,
      validatorListHashShort: tools.validator.setHash(catchainSeqno),
      catchainSeqno,
      createdBy: tools.validator.descr.publicKey,
      libraries: undefined,
    },
    tools.pause,
  )
  return { made, sent, printed: journal.printed, externals, queue: sum.queue, processed: sum.processed }
}
