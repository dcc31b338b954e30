import { transactionOf } from '../../../actions/from-transactions.ts'
import type { Trace, TraceTransaction } from '../../../actions/trace.ts'
import { groupsOf } from '../../../base/memory/grouped.ts'
import { createPauses, runSteps } from '../../../base/yield.ts'
import type { SourceBlock } from '../../../chain/blocks.ts'
import { TRACE_BROKEN } from '../../../store/codes.ts'
import { nameOf } from '../../../store/row-keys.ts'
import { type Row, select } from '../../../store/schema/select.ts'
import { traces } from '../../../store/schema/traces.ts'
import type { BlockView, PlacedTransaction, TopicContext } from '../topic.ts'
import { readTraces } from './stored-traces.ts'
import { addTransaction, inPortions, isTooLarge, newTraceSize, sizeOf, type TraceSize } from './trace-size.ts'

/** Maximum bytes of the blocks of all traces in memory. One cell of a block keeps the parsed block in memory, which takes several times these bytes. */
const REMEMBERED = 16 << 20
/** Maximum number of traces that are followed, and number of masterchain blocks after which a trace without a new transaction is forgotten. */
const FOLLOWED = { traces: 100_000, blocks: 64 } as const

interface OpenTrace {
  readonly id: string
  /** All transactions; of a stored trace, those of the group of blocks; of a trace that is too large, the last one. */
  transactions: TraceTransaction[]
  readonly blocks: Set<SourceBlock>
  /** True if the transactions before the group of blocks are read from the tables when the trace is complete. */
  isStored: boolean
  /** Size of all its transactions. The bytes of transactions that were never in memory are missing. */
  readonly size: TraceSize
  /** Number of messages that were sent but have not arrived. */
  pending: number
  seqno: number
  /** True if the beginning of the trace is not indexed. The trace then never becomes complete. */
  readonly broken: boolean
}

/** `isTooLarge`: the trace is not classified, and has only its last transaction. */
export type CompleteTrace = Trace & Readonly<Record<'isTooLarge', boolean>>

const STATES = select(
  traces,
  ['trace_id', 'state', 'nodes', 'edges', 'pending_edges', 'external_hash'],
  'where trace_id = any($1::bytea[])',
)

const newTrace = (id: string, broken: boolean): OpenTrace => ({
  id,
  transactions: [],
  blocks: new Set(),
  isStored: false,
  size: newTraceSize(),
  pending: 1,
  seqno: 0,
  broken,
})

/** A trace of which the tables have all transactions before the group of blocks. */
const storedTrace = ({ trace_id, state, nodes, edges, pending_edges, external_hash }: Row<typeof STATES>): OpenTrace => {
  // An edge is a message that was received or a log. The message that began the trace was not sent in it.
  const sent = edges + pending_edges - (external_hash === null ? 0 : 1)
  const size = { transactions: nodes, messages: nodes + sent, bytes: 0 }
  return { ...newTrace(nameOf(trace_id), state === TRACE_BROKEN), isStored: true, size, pending: pending_edges }
}

const forget = (trace: OpenTrace): void => {
  trace.transactions = []
  trace.blocks.clear()
}

const sentBy = ({ outMessages }: TraceTransaction): number =>
  outMessages.reduce((sum, { destination }) => sum + (destination === null ? 0 : 1), 0)

const toTransaction = ({ tx, hash, account }: PlacedTransaction, mcSeqno: number): TraceTransaction =>
  transactionOf({ tx, hash: nameOf(hash), workchain: account.readInt32BE(0), mcSeqno })

const tooLarge = ({ id, transactions }: OpenTrace): CompleteTrace => ({ id, transactions: transactions.slice(-1), isTooLarge: true })

/** Yields the transactions of complete traces. Leaves out those of which rows were removed while they were pending, in an index of some accounts. */
async function* inFull(
  complete: readonly OpenTrace[],
  groupSeqno: number,
  { stored }: Pick<TopicContext, 'stored'>,
): AsyncGenerator<readonly CompleteTrace[]> {
  const left = new Map(complete.filter((trace) => trace.isStored && !isTooLarge(trace.size)).map((trace) => [trace.id, trace]))
  const inMemory = complete.filter(({ id }) => !left.has(id))
  if (inMemory.length > 0) yield inMemory.map((trace) => (isTooLarge(trace.size) ? tooLarge(trace) : { ...trace, isTooLarge: false }))
  if (left.size === 0) return
  const ids = [...left.keys()].map((id) => Buffer.from(id, 'latin1'))
  for await (const portion of readTraces(stored, ids, groupSeqno)) {
    const found: CompleteTrace[] = []
    for (const [id, before] of portion) {
      const trace = left.get(id)!
      const transactions = before && [...before, ...trace.transactions]
      if (transactions === undefined || isTooLarge(await runSteps(sizeOf({ transactions })))) found.push(tooLarge(trace))
      else if (transactions.length === trace.size.transactions) found.push({ id, transactions, isTooLarge: false })
    }
    yield found
  }
}

export const createOpenTraces = (mostBytes = REMEMBERED) => {
  const open = new Map<string, OpenTrace>()
  let group: number | undefined

  /** Releases transactions that do not fit into memory. Only before a group: the tables lack the bodies of a group until all of it is derived. */
  const release = (seqno: number): void => {
    let [count, bytes] = [0, 0]
    const blocks = new Set<SourceBlock>()
    // `open` is in the order of last use, so the newest traces are at the end.
    for (const trace of [...open.values()].reverse()) {
      if (trace.seqno < seqno - FOLLOWED.blocks || ++count > FOLLOWED.traces) {
        open.delete(trace.id)
        continue
      }
      const more = [...trace.blocks].filter((block) => !blocks.has(block))
      const size = more.reduce((sum, block) => sum + block.size, 0)
      // If this trace does not fit, older ones of fewer blocks may.
      if (bytes + size > mostBytes) trace.isStored = true
      if (trace.isStored || isTooLarge(trace.size)) {
        forget(trace)
        continue
      }
      bytes += size
      for (const block of more) blocks.add(block)
    }
  }

  const load = async (ids: readonly string[], { stored }: Pick<TopicContext, 'stored'>): Promise<void> => {
    const rows = await stored(STATES, [ids.map((id) => Buffer.from(id, 'latin1'))])
    const found = new Map(rows.map((row) => [nameOf(row.trace_id), row]))
    for (const id of ids) {
      const row = found.get(id)
      open.set(id, row === undefined ? newTrace(id, true) : storedTrace(row))
    }
  }

  return {
    /** Adds a block's transactions. Yields the traces that the block completes, in portions (trace-size.ts). */
    async *add(block: BlockView, context: Pick<TopicContext, 'stored'>): AsyncGenerator<readonly CompleteTrace[]> {
      // States without a block can come in the middle of a group (follow/range-start.ts). They do not end the group.
      if (block.transactions.length === 0) return
      const { mcSeqno, groupSeqno } = block
      if (group !== groupSeqno) release(groupSeqno)
      group = groupSeqno
      const byTrace = groupsOf(block.transactions, ({ traceId }) => nameOf(traceId))
      const missing: string[] = []
      for (const [id, [first]] of byTrace) {
        // A trace in memory has no transactions of this block yet: a block that fails ends the session, and with it this memory.
        if (open.has(id)) continue
        if (nameOf(first!.hash) !== id) missing.push(id)
        else open.set(id, newTrace(id, first!.isCutOff))
      }
      if (missing.length > 0) await load(missing, context)
      const complete: OpenTrace[] = []
      const pause = createPauses()
      for (const [id, placed] of byTrace) {
        const trace = open.get(id)!
        open.delete(id)
        if (trace.broken) continue
        for (const one of placed) {
          const tx = toTransaction(one, mcSeqno)
          trace.pending += sentBy(tx) - 1
          await pause()
          if (!isTooLarge(trace.size)) for (const _ of addTransaction(trace.size, tx)) await pause()
          if (isTooLarge(trace.size)) forget(trace)
          trace.transactions.push(tx)
          trace.blocks.add(one.block)
        }
        trace.seqno = mcSeqno
        if (trace.pending === 0) complete.push(trace)
        else open.set(id, trace)
      }
      for (const portion of inPortions(complete, ({ size }) => size)) yield* inFull(portion, groupSeqno, context)
    },
  }
}
