import type { Params } from '../../shared/registry.ts'
import type { traces } from '../../shared/v3/traces.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { inTurns } from '../base/in-turns.ts'
import { actionsOfTraces, classificationsOf } from '../store/queries/actions.ts'
import type { View } from '../store/queries/head.ts'
import { findTraces, type TraceRow } from '../store/queries/traces.ts'
import { transactionsOfTraces } from '../store/queries/transactions-by-key.ts'
import type { V3Index } from './answer/answer.ts'
import { list } from './answer/list.ts'
import { accountsNamed, toldActions, type WireAction } from './shapes/action.ts'
import { knownTypes } from './shapes/known-types.ts'
import { MOST_NODES, MOST_NODES_OF_PAGE, toTrace } from './shapes/trace.ts'
import { accountsAround, readAround, toTransactions, type WireTransaction } from './shapes/transaction.ts'

/** Number of transactions that are read at a time. */
const AT_A_TIME = 1_000

/** A trace, and whether it is shown with its transactions. */
interface Trace {
  readonly row: TraceRow
  readonly isWhole: boolean
}

/** Decides which traces are shown with their transactions: none that is too large, and together not more than an answer may have. */
const toldWhole = (rows: readonly TraceRow[]): Trace[] => {
  let room = MOST_NODES_OF_PAGE
  return rows.map((row) => {
    const isWhole = row.nodes <= Math.min(MOST_NODES, room)
    if (isWhole) room -= row.nodes
    return { row, isWhole }
  })
}

/** Traces in groups that have about as many transactions as are read at a time. */
const groupsOf = (traces: readonly Trace[]): Trace[][] => {
  const groups: Trace[][] = []
  let nodes = AT_A_TIME
  for (const trace of traces) {
    if (nodes >= AT_A_TIME) {
      groups.push([])
      nodes = 0
    }
    groups.at(-1)!.push(trace)
    if (trace.isWhole) nodes += trace.row.nodes
  }
  return groups
}

const idsOf = (rows: readonly TraceRow[]): Buffer[] => rows.map(({ trace_id }) => trace_id)

/** The actions of traces, if the caller asked for them. */
const actionsBeside = async (view: View, rows: readonly TraceRow[], params: Params<'v3.traces'>): Promise<WireAction[] | undefined> =>
  params.include_actions ? toldActions(view, await actionsOfTraces(view, idsOf(rows), knownTypes(params)), false) : undefined

/** What traces are told with. */
const loadTraces = async (view: View, traces: readonly Trace[], params: Params<'v3.traces'>) => {
  const rows = traces.map(({ row }) => row)
  const whole = traces.flatMap(({ row, isWhole }) => (isWhole ? [row] : []))
  const [transactionRows, actions, classifications] = await Promise.all([
    transactionsOfTraces(view, whole),
    actionsBeside(view, rows, params),
    classificationsOf(view, idsOf(rows)),
  ])
  return {
    whole,
    transactionRows,
    actions,
    classifications,
    around: await readAround(view, transactionRows, { traces: whole, withBook: !params.x_no_address_book }),
  }
}

/** The elements of a list, grouped by trace. */
const byTrace = <T extends { readonly trace_id?: string | null | undefined }>(
  rows: readonly TraceRow[],
  members: readonly T[],
): ReadonlyMap<string, readonly T[]> => {
  const found = new Map<string, T[]>(idsOf(rows).map((id) => [id.toString('base64'), []]))
  for (const member of members) found.get(member.trace_id!)!.push(member)
  return found
}

type Loaded = Awaited<ReturnType<typeof loadTraces>>

/** A page of traces, for both lists of them. */
const tracePages = {
  async find(view: View, params: Params<'v3.traces'>) {
    const page = await findTraces(view, params, params)
    return { ...page, rows: toldWhole(page.rows) }
  },
  groups: groupsOf,
  load: loadTraces,
  accounts: (_: unknown, { transactionRows, around, actions = [] }: Loaded) => [
    ...accountsAround(transactionRows, around),
    ...accountsNamed(actions),
  ],
  kinds: ({ around }: Loaded) => around.kinds,
  async rows(view: View, traces: readonly Trace[], { whole, transactionRows, around, actions, classifications }: Loaded) {
    const transactions = byTrace<WireTransaction>(whole, await toTransactions(view, transactionRows, around))
    const told =
      actions &&
      byTrace<WireAction>(
        traces.map(({ row }) => row),
        actions,
      )
    const tell = ({ row }: Trace) => {
      const id = row.trace_id.toString('base64')
      const classification = classifications.get(row.trace_id.toString('latin1'))
      return toTrace(row, { transactions: transactions.get(id), actions: told?.get(id), classification })
    }
    return await inTurns(traces, tell, view.signal)
  },
}

/** Traces as they are indexed. */
export const traceHandlers = (index: V3Index): AnswerHandlers<keyof typeof traces> => ({
  'v3.traces': list(index, 'v3.traces', tracePages),
  'v3.events': list(index, 'v3.events', tracePages),
})
