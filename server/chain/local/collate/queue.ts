import { augSetManySteps } from '../../../cell/aug.ts'
import { type Builder, beginCell } from '../../../cell/builder.ts'
import type { Cell } from '../../../cell/cell.ts'
import { CellError } from '../../../cell/cell.ts'
import type { MsgAddressInt, StdAddress } from '../../../tlb/address.ts'
import { internalInfo } from '../../../tlb/block/in-msg-descr.ts'
import { toHex } from '../../../tlb/bytes.ts'
import { type AccountId, MASTERCHAIN } from '../../../tlb/ids.ts'
import type { InternalMessageInfo } from '../../../tlb/message/message-info.ts'
import { emittedLt, loadMsgEnvelope } from '../../../tlb/message/msg-envelope.ts'
import {
  loadEnqueuedMsg,
  loadOutMsgQueueInfo,
  loadProcessedInfo,
  outMsgQueueAug,
  type ProcessedUpto,
  storeEnqueuedMsg,
} from '../../../tlb/state/out-msg-queue.ts'
import { loadShardState } from '../../../tlb/state/shard-state.ts'
import { keyOf } from '../hash-keys.ts'
import type { ChainTip } from '../model.ts'
import { walkQueue } from './queue-walk.ts'

export interface Enqueued {
  /** 352 bits: next workchain, next address prefix, message hash. */
  readonly key: bigint
  readonly lt: bigint
  readonly hash: string
  readonly enqueuedLt: bigint
  readonly envelope: Cell
  readonly fwdFeeRemaining: bigint
  readonly msg: Cell
  readonly info: InternalMessageInfo
  /** True if the importing chain takes the message from its own queue. */
  readonly own: boolean
}

/** The address as addr_std. Throws CellError for other kinds of addresses, which cannot pass the action phase of a basic workchain. */
export const std = (address: MsgAddressInt): StdAddress => {
  if (address.type === 'std') return address
  throw new CellError('range', 'a message to an address that is not addr_std')
}

// key is next workchain:int32, next address prefix:uint64, message hash:bits256; the next hop is always the destination.
const queueKey = (info: InternalMessageInfo, msg: Cell): bigint => {
  const { workchain, hash } = std(info.dest)
  const prefix = BigInt(`0x${toHex(hash.subarray(0, 8))}`)
  return (BigInt.asUintN(32, BigInt(workchain)) << 320n) | (prefix << 256n) | keyOf(msg.hash())
}

/** Messages of an OutMsgQueue whose next hop is `workchain`, in (lt, hash) order, read lazily. */
export function* messagesTo(root: Cell | undefined, workchain: number, own: boolean): Generator<Enqueued> {
  for (const { key, value } of walkQueue(root, workchain)) {
    const { enqueuedLt, outMsg } = loadEnqueuedMsg(value)
    const envelope = loadMsgEnvelope(outMsg)
    const { msg, fwdFeeRemaining } = envelope
    yield {
      key: keyOf(key),
      lt: emittedLt(envelope),
      hash: msg.hashKey(),
      enqueuedLt,
      envelope: outMsg,
      fwdFeeRemaining,
      msg,
      info: internalInfo(msg),
      own,
    }
  }
}

const before = (a: Enqueued, b: Enqueued): boolean => (a.lt === b.lt ? a.hash < b.hash : a.lt < b.lt)

export function* mergeQueues(a: Iterator<Enqueued>, b: Iterator<Enqueued>): Generator<Enqueued> {
  let [x, y] = [a.next(), b.next()]
  while (!x.done || !y.done) {
    if (!x.done && (y.done || before(x.value, y.value))) {
      yield x.value
      x = a.next()
    } else if (!y.done) {
      yield y.value
      y = b.next()
    }
  }
}

/**
 * True if a chain with this ProcessedInfo has processed the message. TON also checks that the chain could see the message (enqueued_lt below the end of the
 * block that it knew). With one shard per workchain every block sees its neighbour's complete queue, and messages enqueued later have a larger lt. So the
 * (lt, hash) of the last processed message alone decides.
 */
export const wasProcessed = (message: Pick<Enqueued, 'lt' | 'hash'>, processed: readonly ProcessedUpto[]): boolean =>
  processed.some(({ lastMsgLt, lastMsgHash }) => {
    if (message.lt !== lastMsgLt) return message.lt < lastMsgLt
    return message.hash <= Buffer.from(lastMsgHash).toString('latin1')
  })

/** Messages of a neighbour's queue that a chain has not processed yet. The neighbour removes processed messages in its next block. */
export function* unprocessed(messages: Iterable<Enqueued>, processed: readonly ProcessedUpto[]): Generator<Enqueued> {
  for (const message of messages) if (!wasProcessed(message, processed)) yield message
}

const covers = (a: ProcessedUpto, b: ProcessedUpto): boolean =>
  a.mcSeqno >= b.mcSeqno && (a.lastMsgLt !== b.lastMsgLt ? a.lastMsgLt > b.lastMsgLt : Buffer.compare(a.lastMsgHash, b.lastMsgHash) >= 0)

/** ProcessedInfo with `row` added and covered rows removed (MsgProcessedUptoCollection::insert and compactify). */
export const withProcessed = (rows: readonly ProcessedUpto[], row: ProcessedUpto): ProcessedUpto[] =>
  rows.some((old) => covers(old, row)) ? [...rows] : [...rows.filter((old) => !covers(row, old)), row]

/** The OutMsgQueue of the block under construction. `root` applies all collected changes. */
export const createOutQueue = (root: Cell | undefined, size: number) => {
  const changes = new Map<bigint, Builder | undefined>()
  let count = size
  return {
    add(lt: bigint, msg: Cell, info: InternalMessageInfo, envelope: Cell): void {
      changes.set(queueKey(info, msg), storeEnqueuedMsg(beginCell(), { enqueuedLt: lt, outMsg: envelope }))
      count++
    },
    remove(message: Enqueued): void {
      changes.set(message.key, undefined)
      count--
    },
    get size() {
      return count
    },
    *root(): Generator<void, Cell | undefined> {
      return yield* augSetManySteps(
        outMsgQueueAug,
        root,
        [...changes].sort(([a], [b]) => (a < b ? -1 : 1)),
      )
    },
  }
}

interface Queues {
  readonly queue: Cell | undefined
  readonly processed: readonly ProcessedUpto[]
}

/** All queued messages that no block has processed. Read lazily, because `holdMessages` needs only the first message. */
function* waitingIn(shard: Queues, master: Queues): Generator<Enqueued> {
  yield* messagesTo(shard.queue, 0, true)
  // Filtered, because a processed message remains in the queue until its source chain makes another block.
  yield* unprocessed(messagesTo(shard.queue, MASTERCHAIN, false), master.processed)
  yield* unprocessed(messagesTo(master.queue, 0, false), shard.processed)
  yield* messagesTo(master.queue, MASTERCHAIN, true)
}

export const holdMessages = (shard: Queues, master: Queues): boolean => !waitingIn(shard, master).next().done

const queuesOf = (state: Cell): Queues => {
  const { outQueue, procInfo } = loadOutMsgQueueInfo(loadShardState(state).outMsgQueueInfo)
  return { queue: outQueue, processed: loadProcessedInfo(procInfo) }
}

/** @internal The receivers of messages. Yields after each message. */
export function* receiversOf(messages: Iterable<Enqueued>): Generator<void, readonly AccountId[]> {
  const found = new Map<string, AccountId>()
  for (const { info } of messages) {
    const { workchain, hash } = std(info.dest)
    found.set(`${workchain}:${toHex(hash)}`, { workchain, hash })
    yield
  }
  return [...found.values()]
}

/** The receivers of all queued messages. Takes a step for each message, of which a contract can queue a hundred thousand. */
export const receiversWaitingAt = ({ shard, master }: Pick<ChainTip, 'shard' | 'master'>): Generator<void, readonly AccountId[]> =>
  receiversOf(waitingIn(queuesOf(shard.state), queuesOf(master.state)))

export const messagesWaitAt = ({ shard, master }: ChainTip): boolean => holdMessages(queuesOf(shard.state), queuesOf(master.state))
