import type { Cell } from '../../../../cell/cell.ts'
import { loadBlock } from '../../../../tlb/block/block.ts'
import { loadValueFlow } from '../../../../tlb/block/value-flow.ts'
import { addCurrency } from '../../../../tlb/currency.ts'
import { MASTERCHAIN } from '../../../../tlb/ids.ts'
import { loadOutMsgQueueInfo } from '../../../../tlb/state/out-msg-queue.ts'
import { loadShardState } from '../../../../tlb/state/shard-state.ts'
import { laterLt } from '../../hash-keys.ts'
import type { ChainTip, MadeBlock } from '../../model.ts'
import { wantsTickTock } from '../accounts/block-accounts.ts'
import { openContext } from '../block-context.ts'
import { buildBlockResults } from '../block-results.ts'
import { sendAs } from '../impersonate.ts'
import { injectedMessages, replaceAccounts } from '../injected-inputs.ts'
import { createLimitStatus } from '../limits.ts'
import { openWork, type WorkTools } from '../open-work.ts'
import { external } from '../phases/external.ts'
import { inbound } from '../phases/inbound.ts'
import { internal } from '../phases/internal.ts'
import { special, tickTock } from '../phases/special.ts'
import { mergeQueues, messagesTo, unprocessed } from '../queue.ts'
import { sealBlock } from '../seal.ts'
import { type BlockInput, type BlockOutcome, dequeueDelivered } from '../shard.ts'
import { applyConfigInput } from './config-change.ts'
import { masterExtras } from './extras.ts'
import { publicLibraries } from './libraries.ts'
import type { MasterView } from './master-view.ts'
import { moneyOf, specialMessage } from './money.ts'

export interface MasterInput extends BlockInput {
  readonly config: ReadonlyMap<number, Cell | undefined>
}

export const collateMaster = async (
  tools: WorkTools,
  tip: ChainTip,
  master: MasterView,
  shard: MadeBlock,
  input: MasterInput,
): Promise<BlockOutcome> => {
  const { config, extra } = master
  const context = openContext({
    end: tip.master,
    master: master.ref,
    config,
    now: Math.max(shard.info.genUtime, tip.master.utime),
    afterLt: laterLt(shard.info.endLt, master.ref.endLt),
  })
  const limits = createLimitStatus(config.masterLimits, context.startLt)
  const making = openWork(tools, context, master, limits)
  const { blockAccounts, journal } = making
  const specials = config.special.map((hash) => blockAccounts.get(hash))
  const isSpecial = (hash: Uint8Array): boolean => config.special.some((specialHash) => Buffer.compare(specialHash, hash) === 0)

  const shardState = loadShardState(shard.state)
  const money = moneyOf(master, loadValueFlow(loadBlock(shard.root).valueFlow))

  await dequeueDelivered(context, making, { workchain: 0, queueInfo: shardState.outMsgQueueInfo, endLt: shard.info.endLt })
  const replacements = await applyConfigInput(extra, blockAccounts, input.accounts, input.config, tools.pause)
  const replaced = await replaceAccounts(blockAccounts, replacements, context.now, isSpecial)

  await tickTock(making, wantsTickTock(specials, true), 'tick')
  const sent = await sendAs(making, input.sends)
  const recover = specialMessage(config.feeCollector, money.recovered, context)
  const mint = specialMessage(config.minter, money.mintedExtra, context)
  const injected = injectedMessages(input.internals, context.startLt + 1n, context.now)
  const records = await special(making, [...recover, ...mint, ...injected.messages])
  const fromShard = messagesTo(loadOutMsgQueueInfo(shardState.outMsgQueueInfo).outQueue, MASTERCHAIN, false)
  const toItself = messagesTo(context.queue.outQueue, MASTERCHAIN, true)
  await inbound(making, mergeQueues(unprocessed(fromShard, context.processed), toItself))
  const externals = await external(making, input.externals, context.now)
  await internal(making)
  await tickTock(making, wantsTickTock(specials, false), 'tock')
  // Messages of tock transactions are queued and not delivered.
  making.enqueueOnly = true
  await internal(making)

  const minted = addCurrency(replaced.minted, injected.value)
  const { importedFees: feesImported, recovered, created, mintedExtra, burnedFees } = money
  const sources = { feesImported, recovered, created, minted: addCurrency(mintedExtra, minted), burned: replaced.burned, burnedFees }
  const sum = await buildBlockResults(context, making, sources, tools.pause)
  const { keyBlock, minRefMcSeqno, stateExtra, blockExtra } = masterExtras(
    context,
    {
      tip,
      master,
      shard,
      money,
      injected: minted,
      accounts: sum.accounts,
      recoverMsg: recover.length > 0 ? records[0] : undefined,
      mintMsg: mint.length > 0 ? records[recover.length] : undefined,
    },
    tools.validator,
  )
  const { catchainSeqno } = extra.validatorInfo
  const made = await sealBlock(
    context,
    sum,
    {
      endLt: journal.endLt,
      limits,
      minRefMcSeqno: Math.min(context.seqno, minRefMcSeqno, ...sum.processed.map((row) => row.mcSeqno)),
      prevKeyBlockSeqno: master.keyBlock.seqno,
      keyBlock,
      validatorListHashShort: tools.validator.setHash(catchainSeqno),
      catchainSeqno,
      createdBy: tools.validator.descr.publicKey,
      libraries: await publicLibraries(master.state.libraries, blockAccounts.changed(), tools.pause),
      stateExtra,
      blockExtra,
    },
    tools.pause,
  )
  return { made, sent, printed: journal.printed, externals, queue: sum.queue, processed: sum.processed }
}
