import { sql } from 'kysely'
import type { AccountId } from '../../../tlb/ids.ts'
import { nameOf } from '../../row-keys.ts'
import { actionAccounts, actions } from '../../schema/actions.ts'
import { withBounds } from '../bounds.ts'
import { is, isAccount, isAny, isTimed, type ListParams, upToHead, within } from '../conditions.ts'
import { keysOfMessages } from '../messages.ts'
import { afterCursor, all, type Condition, EMPTY_PAGE, findPage, orderOf, type Page, pageOfKeys, readMatching, toPage } from '../order.ts'
import { columnsByKeys, keysOfHashes } from '../transactions/by-key.ts'
import type { TransactionKey } from '../transactions/transaction-key.ts'
import type { View } from '../view.ts'
import { type ActionRow, actionKey, traceIdsOf, visibleTo } from './of-traces.ts'

type ActionParams = ListParams<'v3.actions'>

/** Orders of the two tables. They have the same cursors. */
const OF_ALL = {
  byLt: orderOf(actions, 'a', ['trace_end_lt', 'trace_id', 'end_lt', 'action_id']),
  byTime: orderOf(actions, 'v', ['trace_end_utime', 'trace_end_lt', 'trace_id', 'end_lt', 'action_id']),
}
const OF_ACCOUNT = {
  byLt: orderOf(actionAccounts, 'a', ['trace_end_lt', 'trace_id', 'action_end_lt', 'action_id']),
  byTime: orderOf(actionAccounts, 'v', ['trace_end_utime', 'trace_end_lt', 'trace_id', 'action_end_lt', 'action_id']),
}

/** Transactions of which an action must cover at least one, and their traces. */
interface Covered {
  readonly hashes: readonly Buffer[]
  readonly traces: readonly Buffer[]
}

const hashesAndTraces = (view: View, keys: readonly TransactionKey[]) => columnsByKeys(view, keys, ['hash', 'trace_id'])

/** Finds the transactions that an action must cover; undefined if the filter has no transaction hash and no message hash. */
const coveredBy = async (view: View, { tx_hash, msg_hash }: ActionParams): Promise<Covered | undefined> => {
  if (tx_hash === undefined && msg_hash === undefined) return undefined
  const ofTransactions = tx_hash && (await hashesAndTraces(view, await keysOfHashes(view, tx_hash)))
  const names = msg_hash && ofTransactions && new Set(ofTransactions.map(({ hash }) => nameOf(hash)))
  const found = msg_hash ? await hashesAndTraces(view, await keysOfMessages(view, msg_hash)) : ofTransactions!
  const both = names ? found.filter(({ hash }) => names.has(nameOf(hash))) : found
  return { hashes: both.map(({ hash }) => hash), traces: traceIdsOf(both) }
}

/** Drops the filters that have no effect: `action_id` overrides all others; `trace_id` overrides all others if there is no `account`. */
const effective = (params: ActionParams): ActionParams => {
  const { action_id, trace_id, account, limit, offset, sort, cursor, as_of } = params
  const page = { limit, offset, sort, cursor, as_of }
  if (action_id) return { ...page, action_id }
  return trace_id && account === undefined ? { ...page, trace_id } : params
}

const conditionsOf = ({ params, types, requested, covered }: ActionQuery): readonly Condition[] => [
  visibleTo(types, requested),
  isAny('action_id', params.action_id),
  isAccount('initiator', params.initiated_by_account ? params.account : undefined),
  covered &&
    sql<boolean>`exists (select from generate_series(1, octet_length(tx_hashes), 32) as at(place)
      where substring(tx_hashes from at.place for 32) in (select unnest(${covered.hashes}::bytea[])))`,
]

/** Conditions on columns that both tables have: `actions` and `action_accounts`. */
const placesOf = (view: View, params: ActionParams, covered: Covered | undefined): readonly Condition[] => [
  upToHead(view, params),
  is('mc_seqno', params.mc_seqno),
  isAny('trace_id', params.trace_id),
  isAny('trace_id', covered?.traces),
  ...within(params, 'trace_end_utime', 'trace_end_lt'),
]

interface ActionQuery {
  readonly params: ActionParams
  readonly types: readonly string[]
  /** The types that the caller asks for; undefined: all of `types`. */
  readonly requested: readonly string[] | undefined
  readonly covered: Covered | undefined
}

type ActionKey = Pick<ActionRow, 'trace_id' | 'action_id'>

const actionsOf = async (view: View, listed: readonly ActionKey[], request: ActionQuery): Promise<ActionRow[]> => {
  if (listed.length === 0) return []
  const traces = listed.map(({ trace_id }) => trace_id)
  const ids = listed.map(({ action_id }) => action_id)
  const isListed = sql<boolean>`(trace_id, action_id) in (select * from unnest(${traces}::bytea[], ${ids}::bytea[]))`
  // A cluster finds the shards by the first condition only. Elsewhere PostgreSQL would compare each row with each key for it.
  const where = all([view.isDistributed ? isAny('trace_id', traces) : undefined, isListed, ...conditionsOf(request)])
  return await view.rows(sql<ActionRow>`select * from actions where ${where}`, 'generic')
}

/**
 * Reads the actions of an account. On a cluster, action_accounts is distributed by account and actions by trace, so the two cannot be joined. The list is
 * read first, and then the actions by their keys.
 */
const actionsListed = (view: View, account: AccountId, request: ActionQuery): Promise<readonly ActionRow[]> => {
  const { params, covered } = request
  const order = isTimed(params) ? OF_ACCOUNT.byTime : OF_ACCOUNT.byLt
  return readMatching(
    order,
    params,
    (piece) => view.rows(pageOfKeys(view, order, piece, [isAccount('account', account), ...placesOf(view, piece, covered)])),
    async (listed) => {
      const byKey = new Map((await actionsOf(view, listed, request)).map((row) => [actionKey(row), row]))
      return listed.flatMap((row) => byKey.get(actionKey(row)) ?? [])
    },
  )
}

/** Reads one page of actions. `types`: the action types that the caller supports. */
export const findActions = async (view: View, given: ActionParams, types: readonly string[]): Promise<Page<ActionRow>> => {
  const params = await withBounds(view, effective(given))
  const order = isTimed(params) ? OF_ALL.byTime : OF_ALL.byLt
  // Throws for a cursor of another list, even if the result would be empty.
  afterCursor(order, params)
  const { action_type, exclude_action_type } = params
  const excluded = new Set(exclude_action_type)
  const requested = exclude_action_type ? (action_type ?? types).filter((type) => !excluded.has(type)) : action_type
  const covered = await coveredBy(view, params)
  if (covered?.hashes.length === 0 || requested?.length === 0) return EMPTY_PAGE
  const request = { params, types, requested, covered }
  if (params.account) return toPage(order, params, await actionsListed(view, params.account, request))
  const where = [...placesOf(view, params, covered), ...conditionsOf(request)]
  // Planned at each run, because no single plan fits both rare and common types.
  const isNamed = (covered ?? params.trace_id ?? params.action_id ?? requested) !== undefined
  return await findPage(view, order, params, where, { planned: isNamed ? 'each' : 'once' })
}
