import { transactionOf } from '../../../actions/from-transactions.ts'
import type { Trace, TraceTransaction } from '../../../actions/trace.ts'
import { createPauses, type Pause, runSteps } from '../../../base/yield.ts'
import { TRACE_BROKEN } from '../../../store/codes.ts'
import { type Row, select } from '../../../store/schema/select.ts'
import { traces } from '../../../store/schema/traces.ts'
import type { BlockView, PlacedTransaction, TopicContext } from '../topic.ts'
import { readTraces } from './stored-traces.ts'
import {
  addTransaction,
  isTooLarge,
  MAX_BYTES,
  MAX_MESSAGES,
  MAX_TRANSACTIONS,
  mostBytes,
  newTraceSize,
  sizeOf,
  type TraceSize,
} from './trace-size.ts'

/** Maximum number of messages in memory, and bytes of their bodies, of all traces together. */
const REMEMBERED = { messages: 100_000, bytes: 128 << 20 } as const
/** Maximum number of traces that are followed. */
const FOLLOWED = 100_000
/** Number of masterchain blocks after which a trace without a new transaction is removed from memory. */
const PATIENCE = 64
/** Maximum number of messages, and bytes of their bodies, of traces that are read or classified together: those of one trace. A larger trace is alone. */
const AT_ONCE = { messages: MAX_MESSAGES, bytes: MAX_BYTES } as const

interface OpenTrace {
  /** Undefined if they are not in memory. Then they are read from the tables when the trace is complete. */
  transactions: TraceTransaction[] | undefined
  /** Size of all its transactions, in memory or not. */
  readonly size: TraceSize
  /** Number of messages that were sent but have not arrived. */
  pending: number
  seqno: number
  /** True if the beginning of the trace is not indexed. The trace then never becomes complete. */
  broken: boolean
}

/** A trace that is complete. If it is too large, it has only its last transaction. */
export interface CompleteTrace extends Trace {
  readonly isTooLarge: boolean
}

const STATES = select(traces, ['trace_id', 'state', 'nodes', 'edges', 'pending_edges'], 'where trace_id = any($1::bytea[])')

export interface OpenTraces {
  /** Adds a block's transactions. Yields the traces that the block completes, in portions, in the order of their first transactions in the block. */
  add(block: BlockView, context: Pick<TopicContext, 'stored'>): AsyncGenerator<readonly CompleteTrace[]>
}

const sentBy = ({ outMessages }: TraceTransaction): number =>
  outMessages.reduce((sum, { destination }) => sum + (destination === null ? 0 : 1), 0)

/** Number of messages that are sent but not received. Each transaction except the first received a message of the trace. */
const pendingAfter = (transactions: readonly TraceTransaction[]): number =>
  transactions.reduce((sum, tx) => sum + sentBy(tx), 0) - (transactions.length - 1)

type Volume = Pick<TraceSize, 'messages' | 'bytes'>

/** Returns whether two volumes together are within a limit. */
const fit = (one: Volume, other: Volume, limit: Volume): boolean =>
  one.messages + other.messages <= limit.messages && one.bytes + other.bytes <= limit.bytes

const addVolume = (sum: Volume, { messages, bytes }: Volume): void => {
  sum.messages += messages
  sum.bytes += bytes
}

/** Splits items into portions that are within AT_ONCE. */
function* portionsOf<T>(items: readonly T[], volumeOf: (item: T) => Volume): Generator<readonly T[]> {
  let [portion, sum]: [T[], Volume] = [[], newTraceSize()]
  for (const item of items) {
    const volume = volumeOf(item)
    if (portion.length > 0 && !fit(sum, volume, AT_ONCE)) {
      yield portion
      portion = []
      sum = newTraceSize()
    }
    portion.push(item)
    addVolume(sum, volume)
  }
  if (portion.length > 0) yield portion
}

/** The most that a trace can have by its row. Only its messages have the bytes of their bodies. */
const mostOf = ({ nodes, edges, pending_edges }: Pick<Row<typeof STATES>, 'nodes' | 'edges' | 'pending_edges'>): Volume => {
  const messages = nodes + edges + pending_edges
  return { messages, bytes: mostBytes(messages) }
}

const toTransaction = ({ tx, hash, account }: PlacedTransaction, mcSeqno: number): TraceTransaction =>
  transactionOf({ tx, hash: hash.toString('latin1'), workchain: account.readInt32BE(0), mcSeqno })

interface Completed {
  readonly id: string
  readonly trace: OpenTrace
  /** The transactions of the block that completed the trace. */
  readonly last: readonly TraceTransaction[]
}

export const createOpenTraces = (): OpenTraces => {
  const open = new Map<string, OpenTrace>()

  const forget = (seqno: number): void => {
    let count = 0
    // `open` is in the order of last use, so the newest traces are at the end.
    for (const [id, trace] of [...open].reverse()) if (trace.seqno < seqno - PATIENCE || ++count > FOLLOWED) open.delete(id)
  }

  /** Frees memory. Without its transactions a trace is still followed: if traces of many blocks were read at each of their blocks, the index would fall behind. */
  const free = (): void => {
    const sum = newTraceSize()
    for (const trace of [...open.values()].reverse()) {
      if (trace.transactions === undefined) continue
      if (isTooLarge(trace.size) || !fit(sum, trace.size, REMEMBERED)) trace.transactions = undefined
      else addVolume(sum, trace.size)
    }
  }

  /** Reads those of the traces that are not in memory. */
  const load = async (ids: readonly string[], block: BlockView, { stored: read }: Pick<TopicContext, 'stored'>): Promise<void> => {
    // A trace that cannot be read in full counts as broken.
    for (const id of ids)
      open.set(id, { transactions: undefined, size: newTraceSize(), pending: 0, seqno: block.mcSeqno - 1, broken: true })
    const rows = await read(STATES, [ids.map((id) => Buffer.from(id, 'latin1'))])
    const whole = rows.filter(({ state, nodes }) => state !== TRACE_BROKEN && nodes <= MAX_TRANSACTIONS)
    for (const portion of portionsOf(whole, mostOf)) {
      const keys = portion.map(({ trace_id }) => trace_id)
      for (const [id, transactions] of await readTraces(read, keys, block.mcSeqno))
        open.set(id, {
          transactions: [...transactions],
          size: await runSteps(sizeOf({ transactions })),
          pending: pendingAfter(transactions),
          seqno: block.mcSeqno - 1,
          broken: false,
        })
      free()
    }
  }

  /** Adds transactions of the block to a trace. Returns them. */
  const extend = async (
    trace: OpenTrace,
    placed: readonly PlacedTransaction[],
    mcSeqno: number,
    pause: Pause,
  ): Promise<TraceTransaction[]> => {
    const added: TraceTransaction[] = []
    for (const one of placed) {
      const tx = toTransaction(one, mcSeqno)
      trace.pending += sentBy(tx) - 1
      await pause()
      for (const _ of addTransaction(trace.size, tx)) await pause()
      // Of a trace that is too large only the last transaction is used.
      if (isTooLarge(trace.size)) {
        trace.transactions = undefined
        added.length = 0
      }
      added.push(tx)
      trace.transactions?.push(tx)
    }
    return added
  }

  const wholeTraces = async (
    portion: readonly Completed[],
    { mcSeqno }: BlockView,
    { stored }: Pick<TopicContext, 'stored'>,
  ): Promise<readonly CompleteTrace[]> => {
    const unread = portion.filter(({ trace }) => trace.transactions === undefined && !isTooLarge(trace.size))
    const keys = unread.map(({ id }) => Buffer.from(id, 'latin1'))
    const found = keys.length === 0 ? new Map<string, readonly TraceTransaction[]>() : await readTraces(stored, keys, mcSeqno)
    return portion.flatMap(({ id, trace, last }): CompleteTrace[] => {
      if (isTooLarge(trace.size)) return [{ id, transactions: last, isTooLarge: true }]
      if (trace.transactions !== undefined) return [{ id, transactions: trace.transactions, isTooLarge: false }]
      const before = found.get(id)
      return before === undefined ? [] : [{ id, transactions: [...before, ...last], isTooLarge: false }]
    })
  }

  return {
    async *add(block, context) {
      const { mcSeqno } = block
      forget(mcSeqno)
      free()
      const byTrace = new Map<string, PlacedTransaction[]>()
      for (const placed of block.transactions) {
        const id = placed.traceId.toString('latin1')
        const ofTrace = byTrace.get(id)
        if (ofTrace === undefined) byTrace.set(id, [placed])
        else ofTrace.push(placed)
      }
      const missing: string[] = []
      for (const [id, [first]] of byTrace) {
        // A block that failed is derived again. A trace in memory may already have the transactions of this block, so the trace is read from the tables,
        // which lack the block.
        if ((open.get(id)?.seqno ?? 0) >= mcSeqno) open.delete(id)
        if (open.has(id)) continue
        if (first!.hash.toString('latin1') !== id) missing.push(id)
        else open.set(id, { transactions: [], size: newTraceSize(), pending: 1, seqno: mcSeqno - 1, broken: first!.isCutOff })
      }
      if (missing.length > 0) await load(missing, block, context)
      const complete: Completed[] = []
      const pause = createPauses()
      for (const [id, placed] of byTrace) {
        const trace = open.get(id)!
        open.delete(id)
        if (trace.broken) continue
        const last = await extend(trace, placed, mcSeqno, pause)
        if (trace.pending === 0) {
          complete.push({ id, trace, last })
          continue
        }
        trace.seqno = mcSeqno
        open.set(id, trace)
      }
      for (const portion of portionsOf(complete, ({ trace }) => trace.size)) yield await wholeTraces(portion, block, context)
    },
  }
}
