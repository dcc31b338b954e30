import { type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../../../tlb/ids.ts'
import { textsList } from '../../postgres/lists.ts'
import type { actions } from '../../schema/actions.ts'
import type { ReadRow } from '../../schema/table.ts'
import { inWindow, lastOf, type WindowFilter } from '../conditions.ts'
import { keysOfMessages } from '../messages.ts'
import { anyOf, byPieces, bytesPart, numberPart, type Order, type PageParams } from '../order.ts'
import { keysOfHashes } from '../transactions/by-hash.ts'
import { keyedOn, keyLists, keyOf, type TransactionKey } from '../transactions/transaction-key.ts'
import type { View } from '../view.ts'

export type ActionRow = ReadRow<typeof actions>

export interface ActionFilter extends WindowFilter {
  readonly account?: AccountId | undefined
  readonly tx_hash?: readonly Uint8Array[] | undefined
  readonly msg_hash?: readonly Uint8Array[] | undefined
  readonly action_id?: readonly Uint8Array[] | undefined
  readonly trace_id?: readonly Uint8Array[] | undefined
  readonly mc_seqno?: number | undefined
  readonly action_type?: readonly string[] | undefined
  readonly exclude_action_type?: readonly string[] | undefined
  readonly initiated_by_account?: boolean | undefined
}

/** Orders on columns of table `a` (actions) or `l` (action_accounts). `end`: the column with the action's end lt, which has another name in each table. */
const ordersOf = (table: 'a' | 'l', end: string) => {
  const ref = (name: string): RawBuilder<unknown> => sql.ref(`${table}.${name}`)
  const traceId = bytesPart<ActionRow>(ref('trace_id'), 32, (row) => row.trace_id)
  const endLt = numberPart<ActionRow>(ref(end), (row) => row.end_lt)
  const id = bytesPart<ActionRow>(ref('action_id'), 32, (row) => row.action_id)
  const lt = numberPart<ActionRow>(ref('trace_end_lt'), (row) => row.trace_end_lt)
  const utime = numberPart<ActionRow>(ref('trace_end_utime'), (row) => row.trace_end_utime)
  const byLt: Order<ActionRow> = { name: 'a', parts: [lt, traceId, endLt, id] }
  const byTime: Order<ActionRow> = { name: 'v', parts: [utime, lt, traceId, endLt, id] }
  return { byLt, byTime }
}

export const OF_ALL = ordersOf('a', 'end_lt')
export const OF_ACCOUNT = ordersOf('l', 'action_end_lt')

/** Transactions of which an action must cover at least one, and their traces. */
export interface Covered {
  readonly hashes: readonly Buffer[]
  readonly traces: readonly Buffer[]
}

const hashesAndTraces = (view: View, keys: readonly TransactionKey[]): Promise<{ hash: Buffer; trace_id: Buffer }[]> =>
  byPieces(keys, (piece) =>
    view.rows(
      view.sql
        .selectFrom('transactions')
        .select(['hash', 'trace_id'])
        .where('mc_seqno', '<=', view.head)
        .where(keyedOn(view).transactions(keyLists(piece))),
    ),
  )

/** Finds the transactions that an action must cover; undefined if the filter has no transaction hash and no message hash. */
export const coveredBy = async (view: View, { tx_hash, msg_hash }: ActionFilter): Promise<Covered | undefined> => {
  if (tx_hash === undefined && msg_hash === undefined) return undefined
  const ofTransactions = tx_hash && (await hashesAndTraces(view, await keysOfHashes(view, tx_hash)))
  const found = msg_hash ? await hashesAndTraces(view, await keysOfMessages(view, msg_hash)) : ofTransactions!
  const both = msg_hash && ofTransactions ? found.filter(({ hash }) => ofTransactions.some((other) => other.hash.equals(hash))) : found
  return { hashes: both.map(({ hash }) => hash), traces: both.map(({ trace_id }) => trace_id) }
}

/** Encoded lists of types, cached because most callers support the same types. */
const written = new WeakMap<readonly string[], Buffer>()
const typeList = (types: readonly string[]): Buffer => {
  const list = written.get(types) ?? textsList(types)
  written.set(types, list)
  return list
}

/**
 * Condition: the action has a requested type (by default, a type that the caller supports), and none of its parent actions has a supported type. Such a
 * parent is shown instead of the action.
 */
export const visibleTo = (types: readonly string[], { action_type }: ActionFilter): RawBuilder<boolean> => {
  const supported = typeList(types)
  const shown = action_type ? textsList(action_type) : supported
  return sql<boolean>`a.type = any(${shown}::text[]) and (a.ancestors is null or not a.ancestors && ${supported}::text[])`
}

/** The condition of visibleTo for rows in memory. Only for filters without `action_type`, which may name a type that the caller does not support. */
export const visibleRows = (types: readonly string[]): ((row: ActionRow) => boolean) => {
  const supported = new Set(types)
  return ({ type, ancestors }) => supported.has(type) && !ancestors?.some((ancestor) => supported.has(ancestor))
}

/** Drops the filters that have no effect: `action_id` overrides all others; `trace_id` overrides all others if there is no `account`. */
export const effective = (filter: ActionFilter): ActionFilter => {
  const { action_id, trace_id, account } = filter
  if (action_id) return { action_id }
  return trace_id && account === undefined ? { trace_id } : filter
}

type Conditions = RawBuilder<boolean>[]

export const conditionsOf = (filter: ActionFilter, types: readonly string[], covered: Covered | undefined): Conditions => {
  const said: Conditions = [visibleTo(types, filter)]
  if (filter.action_id) said.push(anyOf(sql.ref('a.action_id'), filter.action_id))
  if (filter.exclude_action_type) said.push(sql<boolean>`a.type <> all(${textsList(filter.exclude_action_type)}::text[])`)
  if (filter.mc_seqno !== undefined) said.push(sql<boolean>`a.mc_seqno = ${filter.mc_seqno}`)
  if (filter.account && filter.initiated_by_account) said.push(sql<boolean>`a.initiator = ${keyOf(filter.account)}`)
  if (covered)
    said.push(
      sql<boolean>`exists (select from unnest(${covered.hashes}::bytea[]) as covered(hash) where position(covered.hash in a.tx_hashes) > 0)`,
    )
  return said
}

/** Conditions on columns that both tables have: `actions` (`a`) and `action_accounts` (`l`). */
export const placesOf = (
  view: View,
  table: 'a' | 'l',
  filter: ActionFilter,
  page: PageParams,
  covered: Covered | undefined,
): Conditions => {
  const ref = (name: string): RawBuilder<unknown> => sql.ref(`${table}.${name}`)
  const said: Conditions = [sql<boolean>`${ref('mc_seqno')} <= ${lastOf(view, page)}`]
  if (filter.trace_id) said.push(anyOf(ref('trace_id'), filter.trace_id))
  if (covered) said.push(anyOf(ref('trace_id'), covered.traces))
  said.push(...inWindow(ref('trace_end_utime'), ref('trace_end_lt'), filter, page))
  return said
}
