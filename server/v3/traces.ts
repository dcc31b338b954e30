import type { Params } from '../../shared/registry.ts'
import type { traces } from '../../shared/v3/traces.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { inTurns } from '../base/in-turns.ts'
import { actionsOfTraces, classificationsOf } from '../store/queries/actions.ts'
import type { View } from '../store/queries/head.ts'
import { findTraces, type TraceRow } from '../store/queries/traces.ts'
import { transactionsOfTraces } from '../store/queries/transactions.ts'
import type { V3Index } from './answer/answer.ts'
import { list } from './answer/list.ts'
import { accountsNamed, knownTypes, toldActions, type WireAction } from './shapes/action.ts'
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

const idsOf = (rows: readonly TraceRow[]): Buffer[] => rows.map(({ trace_id }) => trace_id)

/** The actions of traces, for a caller who asked for them. */
const actionsBeside = async (view: View, rows: readonly TraceRow[], params: Params<'v3.traces'>): Promise<WireAction[] | undefined> =>
  params.include_actions ? toldActions(view, await actionsOfTraces(view, idsOf(rows), knownTypes(params)), false) : undefined

/** What traces are told with. */
const loadTraces = async (view: View, rows: readonly TraceRow[], params: Params<'v3.traces'>) => {
  const whole = toldWhole(rows)
  const [transactionRows, actions, classifications] = await Promise.all([
    transactionsOfTraces(view, whole),
    actionsBeside(view, rows, params),
    classificationsOf(view, idsOf(rows)),
  ])
  return { whole, transactionRows, actions, classifications, around: await readAround(view, transactionRows) }
}

/** Members of a list by the trace that they belong to. */
const byTrace = <T extends { readonly trace_id?: string | null | undefined }>(
  rows: readonly TraceRow[],
  members: readonly T[],
): ReadonlyMap<string, readonly T[]> => {
  const found = new Map<string, T[]>(idsOf(rows).map((id) => [id.toString('base64'), []]))
  for (const member of members) found.get(member.trace_id!)!.push(member)
  return found
}

/** Traces as they are indexed. */
export const traceHandlers = (index: V3Index): AnswerHandlers<keyof typeof traces> => ({
  'v3.traces': list(index, 'v3.traces', {
    levels: LEVELS,
    find: (view, params) => findTraces(view, params, params),
    load: loadTraces,
    accounts: (_, { transactionRows, around, actions = [] }) => [...accountsAround(transactionRows, around), ...accountsNamed(actions)],
    async rows(view, rows, { whole, transactionRows, around, actions, classifications }) {
      const transactions = byTrace<WireTransaction>(whole, await toTransactions(view, transactionRows, around))
      const told = actions && byTrace<WireAction>(rows, actions)
      const tell = (row: TraceRow) => {
        const id = row.trace_id.toString('base64')
        const classification = classifications.get(row.trace_id.toString('latin1'))
        return toTrace(row, { transactions: transactions.get(id), actions: told?.get(id), classification })
      }
      return await inTurns(rows, tell, view.signal)
    },
  }),
})
