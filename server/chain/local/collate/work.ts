import { parseBocRoot, serializeBoc } from '../../../cell/boc.ts'
import { beginCell } from '../../../cell/builder.ts'
import type { Cell } from '../../../cell/cell.ts'
import { compact } from '../../../cell/copy.ts'
import { storeInMsg } from '../../../tlb/block/in-msg.ts'
import { storeOutMsg } from '../../../tlb/block/out-msg.ts'
import { type InternalMessageInfo, loadMessageInfo } from '../../../tlb/message/message-info.ts'
import { storeMsgEnvelope } from '../../../tlb/message/msg-envelope.ts'
import type { TransactionRequest, TransactionResult } from '../../../tvm/tvm.ts'
import { keyOf, laterLt } from '../bytes.ts'
import { commitTo, type Lane, type Lanes } from './accounts/lanes.ts'
import type { LimitStatus } from './limits.ts'
import { type Enqueued, type OutQueue, std } from './queue.ts'
import { briefTransaction, type TransactionBrief } from './run/brief.ts'
import { createHeap } from './run/heap.ts'
import type { Job, Runner } from './run/runner.ts'
import { creditOnly } from './run/unrun.ts'

/*
 * One block's transactions in TON's order (Collator::do_collate of validator/impl/collator.cpp): tick, messages out of nothing, inbound internal,
 * inbound external, messages made in this block, tock. What does not fit is left in queues for the next block.
 */

/** A record of InMsgDescr or OutMsgDescr: the hash of its message as a key, and the record in a cell of its own. */
export type Described = readonly [key: bigint, record: Cell]

/** A message that came out of a transaction of this block and has not been dealt with. */
interface Fresh {
  readonly lt: bigint
  readonly hash: string
  readonly msg: Cell
  readonly info: InternalMessageInfo
  readonly transaction: Cell
  /** Where it goes within this block; undefined for another workchain. */
  readonly lane: Lane | undefined
  job: Job | undefined
}

/** A transaction that was made, and what is read off it. */
type Ran = TransactionResult & { ok: true } & { readonly brief: TransactionBrief }

/** How an external message fared. */
export type ExternalOutcome =
  | { readonly type: 'accepted' }
  | { readonly type: 'refused'; readonly result: TransactionResult & { ok: false } }
  | { readonly type: 'postponed' }

const POSTPONED: ExternalOutcome = { type: 'postponed' }
/** Messages told to the runner before their turn: enough to fill a few batches, few enough to throw away when a block is full. */
const AHEAD = 128
/** Messages in the queue from which on no external ones are taken. */
const LONG_QUEUE = 8000

const PHASES = { tick: 0, special: 1, inbound: 2, external: 3, fresh: 4, tock: 5 } as const
/** interm_addr_regular with all 96 bits of the destination. */
const AT_DESTINATION = { type: 'regular', useDestBits: 96 } as const

export interface WorkInput {
  readonly workchain: number
  readonly startLt: bigint
  readonly now: number
  /** Lowest end_lt of the block. */
  readonly minEndLt: bigint
  readonly lanes: Lanes
  readonly runner: Runner
  readonly limits: LimitStatus
  readonly queue: OutQueue
}

const compareFresh = (a: Fresh, b: Fresh): number => (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0)

export const createWork = ({ workchain, startLt, now, minEndLt, lanes, runner, limits, queue }: WorkInput) => {
  const inMsgs: Described[] = []
  const outMsgs: Described[] = []
  const fresh = createHeap<Fresh>(compareFresh)
  let endLt = minEndLt
  let lastProcessed: { readonly lt: bigint; readonly hash: string } | undefined
  /** Once a limit is reached, whatever is made is queued. */
  let enqueueOnly = false
  let inboundEmpty = true

  const job = (lane: Lane, kind: TransactionRequest['kind'], phase: number, lt: bigint, at: bigint, hash: string, message?: Cell): Job => ({
    lane,
    kind,
    lt,
    order: { phase, lt: at, hash },
    ...(message === undefined ? {} : { message: serializeBoc(message, { crc32c: false }) }),
  })
  const messageJob = (lane: Lane, phase: number, message: Cell, afterLt: bigint, at: bigint, hash: string): Job =>
    job(lane, 'message', phase, laterLt(afterLt, startLt) + 1n, at, hash, message)

  /*
   * The result of a job. The emulator raises its lt above that of the account's last transaction, which an account that is not there (deleted, or
   * never made) does not tell: TON's collator remembers it within a block, and so does this.
   */
  const resultOf = async (wanted: Job): Promise<Ran | (TransactionResult & { ok: false })> => {
    const { lane } = wanted
    const result = await runner.result(wanted)
    if (!result.ok) return result
    const brief = briefTransaction(parseBocRoot(result.transaction))
    const last = lane.transactions.at(-1)
    if (last === undefined || brief.lt >= last.endLt) return { ...result, brief }
    runner.rebase(lane)
    const later = { ...wanted, lt: last.endLt }
    runner.foresee(later)
    runner.go()
    return resultOf(later)
  }
  /* Takes a finished transaction into the block and finds what it sent. */
  const commit = (lane: Lane, { brief, transaction, shardAccount }: Ran): TransactionBrief => {
    commitTo(lane, brief, shardAccount)
    limits.transaction(brief.gasUsed, transaction.length, brief.endLt)
    endLt = laterLt(endLt, brief.endLt)
    for (const [i, msg] of brief.outMsgs.entries()) register(msg, brief.root, brief.lt + 1n + BigInt(i))
    return brief
  }
  const register = (msg: Cell, transaction: Cell, lt: bigint): void => {
    limits.message()
    const info = loadMessageInfo(msg.slice())
    if (info.type !== 'internal') {
      outMsgs.push([keyOf(msg.hash()), storeOutMsg(beginCell(), { type: 'export-ext', msg, transaction }).end()])
      return
    }
    const dest = std(info.dest)
    const lane = dest.workchain === workchain ? lanes.lane(dest.hash) : undefined
    const item: Fresh = { lt, hash: msg.hashKey(), msg, info, transaction, lane, job: undefined }
    fresh.push(item)
    if (lane !== undefined && !enqueueOnly) {
      item.job = messageJob(lane, PHASES.fresh, msg, lt, lt, item.hash)
      later.push(item.job)
    }
  }
  /** Jobs of messages made here, told to the runner when their phase begins. */
  let later: Job[] = []

  const success = async (wanted: Job): Promise<Ran> => {
    const result = await resultOf(wanted)
    if (!result.ok) throw new Error(`an injected message to ${wanted.lane.name} could not be processed: ${result.error}`)
    return result
  }
  /* Delivers an internal message: by the emulator, or by crediting its value where the emulator falls over it. */
  const deliver = async (wanted: Job, msg: Cell, info: InternalMessageInfo): Promise<TransactionBrief> => {
    const result = await resultOf(wanted)
    if (result.ok) return commit(wanted.lane, result)
    lanes.settle(wanted.lane)
    const lt = laterLt(wanted.lt, wanted.lane.transactions.at(-1)?.endLt ?? 0n)
    const credited = creditOnly(wanted.lane, msg, info, now, lt)
    const brief = commit(wanted.lane, { ...credited, brief: briefTransaction(parseBocRoot(credited.transaction)) })
    runner.rebase(wanted.lane)
    return brief
  }
  const addIn = (msg: Cell, record: Cell): void => {
    inMsgs.push([keyOf(msg.hash()), record])
    limits.message()
  }

  /** tick (true) or tock transactions of accounts that are active and want them. */
  const tickTock = async (accounts: readonly Lane[], tick: boolean): Promise<void> => {
    const phase = tick ? PHASES.tick : PHASES.tock
    const lt = tick ? startLt + 1n : laterLt(endLt, startLt + 1n)
    const jobs = accounts.map((lane, i) => job(lane, tick ? 'tick' : 'tock', phase, lt, BigInt(i), ''))
    for (const wanted of jobs) runner.foresee(wanted)
    runner.go()
    for (const wanted of jobs) {
      const result = await resultOf(wanted)
      // One that the emulator falls over is left out.
      if (result.ok) commit(wanted.lane, result)
    }
  }

  /**
   * Messages out of nothing: recovered fees and minted currencies as in TON, and those injected by the chain's owner. As TON does for the former,
   * they are imported immediately, without a record in OutMsgDescr. The records, in the order given.
   */
  const special = async (messages: readonly { readonly msg: Cell; readonly info: InternalMessageInfo }[]): Promise<Cell[]> => {
    const jobs = messages.map(({ msg, info }, i) =>
      messageJob(lanes.lane(std(info.dest).hash), PHASES.special, msg, info.createdLt, BigInt(i), ''),
    )
    for (const wanted of jobs) runner.foresee(wanted)
    runner.go()
    const records: Cell[] = []
    for (const [i, { msg, info }] of messages.entries()) {
      const brief = commit(jobs[i]!.lane, await success(jobs[i]!))
      records.push(importNow(msg, info, brief.root).record)
    }
    return records
  }
  const importNow = (msg: Cell, info: InternalMessageInfo, transaction: Cell): { envelope: Cell; record: Cell } => {
    const envelope = storeMsgEnvelope({ curAddr: AT_DESTINATION, nextAddr: AT_DESTINATION, fwdFeeRemaining: info.fwdFee, msg })
    const record = storeInMsg(beginCell(), { type: 'import-imm', inMsg: envelope, transaction, fwdFee: info.fwdFee }).end()
    addIn(msg, record)
    return { envelope, record }
  }

  /** Messages from the neighbours' queues and from what this chain queued for itself, in (lt, hash) order. */
  const inbound = async (messages: Iterator<Enqueued>): Promise<void> => {
    const told: { readonly m: Enqueued; readonly wanted: Job }[] = []
    const tell = (): void => {
      while (told.length < AHEAD) {
        const { value: m, done } = messages.next()
        if (done) break
        const wanted = messageJob(lanes.lane(std(m.info.dest).hash), PHASES.inbound, m.msg, 0n, m.lt, m.hash)
        told.push({ m, wanted })
        runner.foresee(wanted)
      }
    }
    for (tell(); told.length > 0; tell()) {
      if (!limits.fitsInternal()) {
        inboundEmpty = false
        stop()
        return
      }
      runner.go()
      const { m, wanted } = told.shift()!
      const brief = await deliver(wanted, m.msg, m.info)
      lastProcessed = { lt: m.lt, hash: m.hash }
      const record = storeInMsg(beginCell(), {
        type: 'import-fin',
        inMsg: m.envelope,
        transaction: brief.root,
        fwdFee: m.fwdFeeRemaining,
      }).end()
      addIn(m.msg, record)
      if (m.own) {
        outMsgs.push([
          keyOf(m.msg.hash()),
          storeOutMsg(beginCell(), { type: 'export-deq-imm', outMsg: m.envelope, reimport: record }).end(),
        ])
        queue.remove(m)
      }
    }
  }

  /**
   * External messages in order of arrival; equal ones wait for a later block, since InMsgDescr holds a message once. A long queue is worked off first
   * (SKIP_EXTERNALS_QUEUE_SIZE).
   */
  const external = async (messages: readonly { readonly message: Cell; readonly hash: Uint8Array }[]): Promise<ExternalOutcome[]> => {
    const afterLt = lastProcessed?.lt ?? 0n
    const seen = new Set<string>()
    const told: (Job | undefined)[] = []
    const tell = (upTo: number): void => {
      for (let i = told.length; i < Math.min(upTo, messages.length); i++) {
        const { message, hash } = messages[i]!
        const twin = seen.has(message.hashKey())
        seen.add(message.hashKey())
        const wanted = twin ? undefined : messageJob(lanes.lane(hash), PHASES.external, message, afterLt, BigInt(i), '')
        told.push(wanted)
        if (wanted !== undefined) runner.foresee(wanted)
      }
    }
    const outcomes: ExternalOutcome[] = []
    for (const [i, { message }] of messages.entries()) {
      if (queue.size > LONG_QUEUE || !limits.fitsExternal()) {
        runner.clear()
        return [...outcomes, ...messages.slice(i).map(() => POSTPONED)]
      }
      tell(i + AHEAD)
      runner.go()
      const wanted = told[i]
      if (wanted === undefined) {
        outcomes.push(POSTPONED)
        continue
      }
      const result = await resultOf(wanted)
      if (!result.ok) {
        outcomes.push({ type: 'refused', result })
        continue
      }
      const brief = commit(wanted.lane, result)
      addIn(message, storeInMsg(beginCell(), { type: 'import-ext', msg: message, transaction: brief.root }).end())
      outcomes.push({ type: 'accepted' })
    }
    return outcomes
  }

  /** Messages made in this block: delivered while there is room, queued after. */
  const internal = async (): Promise<void> => {
    for (let item = fresh.pop(); item !== undefined; item = fresh.pop()) {
      if (!enqueueOnly && !limits.fitsInternal()) stop()
      if (item.lane === undefined || enqueueOnly) {
        enqueue(item)
        continue
      }
      if (later.length > 0) {
        for (const wanted of later) runner.foresee(wanted)
        later = []
        runner.go()
      }
      const { lt, hash, msg, info, transaction } = item
      const brief = await deliver(item.job!, msg, info)
      lastProcessed = { lt, hash }
      const { envelope, record } = importNow(msg, info, brief.root)
      outMsgs.push([
        keyOf(msg.hash()),
        storeOutMsg(beginCell(), { type: 'export-imm', outMsg: envelope, transaction, reimport: record }).end(),
      ])
    }
  }
  const stop = (): void => {
    enqueueOnly = true
    later = []
    runner.clear()
  }
  const enqueue = (item: Fresh): void => {
    // Hypercube routing between a shard that is its whole workchain, the masterchain and itself: one hop, to the destination.
    const envelope = storeMsgEnvelope({
      curAddr: { type: 'regular', useDestBits: 0 },
      nextAddr: AT_DESTINATION,
      fwdFeeRemaining: item.info.fwdFee,
      msg: item.msg,
    })
    outMsgs.push([
      keyOf(item.msg.hash()),
      storeOutMsg(beginCell(), { type: 'export-new', outMsg: envelope, transaction: item.transaction }).end(),
    ])
    queue.add(item.lt, item.msg, item.info, compact(envelope))
  }

  return {
    tickTock,
    special,
    inbound,
    external,
    internal,
    /** From here on whatever is made is queued (what tock transactions send). */
    stop,
    /** A record that a message of the own queue was delivered by a neighbour. */
    describeOut: (described: Described): void => {
      outMsgs.push(described)
      limits.message()
    },
    get endLt() {
      return endLt
    },
    get lastProcessed() {
      return lastProcessed
    },
    /** Whether every message that stood in a queue before the block was processed. */
    get inboundEmpty() {
      return inboundEmpty
    },
    inMsgs: (): Described[] => inMsgs.sort(byKey),
    outMsgs: (): Described[] => outMsgs.sort(byKey),
  }
}
export type Work = ReturnType<typeof createWork>

const byKey = (a: Described, b: Described): number => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)
