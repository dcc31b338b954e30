import { type Pause, runSteps } from '../../../base/yield.ts'
import { augRootExtra, augSetManySteps, storeAugE } from '../../../cell/aug.ts'
import { type Builder, beginCell } from '../../../cell/builder.ts'
import type { Cell } from '../../../cell/cell.ts'
import { accountTransactionsAug, shardAccountBlocksAug, storeAccountBlock } from '../../../tlb/block/account-block.ts'
import { inMsgDescrAug } from '../../../tlb/block/in-msg-descr.ts'
import { outMsgDescrAug } from '../../../tlb/block/out-msg-descr.ts'
import type { ValueFlow } from '../../../tlb/block/value-flow.ts'
import { addCurrency, type CurrencyCollection, equalCurrency, grams, NO_CURRENCY, subCurrency } from '../../../tlb/currency.ts'
import { WHOLE_SHARD } from '../../../tlb/ids.ts'
import { type ProcessedUpto, storeOutMsgQueueInfo, storeProcessedInfo } from '../../../tlb/state/out-msg-queue.ts'
import { shardAccountsAug, storeShardAccount } from '../../../tlb/state/shard-account.ts'
import { storeHashUpdate } from '../../../tlb/transaction/transaction.ts'
import { type BlockAccount, exists } from './accounts/block-accounts.ts'
import type { BlockContext } from './block-context.ts'
import type { Making } from './open-work.ts'
import { withProcessed } from './queue.ts'

export type BlockResults = Awaited<ReturnType<typeof buildBlockResults>>
type Flow = ValueFlow & { readonly burned: CurrencyCollection }

/** Value that enters or leaves a block other than by messages and transactions: imported fees, and recovered, created, minted and burned value. */
export type Sources = Pick<ValueFlow, 'feesImported' | 'recovered' | 'created' | 'minted'> & {
  readonly burned: CurrencyCollection
  /** The part of the fees that is burned and not collected. */
  burnedFees(fees: CurrencyCollection): CurrencyCollection
}

/** Capability bit 64: OutMsgQueueInfo contains out_queue_size. */
const STORE_QUEUE_SIZE = 64n
const ALL_ONES: Uint8Array = new Uint8Array(32).fill(0xff)

const augECell = <Y>(spec: Parameters<typeof storeAugE<Y>>[1], root: Cell | undefined): Cell => {
  const b = beginCell()
  storeAugE(b, spec, root)
  return b.end()
}

// acc_trans#5 account_addr:bits256 transactions:(HashmapAug 64 ^Transaction CurrencyCollection) state_update:^(HASH_UPDATE Account) = AccountBlock;
function* accountBlock(blockAccount: BlockAccount): Generator<void, Builder> {
  const rows = blockAccount.transactions.map(({ lt, root }): [bigint, Builder] => [lt, beginCell().storeRef(root)])
  const transactions = (yield* augSetManySteps(accountTransactionsAug, undefined, rows))!
  const stateUpdate = storeHashUpdate({ oldHash: blockAccount.accountBefore.hash(), newHash: blockAccount.now.accountCell.hash() })
  return storeAccountBlock(beginCell(), { account: blockAccount.hash, transactions, stateUpdate })
}

function* accountBlocksOf(active: readonly BlockAccount[]): Generator<void, Cell | undefined> {
  const rows: [bigint, Builder][] = []
  for (const blockAccount of active) {
    rows.push([blockAccount.id, yield* accountBlock(blockAccount)])
    yield
  }
  return yield* augSetManySteps(shardAccountBlocksAug, undefined, rows)
}

function* accountsAfter(root: Cell | undefined, blockAccounts: readonly BlockAccount[]): Generator<void, Cell | undefined> {
  const rows: [bigint, Builder | undefined][] = []
  for (const blockAccount of blockAccounts) {
    if (exists(blockAccount.now.accountCell)) rows.push([blockAccount.id, storeShardAccount(beginCell(), blockAccount.now)])
    else if (exists(blockAccount.accountInState)) rows.push([blockAccount.id, undefined])
  }
  return yield* augSetManySteps(shardAccountsAug, root, rows)
}

/* Collator::update_processed_upto */
const processedAfter = (context: BlockContext, { journal, inboundEmpty }: Making): readonly ProcessedUpto[] => {
  const mcSeqno = context.workchain === -1 ? context.seqno : context.master.seqno
  const row = (lastMsgLt: bigint, lastMsgHash: Uint8Array): ProcessedUpto => ({ shard: WHOLE_SHARD, mcSeqno, lastMsgLt, lastMsgHash })
  const last = journal.lastProcessed
  if (last !== undefined) return withProcessed(context.processed, row(last.lt, Buffer.from(last.hash, 'latin1')))
  if (!inboundEmpty || context.master.endLt === 0n) return context.processed
  return withProcessed(context.processed, row(context.master.endLt - 1n, ALL_ONES))
}

/**
 * Makes the dictionaries, the queue and the value flow of a block after its transactions. Throws if the value flow does not balance, because such a block
 * is invalid.
 */
export const buildBlockResults = async (context: BlockContext, making: Making, sources: Sources, pause: Pause) => {
  const { globalVersion, capabilities } = context.config
  const { journal, queue } = making
  await making.blockAccounts.prepare()
  const blockAccounts = making.blockAccounts.changed()
  await pause()
  const active = blockAccounts.filter((blockAccount) => blockAccount.transactions.length > 0)
  const accountBlocks = await runSteps(accountBlocksOf(active))
  const accounts = await runSteps(accountsAfter(context.accounts, blockAccounts))
  const inSpec = inMsgDescrAug(globalVersion)
  const outSpec = outMsgDescrAug(globalVersion)
  const inMsgs = await runSteps(augSetManySteps(inSpec, undefined, journal.inMsgs()))
  const outMsgs = await runSteps(augSetManySteps(outSpec, undefined, journal.outMsgs()))
  const outQueue = await runSteps(queue.root())
  await pause()

  const imports = augRootExtra(inSpec, inMsgs)
  const ownFees = addCurrency(augRootExtra(shardAccountBlocksAug, accountBlocks), grams(imports.feesCollected))
  const burnedFees = sources.burnedFees(ownFees)
  const flow = {
    fromPrevBlk: context.state.totalBalance,
    toNextBlk: augRootExtra(shardAccountsAug, accounts).balance,
    imported: imports.valueImported,
    exported: augRootExtra(outSpec, outMsgs),
    feesCollected: less(addCurrency(addCurrency(ownFees, sources.created), sources.feesImported), burnedFees),
    burned: addCurrency(sources.burned, burnedFees),
    feesImported: sources.feesImported,
    recovered: sources.recovered,
    created: sources.created,
    minted: sources.minted,
  }
  const balanced = checkFlow(context, flow, active)
  const processed = processedAfter(context, making)
  return {
    /** Cells of HashmapAugE. */
    inMsgDescr: augECell(inSpec, inMsgs),
    outMsgDescr: augECell(outSpec, outMsgs),
    accountBlocks: augECell(shardAccountBlocksAug, accountBlocks),
    accounts,
    queue: outQueue,
    queueInfo: storeOutMsgQueueInfo({
      outQueue,
      procInfo: storeProcessedInfo(processed),
      extra: capabilities & STORE_QUEUE_SIZE ? { dispatchQueue: undefined, outQueueSize: queue.size } : undefined,
    }),
    queueSize: queue.size,
    processed,
    flow: balanced,
  }
}

/** a - b in nanograms. Extra currencies are not subtracted, because fees are never paid in extra currencies. */
const less = (a: CurrencyCollection, b: CurrencyCollection): CurrencyCollection => ({ ...a, grams: a.grams - b.grams })

const sum = (values: readonly CurrencyCollection[]): CurrencyCollection => values.reduce(addCurrency, NO_CURRENCY)
const checkFlow = (context: BlockContext, flow: Flow, active: readonly BlockAccount[]): Flow => {
  const come = sum([flow.fromPrevBlk, flow.imported, flow.feesImported, flow.recovered, flow.created, flow.minted])
  const go = sum([flow.toNextBlk, flow.exported, flow.feesCollected, flow.burned])
  if (equalCurrency(come, go)) return flow
  // The black hole account of parameter 5 burns the nanograms of every internal message that it receives. Its transactions do not record the amount, so the
  // difference counts as burned.
  const blackhole = context.workchain === -1 ? context.config.burn?.blackhole : undefined
  if (
    blackhole !== undefined &&
    come.grams > go.grams &&
    active.some((blockAccount) => Buffer.compare(blockAccount.hash, blackhole) === 0)
  ) {
    return { ...flow, burned: addCurrency(flow.burned, subCurrency(come, go)) }
  }
  const text = Object.entries(flow).map(([name, value]) => `${name} ${value.grams}`)
  throw new Error(`block ${context.workchain}:${context.seqno} does not balance: ${come.grams} in, ${go.grams} out (${text.join(', ')})`)
}
