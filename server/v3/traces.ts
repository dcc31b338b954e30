import { TonError } from '../../shared/errors.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { inTurns } from '../base/in-turns.ts'
import type { Reader } from '../store/postgres/pool.ts'
import { findTraces, type TraceRow } from '../store/queries/traces.ts'
import { transactionsOfTraces } from '../store/queries/transactions.ts'
import { answer, nextCursor } from './answer.ts'
import { beside } from './beside.ts'
import { MOST_NODES, MOST_NODES_OF_PAGE, toTrace } from './trace.ts'
import { transactionsBeside, type WireTransaction } from './transaction.ts'

type Names = 'v3.traces' | 'v3.pendingTransactions' | 'v3.pendingTraces' | 'v3.pendingActions'

/** A list of traces is written in turns down to their transactions: one trace may have thousands. */
const LEVELS = 4

/** Traces that are told with their transactions: none that is too large, and together not more than an answer holds. */
const toldWhole = (rows: readonly TraceRow[]): TraceRow[] => {
  let room = MOST_NODES_OF_PAGE
  return rows.filter((row) => {
    const fits = row.nodes <= Math.min(MOST_NODES, room)
    if (fits) room -= row.nodes
    return fits
  })
}

/** Traces as they are indexed. Nothing is told of what is no block's yet: a chain that finishes at once has nothing pending. */
export const traceHandlers = ({ reader }: { readonly reader: Reader }): AnswerHandlers<Names> => ({
  'v3.traces': (params, { signal }) =>
    answer(
      reader,
      params,
      signal,
      async (view, next) => {
        const { rows, next: cursor } = await findTraces(view, params, params)
        next(cursor)
        const whole = toldWhole(rows)
        const transactionRows = await transactionsOfTraces(view, whole)
        const { transactions, address_book, metadata } = await transactionsBeside(view, transactionRows, beside)
        const byTrace = new Map<string, WireTransaction[]>(whole.map((row) => [row.trace_id.toString('base64'), []]))
        for (const transaction of transactions) byTrace.get(transaction.trace_id!)!.push(transaction)
        const told = (row: TraceRow) => toTrace(row, byTrace.get(row.trace_id.toString('base64')), params.include_actions)
        return { traces: await inTurns(rows, told, signal), address_book, metadata, ...nextCursor(params, cursor) }
      },
      LEVELS,
    ),

  'v3.pendingTransactions': (params, { signal }) =>
    answer(reader, params, signal, async () => {
      throw new TonError('NOT_FOUND', 'emulated traces not found')
    }),

  'v3.pendingTraces': (params, { signal }) => answer(reader, params, signal, async () => ({ traces: [], address_book: {}, metadata: {} })),

  'v3.pendingActions': (params, { signal }) =>
    answer(reader, params, signal, async () => ({ actions: [], address_book: {}, metadata: {} })),
})
