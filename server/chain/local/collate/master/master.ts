import { augRootExtra, augSet } from '../../../../cell/aug.ts'
import { beginCell } from '../../../../cell/builder.ts'
import type { Cell } from '../../../../cell/cell.ts'
import { loadBlock } from '../../../../tlb/block/block.ts'
import { storeMcBlockExtra } from '../../../../tlb/block/mc-block-extra.ts'
import { shardFeesAug, shardFeesKey, storeShardFeeCreated } from '../../../../tlb/block/shard-fees.ts'
import { loadValueFlow } from '../../../../tlb/block/value-flow.ts'
import { addCurrency, type CurrencyCollection, grams, NO_CURRENCY } from '../../../../tlb/currency.ts'
import { MASTERCHAIN, WHOLE_SHARD } from '../../../../tlb/ids.ts'
import { storeMcStateExtra } from '../../../../tlb/state/mc-state-extra.ts'
import { loadOutMsgQueueInfo } from '../../../../tlb/state/out-msg-queue.ts'
import { loadShardState } from '../../../../tlb/state/shard-state.ts'
import { laterLt } from '../../bytes.ts'
import type { ChainTip, MadeBlock } from '../../model.ts'
import { wantsTickTock } from '../accounts/block-accounts.ts'
import { openContext } from '../context.ts'
import { injectedMessages, replaceAccounts } from '../inputs.ts'
import { createLimitStatus } from '../limits.ts'
import { mergeQueues, messagesTo, unprocessed } from '../queue.ts'
import { sealBlock } from '../seal.ts'
import { type BlockInput, type BlockOutcome, dequeueDelivered } from '../shard.ts'
import { tally } from '../tally.ts'
import { openWork, type WorkTools } from '../tools.ts'
import { applyConfigInput, configAfter } from './config-change.ts'
import { publicLibraries } from './libraries.ts'
import type { MasterView } from './master-view.ts'
import { advanceSessions, describeShard, shardHashesWith, withPrevBlock } from './mc-extra.ts'
import { mintedCurrencies, recoveredFees, specialMessage } from './money.ts'

/** Input of a masterchain block. */
export interface MasterInput extends BlockInput {
  /** Parameters to replace; undefined removes one. */
  readonly config: ReadonlyMap<number, Cell | undefined>
}

/** Makes the masterchain block that commits `shard`, the new block of workchain 0. */
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
  const { blockAccounts, work, queue } = openWork(tools, context, master, limits)
  const special = config.special.map((hash) => blockAccounts.get(hash))
  const isSpecial = (hash: Uint8Array): boolean => config.special.some((known) => Buffer.compare(known, hash) === 0)

  const shardState = loadShardState(shard.state)
  const shardFlow = loadValueFlow(loadBlock(shard.root).valueFlow)
  // funds_created includes injected coins of the shard, so that global_balance stays the sum of all balances.
  const create = addCurrency(shardFlow.created, shardFlow.minted)
  const burn = (fees: CurrencyCollection): CurrencyCollection =>
    config.burn === undefined || fees.grams <= 0n ? NO_CURRENCY : grams((fees.grams * config.burn.numerator) / config.burn.denominator)
  const importedFees = shardFlow.feesCollected
  const burnedImports = burn(grams(importedFees.grams - shardFlow.created.grams))
  const created = grams(config.masterCreateFee)
  const recovered = recoveredFees(config, created.grams + importedFees.grams - burnedImports.grams + master.state.totalValidatorFees.grams)
  const mintedExtra = mintedCurrencies(config, extra.globalBalance)

  dequeueDelivered(context, work, queue, { workchain: 0, queueInfo: shardState.outMsgQueueInfo, endLt: shard.info.endLt })
  const replaced = replaceAccounts(
    blockAccounts,
    applyConfigInput(extra, blockAccounts, input.accounts, input.config),
    context.now,
    isSpecial,
  )

  await work.tick(wantsTickTock(special, true))
  const { recover, mint } = {
    recover: specialMessage(config.feeCollector, recovered, context),
    mint: specialMessage(config.minter, mintedExtra, context),
  }
  const injected = injectedMessages(input.internals, context.startLt + 1n, context.now)
  const records = await work.special([...recover, ...mint, ...injected.messages])
  const fromShard = messagesTo(loadOutMsgQueueInfo(shardState.outMsgQueueInfo).outQueue, MASTERCHAIN, false)
  const toItself = messagesTo(context.queue.outQueue, MASTERCHAIN, true)
  await work.inbound(mergeQueues(unprocessed(fromShard, context.processed), toItself))
  const externals = await work.external(input.externals.map(({ message, dest }) => ({ message, hash: dest.hash })))
  await work.internal()
  await work.tock(wantsTickTock(special, false))
  work.stop()
  await work.internal()

  const sum = await tally(
    context,
    work,
    blockAccounts,
    queue,
    {
      feesImported: importedFees,
      recovered,
      created,
      minted: addCurrency(addCurrency(mintedExtra, replaced.minted), injected.value),
      burned: replaced.burned,
      burnedFees: (fees) => addCurrency(burn(fees), burnedImports),
    },
    tools.pause,
  )

  const after = configAfter(extra, config, sum.accounts)
  const keyBlock = after.changed || context.seqno === 1
  const sessions = advanceSessions(master, after.view, {
    keyBlock,
    now: context.now,
    prevNow: tip.master.utime,
    validator: tools.validator,
  })
  const descr = describeShard(shard, { regMcSeqno: context.seqno, catchainSeqno: sessions.shardCatchainSeqno, fees: importedFees, create })
  const shardHashes = shardHashesWith(extra.shardHashes, descr)
  const fee = { fees: importedFees, create }
  const shardFees = augSet(shardFeesAug, undefined, shardFeesKey(0, WHOLE_SHARD), storeShardFeeCreated(beginCell(), fee))
  const stateExtra = storeMcStateExtra({
    shardHashes,
    config: after.params,
    validatorInfo: sessions.validatorInfo,
    prevBlocks: withPrevBlock(extra, master.ref),
    afterKeyBlock: keyBlock,
    lastKeyBlock: master.keyBlock,
    globalBalance: [created, mintedExtra, replaced.minted, injected.value, augRootExtra(shardFeesAug, shardFees).create].reduce(
      addCurrency,
      extra.globalBalance,
    ),
  })
  const blockExtra = storeMcBlockExtra({
    shardHashes,
    shardFees,
    prevBlkSignatures: undefined,
    recoverCreateMsg: recover.length > 0 ? records[0] : undefined,
    mintMsg: mint.length > 0 ? records[recover.length] : undefined,
    config: keyBlock ? after.params : undefined,
  })
  const { catchainSeqno } = extra.validatorInfo
  const made = await sealBlock(
    context,
    sum,
    {
      endLt: work.journal.endLt,
      limits,
      minRefMcSeqno: Math.min(context.seqno, descr.minRefMcSeqno, ...sum.processed.map((row) => row.mcSeqno)),
      prevKeyBlockSeqno: master.keyBlock.seqno,
      keyBlock,
      validatorListHashShort: tools.validator.setHash(catchainSeqno),
      catchainSeqno,
      createdBy: tools.validator.descr.publicKey,
      libraries: publicLibraries(master.state.libraries, blockAccounts.changed()),
      stateExtra,
      blockExtra,
    },
    tools.pause,
  )
  return { made, externals, queue: sum.queue, processed: sum.processed }
}
