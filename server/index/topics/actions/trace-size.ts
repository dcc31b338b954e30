import type { Trace, TraceMessage, TraceTransaction } from '../../../actions/trace.ts'
import { portionsWithin } from '../../../base/memory/portions.ts'
import { MAX_BAG_CELLS, uniqueCells } from '../../../cell/budget.ts'

/* How large a trace may be that is classified. Each of its actions can have the whole body of a message as a text. */

export const MAX_TRANSACTIONS = 10_000
/** Maximum number of messages: one that each transaction received, and all that were sent, logs too. */
export const MAX_MESSAGES = 50_000
/** Maximum bytes of the bodies and initial states of all messages: a body of 256 KB can be sent in each of 10,000 transactions. */
export const MAX_BYTES = 64 << 20

/** Bytes of a cell without its data. A cell in memory takes several times as much. */
const CELL_BYTES = 32
const CELLS_IN_STEP = 1_024

const NO_MESSAGES: readonly TraceMessage[] = []

/** Bytes of the body and the initial state of a message. */
function* bytesOf({ body, init }: TraceMessage): Generator<void, number> {
  let [bytes, cells] = [0, 0]
  for (const { bits } of uniqueCells(init === undefined ? [body] : [body, init], { cells: MAX_BAG_CELLS })) {
    bytes += CELL_BYTES + (bits >> 3)
    if (++cells % CELLS_IN_STEP === 0) yield
  }
  return bytes
}

export interface TraceSize {
  transactions: number
  messages: number
  bytes: number
}

export const newTraceSize = (): TraceSize => ({ transactions: 0, messages: 0, bytes: 0 })

export const isTooLarge = ({ transactions, messages, bytes }: TraceSize): boolean =>
  transactions > MAX_TRANSACTIONS || messages > MAX_MESSAGES || bytes > MAX_BYTES

/** Adds a transaction to a size, no further than `isTooLarge` needs. Yields often: a body can have 8,192 cells, and a forged one a million. */
export function* addTransaction(size: TraceSize, { inMessage, outMessages }: TraceTransaction): Generator<void> {
  size.transactions++
  size.messages += 1 + outMessages.length
  for (const messages of [inMessage === undefined ? NO_MESSAGES : [inMessage], outMessages]) {
    for (const message of messages) {
      if (isTooLarge(size)) return
      size.bytes += yield* bytesOf(message)
      yield
    }
  }
}

export function* sizeOf({ transactions }: Pick<Trace, 'transactions'>): Generator<void, TraceSize> {
  const size = newTraceSize()
  for (const transaction of transactions) {
    if (isTooLarge(size)) break
    yield* addTransaction(size, transaction)
  }
  return size
}

type Volume = Pick<TraceSize, 'messages' | 'bytes'>

/** Splits traces into portions that together have at most the messages and bytes of one trace. A larger trace is a portion of its own. */
export const inPortions = <T>(traces: readonly T[], volumeOf: (trace: T) => Volume): Generator<readonly T[]> =>
  portionsWithin(traces, 1, (trace) => {
    const { messages, bytes } = volumeOf(trace)
    return Math.max(messages / MAX_MESSAGES, bytes / MAX_BYTES)
  })
