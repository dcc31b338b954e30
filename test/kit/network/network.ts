import { createPauses } from '../../../server/base/yield.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import type { SignatureSet } from '../../../server/chain/liteserver.ts'
import { createKeep } from '../../../server/chain/local/collate/accounts/block-accounts.ts'
import { viewMaster } from '../../../server/chain/local/collate/master/master-view.ts'
import type { WorkTools } from '../../../server/chain/local/collate/open-work.ts'
import { type Enqueued, messagesTo } from '../../../server/chain/local/collate/queue.ts'
import { createConfigCache } from '../../../server/chain/local/config/view.ts'
import type { ChainTip, ExternalInput, Genesis, MadeBlock } from '../../../server/chain/local/model.ts'
import type { Validator } from '../../../server/chain/local/validator.ts'
import type { ShardDescr } from '../../../server/tlb/block/shard-descr.ts'
import { shardChildren, shardHasAccount, shardParent, shardPrefixLength } from '../../../server/tlb/block/shard-ident.ts'
import { WHOLE_SHARD } from '../../../server/tlb/ids.ts'
import { loadOutMsgQueueInfo } from '../../../server/tlb/state/out-msg-queue.ts'
import { loadShardState } from '../../../server/tlb/state/shard-state.ts'
import { makeTransaction } from '../../../server/tvm/make-transaction.ts'
import { createRandom } from '../random.ts'
import { networkGenesis } from './genesis.ts'
import { createLoad, type LoadOptions } from './load.ts'
import { commitShards, type ShardNews } from './master.ts'
import { collateOne, type Lineage, type Shard, type ShardInput } from './shard.ts'
import { mergeBoth, receiverOf, splitOff } from './split.ts'
import { createValidators } from './validators.ts'

/*
 * A made-up network of mainnet's shape: shards that split and merge, a hundred validators that change, plain transfers. The same options make the same
 * blocks. Its transactions are made by the project's own executor, and its blocks have all that TON's have, but for collated data and the processed-up-to
 * rows of single shards.
 */

export interface NetworkOptions extends LoadOptions {
  readonly seed: number
  /** Unix seconds of the zerostate. */
  readonly utime: number
  /** Milliseconds from one masterchain block to the next. */
  readonly stepMs: number
  /** Steps from one split or merge to the next, at least four. They split until there are `mostShards`, merge until there is one, and so on. */
  readonly pace: number
  readonly mostShards: number
  /** Steps from one key block to the next. */
  readonly keyEvery: number
}

export interface NetworkStep {
  readonly master: MadeBlock
  readonly signatures: SignatureSet
  /** The new blocks of the shards, each after its previous ones. */
  readonly shards: readonly MadeBlock[]
  readonly transactions: number
  readonly isBurst: boolean
  readonly shardCount: number
  readonly splits: number
  readonly merges: number
}

export interface Network {
  readonly genesis: Genesis
  /** Makes the next masterchain block, with the shard blocks that it commits. */
  step(): Promise<NetworkStep>
}

/** A split of one shard, or a merge of two: said by the masterchain, then begun by the last block of the shard before, then done. */
interface Plan {
  readonly kind: 'split' | 'merge'
  readonly idents: readonly bigint[]
  readonly stage: 'said' | 'begun' | 'done'
}

type Known = Shard & { readonly descr: ShardDescr | undefined }
type Item = { readonly shard: Known; readonly lineage: Lineage; readonly blocks: number }

/** Milliseconds for which the making of a block holds the event loop: its lite-server may be in the same process. */
const SLICE_MS = 3

/** Parts of the steps in which a shard makes no block, and two blocks. */
const IDLE = 0.1
const TWICE = 0.1

const queueOf = (state: Cell): readonly Enqueued[] => [
  ...messagesTo(loadOutMsgQueueInfo(loadShardState(state).outMsgQueueInfo).outQueue, 0, false),
]

const inOrder = (a: Enqueued, b: Enqueued): number => (a.lt === b.lt ? (a.hash < b.hash ? -1 : 1) : a.lt < b.lt ? -1 : 1)

const isOwn = ({ info }: Enqueued, ident: bigint): boolean => info.src?.type === 'std' && shardHasAccount(ident, info.src.hash)

export const createNetwork = (options: NetworkOptions): Network => {
  const random = createRandom(options.seed)
  const validators = createValidators(options.seed)
  const load = createLoad(random, options)
  const genesis = networkGenesis(validators, load.accounts, options.utime)
  const readConfig = createConfigCache()
  const keep = createKeep()
  const { signal } = new AbortController()
  let master: ChainTip['master'] = genesis.tip.master
  let signers: { readonly config: Cell; readonly validator: Validator } | undefined
  let shards: readonly Known[] = [{ ident: WHOLE_SHARD, tip: genesis.tip.shard, queue: [], catchainSeqno: 0, descr: undefined }]
  let pool: readonly ExternalInput[] = []
  let plan: Plan | undefined
  let isSplitting = true
  let number = 0
  let round = 0
  /** Messages that are delivered and still in a queue, by hash, and the lt of the block that delivered them. */
  const delivered = new Map<string, bigint>()

  const newPlan = (): Plan | undefined => {
    if (shards.length >= options.mostShards) isSplitting = false
    if (shards.length === 1) isSplitting = true
    const present = new Set(shards.map(({ ident }) => ident))
    if (isSplitting) {
      const most = Math.log2(options.mostShards)
      const able = [...present].filter((ident) => shardPrefixLength(ident) < most)
      return { kind: 'split', idents: [random.pick(able)], stage: 'said' }
    }
    const parents = [...new Set([...present].map(shardParent))].filter((parent) => shardChildren(parent).every((half) => present.has(half)))
    return { kind: 'merge', idents: shardChildren(random.pick(parents)), stage: 'said' }
  }

  const advancePlan = (): void => {
    if (plan?.stage === 'said') plan = { ...plan, stage: 'begun' }
    else if (plan?.stage === 'begun') plan = { ...plan, stage: 'done' }
    else plan = number % options.pace === 0 ? newPlan() : undefined
  }

  const halves = (parent: Known): readonly Item[] =>
    ([0, 1] as const).map((side) => {
      const descent = splitOff(parent.tip.state, side, parent.queue)
      const ident = shardChildren(parent.ident)[side]
      const tip = { ...parent.tip, id: { ...parent.tip.id, shard: ident }, state: descent.state }
      const shard = { ...parent, ident, tip, queue: queueOf(descent.state), catchainSeqno: parent.catchainSeqno + 1 }
      return { shard, lineage: { prev: [parent.tip], descent, kind: 'afterSplit' }, blocks: 1 }
    })

  const whole = (left: Known, right: Known): Item => {
    const others = shards.filter((each) => each !== left && each !== right).map(({ ident }) => ident)
    const queue = [...left.queue, ...right.queue]
    const descent = mergeBoth(left.tip.state, right.tip.state, others, queue)
    const ident = shardParent(left.ident)
    const newest = left.tip.id.seqno > right.tip.id.seqno ? left.tip : right.tip
    const endLt = left.tip.endLt > right.tip.endLt ? left.tip.endLt : right.tip.endLt
    const utime = Math.max(left.tip.utime, right.tip.utime)
    const tip = { id: { ...newest.id, shard: ident }, endLt, utime, state: descent.state }
    const catchainSeqno = Math.max(left.catchainSeqno, right.catchainSeqno) + 1
    const shard = { ...left, ident, tip, queue: queueOf(descent.state), catchainSeqno }
    return { shard, lineage: { prev: [left.tip, right.tip], descent, kind: 'afterMerge' }, blocks: 1 }
  }

  const next = (shard: Known): Item => {
    const chance = random.fraction()
    // A first block has to be made: without it the masterchain has nothing to say about the shard.
    const isFirst = shard.tip.id.seqno === 0
    const isPlanned = plan?.stage === 'begun' && plan.idents.includes(shard.ident)
    const blocks = isFirst || isPlanned ? 1 : chance < IDLE ? 0 : chance < IDLE + TWICE ? 2 : 1
    const kind = isPlanned && plan?.kind === 'split' ? 'beforeSplit' : 'next'
    return { shard, lineage: { prev: [shard.tip], kind }, blocks }
  }

  const itemsNow = (): readonly Item[] => {
    if (plan?.stage !== 'done') return shards.map(next)
    const { kind, idents } = plan
    return shards.flatMap((shard) => {
      if (!idents.includes(shard.ident)) return next(shard)
      if (kind === 'split') return halves(shard)
      return shard.ident === idents[0] ? whole(shard, shards.find(({ ident }) => ident === idents[1])!) : []
    })
  }

  const planOf = (ident: bigint, utime: number): ShardNews['plan'] => {
    if (plan === undefined || plan.stage === 'done' || !plan.idents.includes(ident)) return {}
    const splitMergeAt = { type: plan.kind, utime, interval: 10 } as const
    const isBegun = plan.stage === 'begun'
    return { splitMergeAt, beforeSplit: isBegun && plan.kind === 'split', beforeMerge: isBegun && plan.kind === 'merge' }
  }

  const goneFrom = ({ queue }: Shard): ShardInput['gone'] =>
    queue.flatMap((message) => {
      const importLt = delivered.get(message.hash)
      return importLt === undefined ? [] : { message, importLt }
    })

  const toolsNow = (): WorkTools => {
    const { config } = viewMaster(tipNow(), readConfig)
    if (signers?.config !== config.root) signers = { config: config.root, validator: validators.under(config.root) }
    return { make: makeTransaction, validator: signers.validator, keep, pause: createPauses(SLICE_MS), libraries: (root) => root, signal }
  }
  const tipNow = (): ChainTip => ({ master, shard: genesis.tip.shard, keyBlockSeqno: 0 })

  return {
    genesis,
    async step() {
      number++
      advancePlan()
      const utime = options.utime + 1 + Math.floor((number * options.stepMs) / 1000)
      const { transfers, isBurst } = load.at(number)
      const waiting = shards.flatMap(({ queue }) => queue).filter(({ hash }) => !delivered.has(hash))
      const externals = [...pool, ...transfers]
      const tools = toolsNow()
      const view = viewMaster(tipNow(), readConfig)
      const made: MadeBlock[] = []
      const news: ShardNews[] = []
      const after: Known[] = []
      const postponed: ExternalInput[] = []
      const fresh: { readonly hash: string; readonly endLt: bigint }[] = []
      let transactions = 0
      for (const { shard, lineage, blocks } of itemsNow()) {
        const { ident } = shard
        const own = externals.filter(({ dest }) => shardHasAccount(ident, dest.hash))
        const own1: ShardNews = {
          ident,
          catchainSeqno: shard.catchainSeqno,
          made: [],
          flows: [],
          descr: shard.descr,
          plan: planOf(ident, utime),
        }
        const [mine, flows]: [MadeBlock[], ShardNews['flows'][number][]] = [[], []]
        let now: Shard = shard
        let left: readonly ExternalInput[] = own
        for (let i = 0; i < blocks; i++) {
          const part = i === blocks - 1 ? left : left.slice(0, left.length >> 1)
          const outcome = await collateOne(tools, now, view, {
            inbound: i > 0 ? [] : waiting.filter((message) => shardHasAccount(ident, receiverOf(message))).sort(inOrder),
            externals: part,
            gone: i > 0 ? [] : goneFrom(shard),
            lineage: i > 0 ? { prev: [now.tip], kind: 'next' } : lineage,
            utime,
          })
          left = [...outcome.postponed, ...left.slice(part.length)]
          now = outcome.shard
          mine.push(outcome.made)
          flows.push(outcome.flow)
          transactions += outcome.transactions
          for (const message of outcome.delivered) if (!isOwn(message, ident)) fresh.push({ hash: message.hash, endLt: now.tip.endLt })
        }
        if (blocks > 0) for (const { hash } of shard.queue) delivered.delete(hash)
        postponed.push(...left)
        made.push(...mine)
        news.push({ ...own1, made: mine, flows })
        after.push({ ...now, descr: shard.descr })
      }
      for (const { hash, endLt } of fresh) delivered.set(hash, endLt)
      const params = number % options.keyEvery === 0 ? new Map([[34, validators.param(++round, utime)]]) : new Map<number, Cell>()
      const committed = await commitShards(tools, master, view, news, params)
      const { info, id, state } = committed.made
      master = { id, endLt: info.endLt, utime: info.genUtime, state }
      shards = after.map((shard, i) => {
        const { descr } = committed.shards[i]!
        return { ...shard, descr, catchainSeqno: descr.nextCatchainSeqno }
      })
      pool = postponed
      return {
        master: committed.made,
        signatures: tools.validator.sign(id, info.genCatchainSeqno),
        shards: made,
        isBurst,
        transactions: transactions + committed.transactions,
        shardCount: shards.length,
        splits: plan?.stage === 'done' && plan.kind === 'split' ? 1 : 0,
        merges: plan?.stage === 'done' && plan.kind === 'merge' ? 1 : 0,
      }
    },
  }
}
