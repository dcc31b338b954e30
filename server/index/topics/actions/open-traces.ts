import { transactionOf } from '../../../actions/from-transactions.ts'
import type { Trace, TraceTransaction } from '../../../actions/trace.ts'
import { createPauses, runSteps } from '../../../base/yield.ts'
import { TRACE_BROKEN } from '../../../store/codes.ts'
import { select } from '../../../store/schema/select.ts'
import { traces } from '../../../store/schema/traces.ts'
import type { BlockView, PlacedTransaction, TopicContext } from '../topic.ts'
import { readTraces } from './stored-traces.ts'
import { addTransaction, isTooLarge, MAX_TRANSACTIONS, newTraceSize, sizeOf, type TraceSize } from './trace-size.ts'

/** Maximum number of messages in memory, and bytes of their bodies, of all traces together. */
const REMEMBERED = { messages: 100_000, bytes: 128 << 20 } as const
/** Number of masterchain blocks after which a trace without a new transaction is removed from memory. */
const PATIENCE = 64

interface OpenTrace {
  readonly transactions: TraceTransaction[]
  /** Size of these transactions. */
  readonly size: TraceSize
  /** Number of messages that were sent but have not arrived. */
  pending: number
  seqno: number
  /** True if the beginning of the trace is not indexed. The trace then never becomes complete. */
  broken: boolean
}

const STATES = select(traces, ['trace_id', 'state', 'nodes'], 'where trace_id = any($1::bytea[])')

const sentBy = ({ outMessages }: TraceTransaction): number =>
  outMessages.reduce((sum, { destination }) => sum + (destination === null ? 0 : 1), 0)

/** Number of messages that are sent but not received. Each transaction except the first received a message of the trace. */
const pendingAfter = (transactions: readonly TraceTransaction[]): number =>
  transactions.reduce((sum, tx) => sum + sentBy(tx), 0) - (transactions.length - 1)

const toTransaction = ({ tx, hash, account }: PlacedTransaction, mcSeqno: number): TraceTransaction =>
  transactionOf({ tx, hash: hash.toString('latin1'), workchain: account.readInt32BE(0), mcSeqno })

export const createOpenTraces = () => {
  const open = new Map<string, OpenTrace>()

  const forget = (seqno: number): void => {
    let [messages, bytes] = [0, 0]
    // `open` is in the order of last use, so the newest traces are at the end.
    for (const [id, { size, seqno: last }] of [...open].reverse()) {
      messages += size.messages
      bytes += size.bytes
      if (last < seqno - PATIENCE || messages > REMEMBERED.messages || bytes > REMEMBERED.bytes) open.delete(id)
    }
  }

  /** Reads those of the traces that are not in memory. */
  const load = async (ids: readonly string[], block: BlockView, { stored: read }: Pick<TopicContext, 'stored'>): Promise<void> => {
    const keys = ids.map((id) => Buffer.from(id, 'latin1'))
    const rows = await read(STATES, [keys])
    const whole = rows.filter(({ state, nodes }) => state !== TRACE_BROKEN && nodes <= MAX_TRANSACTIONS)
    const found =
      whole.length === 0
        ? new Map<string, readonly TraceTransaction[]>()
        : await readTraces(
            read,
            whole.map(({ trace_id }) => trace_id),
            block.mcSeqno,
          )
    for (const id of ids) {
      const transactions = found.get(id)
      // A trace that cannot be read in full counts as broken.
      const loaded: OpenTrace =
        transactions === undefined
          ? { transactions: [], size: newTraceSize(), pending: 0, seqno: 0, broken: true }
          : {
              transactions: [...transactions],
              size: await runSteps(sizeOf({ transactions })),
              pending: pendingAfter(transactions),
              seqno: 0,
              broken: false,
            }
      open.set(id, loaded)
    }
  }

  return {
    /** Adds a block's transactions. Resolves with the traces that the block completes, in the order of their first transactions in the block. */
    async add(block: BlockView, context: Pick<TopicContext, 'stored'>): Promise<readonly Trace[]> {
      const { mcSeqno } = block
      forget(mcSeqno)
      const byTrace = new Map<string, PlacedTransaction[]>()
      for (const placed of block.transactions) {
        const id = placed.traceId.toString('latin1')
        const ofTrace = byTrace.get(id)
        if (ofTrace === undefined) byTrace.set(id, [placed])
        else ofTrace.push(placed)
      }
      const missing: string[] = []
      for (const [id, [first]] of byTrace) {
        // A trace in memory has no transactions of this block yet: a block that fails ends the session, and with it this memory.
        if (open.has(id)) continue
        if (first!.hash.toString('latin1') !== id) missing.push(id)
        else open.set(id, { transactions: [], size: newTraceSize(), pending: 1, seqno: 0, broken: first!.isCutOff })
      }
      if (missing.length > 0) await load(missing, block, context)
      const complete: Trace[] = []
      const pause = createPauses()
      for (const [id, placed] of byTrace) {
        const trace = open.get(id)!
        open.delete(id)
        for (const one of placed) {
          const tx = toTransaction(one, mcSeqno)
          trace.pending += sentBy(tx) - 1
          await pause()
          if (trace.broken || isTooLarge(trace.size)) continue
          trace.transactions.push(tx)
          for (const _ of addTransaction(trace.size, tx)) await pause()
        }
        if (trace.broken) continue
        if (trace.pending === 0) {
          complete.push({ id, transactions: trace.transactions })
          continue
        }
        trace.seqno = mcSeqno
        open.set(id, trace)
      }
      return complete
    },
  }
}
