import type { Params } from '../../shared/registry.ts'
import type { traces } from '../../shared/v3/traces.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { grouped } from '../base/memory/grouped.ts'
import { portionsWithin } from '../base/memory/portions.ts'
import { actionsOfTraces, classificationsOf, traceIdsOf } from '../store/queries/actions/of-traces.ts'
import { findTraces, type TraceRow } from '../store/queries/traces.ts'
import { transactionsOfTraces } from '../store/queries/transactions/by-key.ts'
import { MAX_SIZE_OF_PAGE, sizeOfTrace } from '../store/queries/transactions/size.ts'
import type { View } from '../store/queries/view.ts'
import { nameOf } from '../store/row-keys.ts'
import type { V3Index } from './answer/answer.ts'
import { list } from './answer/list.ts'
import { accountsNamed, toWireActions, type WireAction } from './shapes/action.ts'
import { actionTypesOf } from './shapes/supported-action-types.ts'
import { MAX_NODES, toTrace, type WireTrace } from './shapes/trace.ts'
import { BYTES_OF_TRANSACTION, relateTransactions } from './shapes/transaction.ts'
import { base64 } from './shapes/values.ts'

/** Maximum size of a page whose traces are read all at once. */
const AT_ONCE = 1_000
/** Size of the groups in which a larger page is read. It is small, so that few rows live long enough for V8 to copy them into its old generation. */
const AT_A_TIME = 250

/** Typical bytes of the actions' JSON per transaction of a trace. */
const OF_ACTIONS = 500

interface Trace {
  readonly row: TraceRow
  readonly isWhole: boolean
}

/** Decides which traces are shown with their transactions: not traces that are too large, and no more together than an answer may have. */
const limitTransactions = (rows: readonly TraceRow[]): Trace[] => {
  let room = MAX_SIZE_OF_PAGE
  return rows.map((row) => {
    const size = sizeOfTrace(row)
    const isWhole = size <= Math.min(MAX_NODES, room)
    if (isWhole) room -= size
    return { row, isWhole }
  })
}

const sizeOf = ({ row, isWhole }: Trace): number => (isWhole ? sizeOfTrace(row) : 0)
const sizeOfAll = (traces: readonly Trace[]): number => traces.reduce((sum, trace) => sum + sizeOf(trace), 0)

const groupsOf = (traces: readonly Trace[]): readonly (readonly Trace[])[] =>
  sizeOfAll(traces) <= AT_ONCE ? [traces] : [...portionsWithin(traces, AT_A_TIME, sizeOf)]

const actionsOfRows = async (view: View, rows: readonly TraceRow[], params: Params<'v3.traces'>): Promise<WireAction[] | undefined> =>
  params.include_actions ? toWireActions(view, await actionsOfTraces(view, traceIdsOf(rows), actionTypesOf(params)), false) : undefined

const relateTraces = async (view: View, traces: readonly Trace[], params: Params<'v3.traces'>) => {
  const rows = traces.map(({ row }) => row)
  const whole = traces.flatMap(({ row, isWhole }) => (isWhole ? [row] : []))
  const [transactionRows, actions, classifications] = await Promise.all([
    transactionsOfTraces(view, whole),
    actionsOfRows(view, rows, params),
    classificationsOf(view, traceIdsOf(rows)),
  ])
  const related = await relateTransactions(view, transactionRows, whole)
  const transactionsOf = grouped(transactionRows, ({ trace_id }) => nameOf(trace_id))
  const actionsOf = actions && grouped(actions, ({ trace_id }) => trace_id!)
  return {
    accounts: [...related.accounts, ...accountsNamed(actions ?? [])],
    format: Promise.all([related.format, related.linksOf]).then(([toTransaction, linksOf]) => ({ row, isWhole }: Trace): WireTrace => {
      const name = nameOf(row.trace_id)
      const own = transactionsOf(name)
      return toTrace(row, {
        transactions: isWhole ? { links: own.map(linksOf), wireOf: (place) => toTransaction(own[place]!) } : undefined,
        actions: actionsOf?.(base64(row.trace_id)),
        classification: classifications.get(name),
      })
    }),
  }
}

const tracePages = {
  async find(view: View, params: Params<'v3.traces'>) {
    const { rows, next } = await findTraces(view, params)
    const traces = limitTransactions(rows)
    view.expectBytes(sizeOfAll(traces) * (BYTES_OF_TRANSACTION + (params.include_actions ? OF_ACTIONS : 0)))
    return { rows: traces, next }
  },
  groups: groupsOf,
  // A transaction can have megabytes of JSON, so each is a part.
  levelsOf: ({ row }: Trace) => (row.nodes > 1 ? 2 : 0),
  relate: relateTraces,
}

export const traceHandlers = (index: V3Index): AnswerHandlers<keyof typeof traces> => ({
  'v3.traces': list(index, 'v3.traces', tracePages),
  'v3.events': list(index, 'v3.events', tracePages),
})
