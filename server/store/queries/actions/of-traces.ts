import { type RawBuilder, sql } from 'kysely'
import { groupedWithPauses } from '../../../base/memory/grouped.ts'
import { distinct, nameOf } from '../../row-keys.ts'
import type { Tables } from '../../schema/tables.ts'
import { isAny } from '../conditions.ts'
import { limitedTo, lookUp, statement } from '../look-up.ts'
import type { View } from '../view.ts'

export type ActionRow = Tables['actions']

/** Types as an array literal of PostgreSQL, stored because the driver would write it again for every answer. */
const literals = new WeakMap<readonly string[], string>()
const literalOf = (types: readonly string[]): string => {
  if (!literals.has(types)) literals.set(types, `{${types.map((type) => JSON.stringify(type)).join(',')}}`)
  return literals.get(types)!
}

/**
 * Condition: the action has a requested type (by default, a type that the caller supports), and none of its parent actions has a supported type. Such a
 * parent is shown instead of the action.
 */
export const visibleTo = (types: readonly string[], requested?: readonly string[]): RawBuilder<boolean> => {
  const supported = literalOf(types)
  return sql<boolean>`type = any(${requested ?? supported}::text[]) and (ancestors is null or not ancestors && ${supported}::text[])`
}

/** The message that began a trace. `external_hash_norm` is null if it equals `external_hash`. */
export type TraceBeginning = Pick<Tables['traces'], 'trace_id' | 'external_hash' | 'external_hash_norm'>

type OfTrace = Pick<TraceBeginning, 'trace_id'>

export const traceIdsOf = (rows: readonly OfTrace[]): Buffer[] => distinct(rows.map(({ trace_id }) => trace_id))

const beginnings = lookUp({ from: 'traces', by: 'trace_id', columns: ['trace_id', 'external_hash', 'external_hash_norm'] })

export const beginningsOf = (view: View, rows: readonly OfTrace[]): Promise<TraceBeginning[]> => beginnings(view, traceIdsOf(rows))

/** Reads the actions that a caller who supports `types` sees, ordered by start lt within a trace. */
export const actionsOfTraces = async (view: View, ids: readonly Buffer[], types: readonly string[]): Promise<ActionRow[]> =>
  ids.length === 0
    ? []
    : view.rows(
        sql<ActionRow>`select * from actions where ${isAny('trace_id', ids)} and mc_seqno <= ${view.head} and ${visibleTo(types)}
          order by trace_id, start_lt, end_lt, action_id`,
      )

const actionsById = lookUp({ from: 'actions', by: 'action_id', isBounded: true })

export const actionOfId = async (view: View, id: Uint8Array): Promise<ActionRow | undefined> => (await actionsById(view, [id]))[0]

/** Maximum number of accounts of the actions of a page. The actions of one trace can have a hundred thousand, and each action can be of another trace. */
const MOST_ACCOUNTS = 300_000
/** The index on trace_id finds the rows. With `= any` in place of `in`, PostgreSQL would compare each row with each action of the page. */
const ACCOUNTS = `select trace_id, action_id, account from action_accounts
  where trace_id = any($1::bytea[]) and action_id in (select unnest($2::bytea[])) order by account limit ${MOST_ACCOUNTS + 1}`

/** Reads the accounts under which actions are listed. Returns a function that finds those of an action. */
export const accountsOfActions = async (view: View, rows: readonly ActionRow[]) => {
  const keys = [traceIdsOf(rows), rows.map(({ action_id }) => action_id)]
  const query = statement<Pick<Tables['action_accounts'], 'trace_id' | 'action_id' | 'account'>>(ACCOUNTS, keys)
  const listed = rows.length === 0 ? [] : await view.rows(query, 'generic')
  const found = await groupedWithPauses(limitedTo(MOST_ACCOUNTS, listed, 'limit'), actionKey, view.signal)
  return (row: ActionRow): readonly Buffer[] => found(actionKey(row)).map(({ account }) => account)
}

export const actionKey = ({ trace_id, action_id }: Pick<ActionRow, 'trace_id' | 'action_id'>): string =>
  nameOf(trace_id) + nameOf(action_id)

const classifications = lookUp({ from: 'trace_classifications', by: 'trace_id', columns: ['trace_id', 'state'], isBounded: true })

/** Reads classification states by trace id (latin1). Traces that are not classified are missing. */
export const classificationsOf = async (view: View, ids: readonly Buffer[]): Promise<ReadonlyMap<string, number>> =>
  new Map((await classifications(view, ids)).map(({ trace_id, state }) => [nameOf(trace_id), state]))
