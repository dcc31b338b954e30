import { type RawBuilder, sql } from 'kysely'
import { actionAccounts, actions } from '../../schema/actions.ts'
import type { Tables } from '../../schema/tables.ts'
import { is, isAccount, isAny, type ListParams, upToHead, within } from '../conditions.ts'
import { keysOfMessages } from '../messages.ts'
import { type Condition, orderOf } from '../order.ts'
import { columnsByKeys, keysOfHashes } from '../transactions/by-key.ts'
import type { TransactionKey } from '../transactions/transaction-key.ts'
import type { View } from '../view.ts'

export type ActionRow = Tables['actions']

export type ActionParams = ListParams<'v3.actions'>

/** Orders of the two tables. They have the same cursors. */
export const OF_ALL = {
  byLt: orderOf(actions, 'a', ['trace_end_lt', 'trace_id', 'end_lt', 'action_id']),
  byTime: orderOf(actions, 'v', ['trace_end_utime', 'trace_end_lt', 'trace_id', 'end_lt', 'action_id']),
}
export const OF_ACCOUNT = {
  byLt: orderOf(actionAccounts, 'a', ['trace_end_lt', 'trace_id', 'action_end_lt', 'action_id']),
  byTime: orderOf(actionAccounts, 'v', ['trace_end_utime', 'trace_end_lt', 'trace_id', 'action_end_lt', 'action_id']),
}

/** Transactions of which an action must cover at least one, and their traces. */
export interface Covered {
  readonly hashes: readonly Buffer[]
  readonly traces: readonly Buffer[]
}

const hashesAndTraces = (view: View, keys: readonly TransactionKey[]) => columnsByKeys(view, keys, ['hash', 'trace_id'])

/** Finds the transactions that an action must cover; undefined if the filter has no transaction hash and no message hash. */
export const coveredBy = async (view: View, { tx_hash, msg_hash }: ActionParams): Promise<Covered | undefined> => {
  if (tx_hash === undefined && msg_hash === undefined) return undefined
  const ofTransactions = tx_hash && (await hashesAndTraces(view, await keysOfHashes(view, tx_hash)))
  const found = msg_hash ? await hashesAndTraces(view, await keysOfMessages(view, msg_hash)) : ofTransactions!
  const both = msg_hash && ofTransactions ? found.filter(({ hash }) => ofTransactions.some((other) => other.hash.equals(hash))) : found
  return { hashes: both.map(({ hash }) => hash), traces: both.map(({ trace_id }) => trace_id) }
}

/**
 * Condition: the action has a requested type (by default, a type that the caller supports), and none of its parent actions has a supported type. Such a
 * parent is shown instead of the action.
 */
export const visibleTo = (types: readonly string[], { action_type }: Pick<ActionParams, 'action_type'>): RawBuilder<boolean> =>
  sql<boolean>`type = any(${action_type ?? types}::text[]) and (ancestors is null or not ancestors && ${types}::text[])`

/** Drops the filters that have no effect: `action_id` overrides all others; `trace_id` overrides all others if there is no `account`. */
export const effective = (params: ActionParams): ActionParams => {
  const { action_id, trace_id, account, limit, offset, sort, cursor, as_of } = params
  const page = { limit, offset, sort, cursor, as_of }
  if (action_id) return { ...page, action_id }
  return trace_id && account === undefined ? { ...page, trace_id } : params
}

/** Conditions on columns of `actions`. */
export const conditionsOf = (params: ActionParams, types: readonly string[], covered: Covered | undefined): readonly Condition[] => [
  visibleTo(types, params),
  isAny('action_id', params.action_id),
  params.exclude_action_type && sql<boolean>`type <> all(${params.exclude_action_type}::text[])`,
  is('mc_seqno', params.mc_seqno),
  isAccount('initiator', params.initiated_by_account ? params.account : undefined),
  covered &&
    sql<boolean>`exists (select from unnest(${covered.hashes}::bytea[]) as covered(hash) where position(covered.hash in tx_hashes) > 0)`,
]

/** Conditions on columns that both tables have: `actions` and `action_accounts`. */
export const placesOf = (view: View, params: ActionParams, covered: Covered | undefined): readonly Condition[] => [
  upToHead(view, params),
  isAny('trace_id', params.trace_id),
  isAny('trace_id', covered?.traces),
  ...within(params, 'trace_end_utime', 'trace_end_lt'),
]
