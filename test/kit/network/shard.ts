import { createHash } from 'node:crypto'
import { storeAugE } from '../../../server/cell/aug.ts'
import { serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { type BlockContext, openContext, refOf } from '../../../server/chain/local/collate/block-context.ts'
import { type BlockResults, buildBlockResults } from '../../../server/chain/local/collate/block-results.ts'
import type { Fresh } from '../../../server/chain/local/collate/block-so-far.ts'
import { createLimitStatus, type LimitStatus } from '../../../server/chain/local/collate/limits.ts'
import type { MasterView } from '../../../server/chain/local/collate/master/master-view.ts'
import { type Making, openWork, type WorkTools } from '../../../server/chain/local/collate/open-work.ts'
import { external } from '../../../server/chain/local/collate/phases/external.ts'
import { inbound } from '../../../server/chain/local/collate/phases/inbound.ts'
import { AT_DESTINATION, internal } from '../../../server/chain/local/collate/phases/internal.ts'
import { type Enqueued, messagesTo } from '../../../server/chain/local/collate/queue.ts'
import { keyOf, laterLt } from '../../../server/chain/local/hash-keys.ts'
import type { ChainTip, ExternalInput, MadeBlock } from '../../../server/chain/local/model.ts'
import { storeBlock, storeBlockExtra } from '../../../server/tlb/block/block.ts'
import { type BlockInfo, storeBlockInfo } from '../../../server/tlb/block/block-info.ts'
import { storeOutMsg } from '../../../server/tlb/block/out-msg.ts'
import { shardHasAccount } from '../../../server/tlb/block/shard-ident.ts'
import { storeValueFlow, type ValueFlow } from '../../../server/tlb/block/value-flow.ts'
import { NO_CURRENCY } from '../../../server/tlb/currency.ts'
import { storeMsgEnvelope } from '../../../server/tlb/message/msg-envelope.ts'
import { shardAccountsAug } from '../../../server/tlb/state/shard-account.ts'
import { storeShardState } from '../../../server/tlb/state/shard-state.ts'
import { makeUpdate } from '../make-update.ts'
import { type Descent, receiverOf } from './split.ts'

/* A block of one of several shards. The phases and the results are the embedded chain's; what depends on the shard is here. */

/** A shard after its last block. */
export interface Shard {
  readonly ident: bigint
  readonly tip: ChainTip['shard']
  /** Messages in its queue. */
  readonly queue: readonly Enqueued[]
  /** Seqno of its next validator session. */
  readonly catchainSeqno: number
}

/** How the block follows the ones before it. */
export interface Lineage {
  /** The last blocks of the shards before it. */
  readonly prev: readonly ChainTip['shard'][]
  /** After a split or a merge: where its update begins. */
  readonly descent?: Descent
  readonly kind: 'next' | 'afterSplit' | 'afterMerge' | 'beforeSplit'
}

export interface ShardInput {
  readonly inbound: readonly Enqueued[]
  readonly externals: readonly ExternalInput[]
  /** Messages of its queue that others have delivered, and the lt of the block that did. */
  readonly gone: readonly { readonly message: Enqueued; readonly importLt: bigint }[]
  readonly lineage: Lineage
  readonly utime: number
}

export interface ShardOutcome {
  readonly shard: Shard
  readonly made: MadeBlock
  readonly flow: ValueFlow
  readonly delivered: readonly Enqueued[]
  readonly postponed: readonly ExternalInput[]
  readonly transactions: number
}

const WORKCHAIN = 0

/** Puts a message to another shard into the queue. Among sixteen shards each message takes one hop. */
const enqueue = (making: Making, queue: Making['queue'], { lt, msg, info, transaction }: Fresh): void => {
  const addresses = { curAddr: { type: 'regular', useDestBits: 0 }, nextAddr: AT_DESTINATION } as const
  const envelope = storeMsgEnvelope({ ...addresses, fwdFeeRemaining: info.fwdFee, msg })
  making.journal.addOut(msg, storeOutMsg(beginCell(), { type: 'export-new', outMsg: envelope, transaction }).end())
  queue.add(lt, msg, info, envelope)
}

const dequeue = (making: Making, queue: Making['queue'], { message, importLt }: ShardInput['gone'][number]): void => {
  queue.remove(message)
  const nextAddrPrefix = (message.key >> 256n) & 0xffffffffffffffffn
  const record = { msgEnvHash: message.envelope.hash(), nextWorkchain: WORKCHAIN, nextAddrPrefix, importBlockLt: importLt }
  making.journal.describeOut([keyOf(message.msg.hash()), storeOutMsg(beginCell(), { type: 'export-deq-short', ...record }).end()])
}

/** The new messages that go to another shard are queued; the others are left to be delivered in this block. */
const sendAway = (making: Making, queue: Making['queue'], ident: bigint): void => {
  const { fresh } = making.journal
  const own: Fresh[] = []
  for (let item = fresh.pop(); item !== undefined; item = fresh.pop()) {
    if (shardHasAccount(ident, receiverOf(item))) own.push(item)
    else enqueue(making, queue, item)
  }
  for (const item of own) fresh.push(item)
}

const stateAfter = (context: BlockContext, ident: bigint, sum: BlockResults, endLt: bigint, beforeSplit: boolean): Cell => {
  const accounts = beginCell()
  storeAugE(accounts, shardAccountsAug, sum.accounts)
  const { totalValidatorFees } = context.state
  return storeShardState({
    globalId: context.globalId,
    workchain: WORKCHAIN,
    shard: ident,
    seqno: context.seqno,
    vertSeqno: 0,
    genUtime: context.now,
    genLt: endLt,
    minRefMcSeqno: context.master.seqno,
    outMsgQueueInfo: sum.queueInfo,
    beforeSplit,
    accounts: accounts.end(),
    overloadHistory: 0n,
    underloadHistory: 0n,
    totalBalance: sum.flow.toNextBlk,
    libraries: undefined,
    masterRef: context.master,
    totalValidatorFees: { grams: totalValidatorFees.grams + sum.flow.feesCollected.grams },
  })
}

interface Seal {
  readonly context: BlockContext
  readonly sum: BlockResults
  readonly tools: WorkTools
  readonly lineage: Lineage
  readonly keyBlockSeqno: number
  readonly catchainSeqno: number
  readonly endLt: bigint
}

const sealShard = (ident: bigint, { context, sum, tools, lineage, keyBlockSeqno, catchainSeqno, endLt }: Seal): MadeBlock => {
  const { kind, prev, descent } = lineage
  const { config } = context
  const state = stateAfter(context, ident, sum, endLt, kind === 'beforeSplit')
  const info: BlockInfo = {
    version: 0,
    notMaster: true,
    keyBlock: false,
    vertSeqnoIncr: false,
    vertSeqno: 0,
    flags: 1,
    afterMerge: kind === 'afterMerge',
    afterSplit: kind === 'afterSplit',
    beforeSplit: kind === 'beforeSplit',
    wantSplit: kind === 'beforeSplit',
    wantMerge: false,
    workchain: WORKCHAIN,
    shard: ident,
    seqno: context.seqno,
    genUtime: context.now,
    startLt: context.startLt,
    endLt,
    genCatchainSeqno: catchainSeqno,
    genValidatorListHashShort: tools.validator.setHash(catchainSeqno),
    minRefMcSeqno: context.master.seqno,
    prevKeyBlockSeqno: keyBlockSeqno,
    masterRef: context.master,
    genSoftware: { version: config.globalVersion, capabilities: config.capabilities },
    prevVert: undefined,
    prev: prev.map(refOf),
  }
  const root = storeBlock({
    globalId: context.globalId,
    info: storeBlockInfo(info),
    valueFlow: storeValueFlow({ ...sum.flow, burned: undefined }),
    stateUpdate: descent === undefined ? makeUpdate(context.root, state) : descent.updateTo(state),
    extra: storeBlockExtra({
      inMsgDescr: sum.inMsgDescr,
      outMsgDescr: sum.outMsgDescr,
      accountBlocks: sum.accountBlocks,
      randSeed: context.randSeed,
      createdBy: tools.validator.descr.publicKey,
    }),
  })
  const boc = serializeBoc(root)
  const fileHash = new Uint8Array(createHash('sha256').update(boc).digest())
  return { id: { workchain: WORKCHAIN, shard: ident, seqno: context.seqno, rootHash: root.hash(), fileHash }, boc, root, info, state }
}

/** The messages as they are taken; those that a block had no room for are not among the delivered ones. */
function* taken(messages: readonly Enqueued[], ident: bigint, delivered: Enqueued[]): Generator<Enqueued> {
  for (const message of messages) {
    yield { ...message, own: message.info.src?.type === 'std' && shardHasAccount(ident, message.info.src.hash) }
    delivered.push(message)
  }
}

const collate = async (making: Making, queue: Making['queue'], limits: LimitStatus, ident: bigint, input: ShardInput) => {
  for (const gone of input.gone) dequeue(making, queue, gone)
  const delivered: Enqueued[] = []
  await inbound(making, taken(input.inbound, ident, delivered))
  const outcomes = await external(making, input.externals, input.utime)
  const refused = outcomes.find(({ type }) => type === 'refused')
  if (refused !== undefined) throw new Error(`a transfer was refused: ${JSON.stringify(refused)}`)
  sendAway(making, queue, ident)
  if (limits.fitsInternal()) await internal(making)
  // What has no room is delivered from the queue, by the next block.
  for (let item = making.journal.fresh.pop(); item !== undefined; item = making.journal.fresh.pop()) enqueue(making, queue, item)
  return { delivered, postponed: input.externals.filter((_, i) => outcomes[i]!.type === 'postponed') }
}

/** The next block of a shard. */
export const collateOne = async (tools: WorkTools, shard: Shard, master: MasterView, input: ShardInput): Promise<ShardOutcome> => {
  const { ident, tip, catchainSeqno } = shard
  const context = openContext({
    end: tip,
    master: master.ref,
    config: master.config,
    now: Math.max(input.utime, tip.utime),
    afterLt: laterLt(tip.endLt, master.ref.endLt),
  })
  const limits = createLimitStatus(master.config.shardLimits, context.startLt)
  const making = openWork(tools, context, master, limits)
  const { delivered, postponed } = await collate(making, making.queue, limits, ident, input)
  const nothing = { feesImported: NO_CURRENCY, recovered: NO_CURRENCY, created: NO_CURRENCY, minted: NO_CURRENCY, burned: NO_CURRENCY }
  const sum = await buildBlockResults(context, making, { ...nothing, burnedFees: () => NO_CURRENCY }, tools.pause)
  const { endLt } = making.journal
  const keyBlockSeqno = master.keyBlock.seqno
  const made = sealShard(ident, { context, sum, tools, lineage: input.lineage, keyBlockSeqno, catchainSeqno, endLt })
  const end = { id: made.id, endLt, utime: context.now, state: made.state }
  const transactions = making.blockAccounts.changed().reduce((count, { transactions: own }) => count + own.length, 0)
  const left = [...messagesTo(sum.queue, WORKCHAIN, false)]
  return { shard: { ident, tip: end, queue: left, catchainSeqno }, made, flow: sum.flow, delivered, postponed, transactions }
}
