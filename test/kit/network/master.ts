import { augRootExtra, augSet } from '../../../server/cell/aug.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { openContext } from '../../../server/chain/local/collate/block-context.ts'
import { buildBlockResults } from '../../../server/chain/local/collate/block-results.ts'
import { replaceAccounts } from '../../../server/chain/local/collate/injected-inputs.ts'
import { createLimitStatus } from '../../../server/chain/local/collate/limits.ts'
import { applyConfigInput, configAfter } from '../../../server/chain/local/collate/master/config-change.ts'
import { advanceSessions, describeShard, withPrevBlock } from '../../../server/chain/local/collate/master/extras.ts'
import type { MasterView } from '../../../server/chain/local/collate/master/master-view.ts'
import { moneyOf, specialMessage } from '../../../server/chain/local/collate/master/money.ts'
import { openWork, type WorkTools } from '../../../server/chain/local/collate/open-work.ts'
import { internal } from '../../../server/chain/local/collate/phases/internal.ts'
import { special } from '../../../server/chain/local/collate/phases/special.ts'
import { sealBlock } from '../../../server/chain/local/collate/seal.ts'
import { laterLt } from '../../../server/chain/local/hash-keys.ts'
import type { ChainTip, MadeBlock } from '../../../server/chain/local/model.ts'
import { shardFeesAug, shardFeesKey, storeMcBlockExtra, storeShardFeeCreated } from '../../../server/tlb/block/mc-block-extra.ts'
import type { ShardDescr } from '../../../server/tlb/block/shard-descr.ts'
import { type ShardEntry, storeShardEntries } from '../../../server/tlb/block/shard-hashes.ts'
import type { ValueFlow } from '../../../server/tlb/block/value-flow.ts'
import { addCurrency, NO_CURRENCY } from '../../../server/tlb/currency.ts'
import { storeMcStateExtra } from '../../../server/tlb/state/mc-state-extra.ts'

/* The masterchain block that commits the blocks of all shards. */

/** What became of a shard since the last masterchain block. */
export interface ShardNews {
  readonly ident: bigint
  readonly catchainSeqno: number
  /** Its new blocks and their value flows, none if it made no block. */
  readonly made: readonly MadeBlock[]
  readonly flows: readonly ValueFlow[]
  /** What the masterchain said of it before. */
  readonly descr: ShardDescr | undefined
  readonly plan: Partial<Pick<ShardDescr, 'beforeSplit' | 'beforeMerge' | 'splitMergeAt'>>
}

export interface MasterOutcome {
  readonly made: MadeBlock
  readonly shards: readonly ShardEntry[]
  readonly transactions: number
}

const feesOf = (flows: readonly ValueFlow[]) => ({
  fees: flows.reduce((sum, { feesCollected }) => addCurrency(sum, feesCollected), NO_CURRENCY),
  create: NO_CURRENCY,
})

const entryOf = (news: ShardNews, regMcSeqno: number, newSession: number): ShardEntry => {
  const top = news.made.at(-1)
  const catchainSeqno = news.catchainSeqno + newSession
  const fresh = top && describeShard(top, { regMcSeqno, catchainSeqno, ...feesOf(news.flows) })
  const none = { beforeSplit: false, beforeMerge: false, splitMergeAt: { type: 'none' } } as const
  const descr = { ...(fresh ?? news.descr!), ...none, ...news.plan, nextCatchainSeqno: catchainSeqno, nextValidatorShard: news.ident }
  return { workchain: 0, shard: news.ident, descr }
}

/** `params`: parameters to replace. */
export const commitShards = async (
  tools: WorkTools,
  tip: ChainTip['master'],
  master: MasterView,
  news: readonly ShardNews[],
  params: ReadonlyMap<number, Cell>,
): Promise<MasterOutcome> => {
  const { config, extra } = master
  const tops = news.flatMap(({ made }) => made)
  const context = openContext({
    end: tip,
    master: master.ref,
    config,
    now: Math.max(tip.utime, ...tops.map(({ info }) => info.genUtime)),
    afterLt: tops.reduce((lt, { info }) => laterLt(lt, info.endLt), master.ref.endLt),
  })
  const limits = createLimitStatus(config.masterLimits, context.startLt)
  const making = openWork(tools, context, master, limits)
  const { blockAccounts } = making
  const flows = news.flatMap((each) => each.flows)
  const money = moneyOf(master, { ...flows[0]!, feesCollected: feesOf(flows).fees, created: NO_CURRENCY, minted: NO_CURRENCY })
  const isSpecial = (hash: Uint8Array): boolean => config.special.some((known) => Buffer.compare(known, hash) === 0)
  const replaced = await replaceAccounts(
    blockAccounts,
    await applyConfigInput(extra, blockAccounts, [], params, tools.pause),
    context.now,
    isSpecial,
  )
  const recover = specialMessage(config.feeCollector, money.recovered, context)
  const [recoverMsg] = await special(making, recover)
  await internal(making)
  const { importedFees: feesImported, recovered, created, mintedExtra, burnedFees } = money
  const sources = {
    feesImported,
    recovered,
    created,
    minted: addCurrency(mintedExtra, replaced.minted),
    burned: replaced.burned,
    burnedFees,
  }
  const sum = await buildBlockResults(context, making, sources, tools.pause)

  const after = configAfter(extra, config, sum.accounts)
  const keyBlock = after.changed || context.seqno === 1
  const clock = { keyBlock, now: context.now, prevNow: tip.utime, validator: tools.validator }
  const sessions = advanceSessions({ ...master, shardCatchainSeqno: 0 }, after.view, clock)
  const shards = news.map((each) => entryOf(each, context.seqno, sessions.shardCatchainSeqno))
  const shardHashes = storeShardEntries(shards)
  const shardFees = news
    .filter(({ made }) => made.length > 0)
    .reduce<Cell | undefined>(
      (root, { ident, flows: own }) => augSet(shardFeesAug, root, shardFeesKey(0, ident), storeShardFeeCreated(beginCell(), feesOf(own))),
      undefined,
    )
  const stateExtra = storeMcStateExtra({
    shardHashes,
    config: after.params,
    validatorInfo: sessions.validatorInfo,
    prevBlocks: withPrevBlock(extra, master.ref),
    afterKeyBlock: keyBlock,
    lastKeyBlock: master.keyBlock,
    globalBalance: [created, mintedExtra, replaced.minted, augRootExtra(shardFeesAug, shardFees).create].reduce(
      addCurrency,
      extra.globalBalance,
    ),
  })
  const blockExtra = storeMcBlockExtra({
    shardHashes,
    shardFees,
    prevBlkSignatures: undefined,
    recoverCreateMsg: recoverMsg,
    mintMsg: undefined,
    config: keyBlock ? after.params : undefined,
  })
  const { catchainSeqno } = extra.validatorInfo
  const seal = {
    endLt: making.journal.endLt,
    limits,
    minRefMcSeqno: Math.min(...shards.map(({ descr }) => descr.minRefMcSeqno)),
    prevKeyBlockSeqno: master.keyBlock.seqno,
    keyBlock,
    catchainSeqno,
    createdBy: tools.validator.descr.publicKey,
    validatorListHashShort: tools.validator.setHash(catchainSeqno),
    libraries: undefined,
    stateExtra,
    blockExtra,
  }
  const made = await sealBlock(context, sum, seal, tools.pause)
  return { made, shards, transactions: blockAccounts.changed().reduce((count, { transactions }) => count + transactions.length, 0) }
}
