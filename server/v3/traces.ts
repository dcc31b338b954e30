import type { traces } from '../../shared/v3/traces.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { inTurns } from '../base/in-turns.ts'
import { findTraces, type TraceRow } from '../store/queries/traces.ts'
import { transactionsOfTraces } from '../store/queries/transactions.ts'
import type { V3Index } from './answer/answer.ts'
import { list } from './answer/list.ts'
import { MOST_NODES, MOST_NODES_OF_PAGE, toTrace } from './shapes/trace.ts'
import { accountsAround, readAround, toTransactions, type WireTransaction } from './shapes/transaction.ts'

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

/** Traces as they are indexed. */
export const traceHandlers = (index: V3Index): AnswerHandlers<keyof typeof traces> => ({
  'v3.traces': list(index, 'v3.traces', {
    levels: LEVELS,
    find: (view, params) => findTraces(view, params, params),
    async load(view, rows) {
      const whole = toldWhole(rows)
      const transactionRows = await transactionsOfTraces(view, whole)
      return { whole, transactionRows, around: await readAround(view, transactionRows) }
    },
    accounts: (_, { transactionRows, around }) => accountsAround(transactionRows, around),
    async rows(view, rows, { whole, transactionRows, around }, { include_actions }) {
      const byTrace = new Map<string, WireTransaction[]>(whole.map((row) => [row.trace_id.toString('base64'), []]))
      for (const transaction of await toTransactions(view, transactionRows, around)) byTrace.get(transaction.trace_id!)!.push(transaction)
      return await inTurns(rows, (row) => toTrace(row, byTrace.get(row.trace_id.toString('base64')), include_actions), view.signal)
    },
  }),
})
