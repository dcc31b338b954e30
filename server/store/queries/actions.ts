import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../../tlb/ids.ts'
import { bytesList, textsList } from '../postgres/lists.ts'
import { distinct, nameOf } from '../row-keys.ts'
import type { actions } from '../schema/actions.ts'
import type { ReadRow } from '../schema/table.ts'
import { lastOf } from './conditions.ts'
import { fixed, type Place } from './fixed.ts'
import type { View } from './head.ts'
import { byOrder, keyed, merged, plannedBy } from './merged.ts'
import { keysOfMessages } from './messages.ts'
import {
  afterCursor,
  anyOf,
  bound,
  byPieces,
  bytesPart,
  isIn,
  numberPart,
  type Order,
  orderBy,
  type Page,
  type PageParams,
  readMatching,
  readPage,
} from './order.ts'
import { keysOfHashes } from './transactions/by-hash.ts'
import { accountsOf, keyLists, keyOf, type TransactionKey, transactionsKeyed } from './transactions/keys.ts'

export type ActionRow = ReadRow<typeof actions>

export interface ActionFilter {
  readonly account?: AccountId | undefined
  readonly tx_hash?: readonly Uint8Array[] | undefined
  readonly msg_hash?: readonly Uint8Array[] | undefined
  readonly action_id?: readonly Uint8Array[] | undefined
  readonly trace_id?: readonly Uint8Array[] | undefined
  readonly mc_seqno?: number | undefined
  readonly start_utime?: number | undefined
  readonly end_utime?: number | undefined
  readonly start_lt?: bigint | undefined
  readonly end_lt?: bigint | undefined
  readonly action_type?: readonly string[] | undefined
  readonly exclude_action_type?: readonly string[] | undefined
  /** Only actions that the account itself began. */
  readonly initiated_by_account?: boolean | undefined
}

/** `end` is where the list's own table has the action's end. */
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

const OF_ALL = ordersOf('a', 'end_lt')
const OF_ACCOUNT = ordersOf('l', 'action_end_lt')

/** Transactions that an action has to cover, and their traces. */
interface Covered {
  readonly hashes: readonly Buffer[]
  readonly traces: readonly Buffer[]
}

const hashesAndTraces = (view: View, keys: readonly TransactionKey[]): Promise<{ hash: Buffer; trace_id: Buffer }[]> =>
  byPieces(keys, (piece) =>
    keyed(
      view,
      view.sql
        .selectFrom('transactions')
        .select(['hash', 'trace_id'])
        .where(transactionsKeyed(keyLists(piece), view.isDistributed && !view.isSpread)),
      accountsOf(piece),
    ),
  )

/** The transactions that the filter names by hashes of transactions and messages; undefined if it names none. */
const coveredBy = async (view: View, { tx_hash, msg_hash }: ActionFilter): Promise<Covered | undefined> => {
  if (tx_hash === undefined && msg_hash === undefined) return undefined
  const ofTransactions = tx_hash && (await hashesAndTraces(view, await keysOfHashes(view, tx_hash)))
  const found = msg_hash ? await hashesAndTraces(view, await keysOfMessages(view, msg_hash)) : ofTransactions!
  const both = msg_hash && ofTransactions ? found.filter(({ hash }) => ofTransactions.some((other) => other.hash.equals(hash))) : found
  return { hashes: both.map(({ hash }) => hash), traces: both.map(({ trace_id }) => trace_id) }
}

/** Condition: the action's type is in `shown`, and the caller knows the type of no action above it (`types`), which would be shown instead (v3.md 5.2). */
const isVisible = (shown: Buffer | Place, types: Buffer | Place): RawBuilder<boolean> =>
  sql<boolean>`a.type = any(${shown}::text[]) and (a.ancestors is null or not a.ancestors && ${types}::text[])`

/** Types as the value of a statement. Most callers know the same ones. */
const written = new WeakMap<readonly string[], Buffer>()
const typeList = (types: readonly string[]): Buffer => {
  const list = written.get(types) ?? textsList(types)
  written.set(types, list)
  return list
}

/** The lists of `isVisible` as values: the types that the filter takes, and those that the caller knows. */
const typeLists = (types: readonly string[], { action_type }: ActionFilter): readonly [Buffer, Buffer] => {
  const known = typeList(types)
  return [action_type ? textsList(action_type) : known, known]
}

const visibleTo = (types: readonly string[], filter: ActionFilter): RawBuilder<boolean> => isVisible(...typeLists(types, filter))

/** The filters that have an effect (v3.md 2.7): ids of actions exclude all other filters; ids of traces exclude all but the account. */
const effective = (filter: ActionFilter): ActionFilter => {
  const { action_id, trace_id, account } = filter
  if (action_id) return { action_id }
  return trace_id && account === undefined ? { trace_id } : filter
}

type Conditions = RawBuilder<boolean>[]

/** Conditions on the action itself. */
const conditionsOf = (filter: ActionFilter, types: readonly string[], covered: Covered | undefined): Conditions => {
  const said: Conditions = [visibleTo(types, filter)]
  if (filter.action_id) said.push(anyOf(sql.ref('a.action_id'), filter.action_id))
  if (filter.exclude_action_type) said.push(sql<boolean>`a.type <> all(${filter.exclude_action_type}::text[])`)
  if (filter.mc_seqno !== undefined) said.push(sql<boolean>`a.mc_seqno = ${filter.mc_seqno}`)
  if (filter.account && filter.initiated_by_account) said.push(sql<boolean>`a.initiator = ${keyOf(filter.account)}`)
  if (covered)
    said.push(
      sql<boolean>`exists (select from unnest(${covered.hashes}::bytea[]) as covered(hash) where position(covered.hash in a.tx_hashes) > 0)`,
    )
  return said
}

/** Conditions on the place of the action in the list. */
const placesOf = (view: View, table: 'a' | 'l', filter: ActionFilter, page: PageParams, covered: Covered | undefined): Conditions => {
  const ref = (name: string): RawBuilder<unknown> => sql.ref(`${table}.${name}`)
  const said: Conditions = [sql<boolean>`${ref('mc_seqno')} <= ${lastOf(view, page)}`]
  if (filter.trace_id) said.push(anyOf(ref('trace_id'), filter.trace_id))
  if (covered) said.push(anyOf(ref('trace_id'), covered.traces))
  if (filter.start_utime !== undefined) said.push(bound(ref('trace_end_utime'), 'from', String(filter.start_utime), page))
  if (filter.end_utime !== undefined) said.push(bound(ref('trace_end_utime'), 'to', String(filter.end_utime), page))
  if (filter.start_lt !== undefined) said.push(bound(ref('trace_end_lt'), 'from', String(filter.start_lt), page))
  if (filter.end_lt !== undefined) said.push(bound(ref('trace_end_lt'), 'to', String(filter.end_lt), page))
  return said
}

/** Ids of the traces of rows, each once. */
const traceIdsOf = (rows: readonly Pick<TraceBeginning, 'trace_id'>[]): Buffer[] => distinct(rows.map(({ trace_id }) => trace_id))

/** What of an action the list of its account has. */
type Listed = Pick<ActionRow, 'trace_id' | 'action_id' | 'end_lt' | 'trace_end_lt' | 'trace_end_utime'>

/** What a statement for actions is made from. */
interface Wanted {
  readonly filter: ActionFilter
  readonly types: readonly string[]
  readonly covered: Covered | undefined
}

/** The list of an account: where its actions are. */
const listOf = (
  account: Buffer | Place,
  said: readonly RawBuilder<boolean>[],
  order: Order<ActionRow>,
  sort: PageParams['sort'],
  limit: number | Place,
): RawBuilder<Listed> =>
  sql<Listed>`select l.trace_id, l.action_id, l.action_end_lt as end_lt, l.trace_end_lt, l.trace_end_utime from action_accounts l
    where l.account = ${account} and ${sql.join(said, sql` and `)} order by ${orderBy(order, sort)} limit ${limit}`

/** Its beginning. */
const beginningOfList = (sort: PageParams['sort']) =>
  fixed((builder, account, last, limit) =>
    listOf(account, [sql<boolean>`l.mc_seqno <= ${last}`], OF_ACCOUNT.byLt, sort, limit).compile(builder),
  )
const BEGINNING_OF_LIST = { asc: beginningOfList('asc'), desc: beginningOfList('desc') }

const LISTED = fixed((builder, traces, ids, shown, types) =>
  sql<ActionRow>`select a.* from actions a where ${isIn(sql.ref('a.trace_id'), traces)} and ${isIn(sql.ref('a.action_id'), ids)}
    and ${isVisible(shown, types)}`.compile(builder),
)

/** Fields of a filter by account that are conditions on the action itself, besides its type. */
const OF_ACTION = ['action_id', 'tx_hash', 'msg_hash', 'exclude_action_type', 'mc_seqno', 'initiated_by_account'] as const

/** The statement for the actions of a list of an account. */
const statementOfListed = (view: View, listed: readonly Listed[], { filter, types, covered }: Wanted): CompiledQuery<ActionRow> => {
  const [traces, ids] = [bytesList(traceIdsOf(listed)), bytesList(listed.map(({ action_id }) => action_id))]
  if (OF_ACTION.every((name) => filter[name] === undefined || filter[name] === false))
    return LISTED(traces, ids, ...typeLists(types, filter))
  const said = [isIn(sql.ref('a.trace_id'), traces), isIn(sql.ref('a.action_id'), ids), ...conditionsOf(filter, types, covered)]
  return sql<ActionRow>`select a.* from actions a where ${sql.join(said, sql` and `)}`.compile(view.sql)
}

/**
 * Actions of an account for a distributed database, which cannot join the list of an account with actions: they are on other shards. So the list is read first,
 * then its actions by their traces.
 */
const actionsListed = (
  view: View,
  account: AccountId,
  order: Order<ActionRow>,
  page: PageParams,
  wanted: Wanted,
): Promise<readonly ActionRow[]> =>
  readMatching<Listed, ActionRow>(
    order as Order<Listed>,
    page,
    (piece) => {
      const after = afterCursor(order, piece)
      const said = [...placesOf(view, 'l', wanted.filter, piece, wanted.covered), ...(after ? [after] : [])]
      const isBeginning = said.length === 1 && order === OF_ACCOUNT.byLt
      const query = isBeginning
        ? BEGINNING_OF_LIST[piece.sort](keyOf(account), lastOf(view, piece), piece.limit)
        : listOf(keyOf(account), said, order, piece.sort, piece.limit).compile(view.sql)
      return keyed(view, { compile: () => query }, [keyOf(account)])
    },
    async (listed) => {
      const traces = traceIdsOf(listed)
      const query = statementOfListed(view, listed, wanted)
      if (view.isSpread && traces.length <= MOST_AHEAD) askAhead(view, traces)
      const found = view.isSpread ? await keyed(view, { compile: () => query }, traces) : await view.rows(query, 'each')
      const byKey = new Map(found.map((row) => [actionKey(row), row]))
      return listed.flatMap((row) => byKey.get(actionKey(row)) ?? [])
    },
  )

/** Fields for whose values different plans are right. */
const UNEVEN = ['mc_seqno', 'account', 'exclude_action_type', 'start_utime', 'end_utime', 'start_lt', 'end_lt'] as const

/** Actions of a filter that a caller who knows these types sees, one page. */
export const findActions = async (
  view: View,
  given: ActionFilter,
  types: readonly string[],
  page: PageParams,
): Promise<Page<ActionRow>> => {
  const filter = effective(given)
  const covered = await coveredBy(view, filter)
  const timed = filter.start_utime !== undefined || filter.end_utime !== undefined
  const { account } = filter
  const orders = account ? OF_ACCOUNT : OF_ALL
  const order = timed ? orders.byTime : orders.byLt
  return await readPage(order, page, async (piece) => {
    if (covered?.hashes.length === 0) return []
    if (account && view.isDistributed) return await actionsListed(view, account, order, piece, { filter, types, covered })
    const after = afterCursor(order, piece)
    const table = account ? 'l' : 'a'
    const places = placesOf(view, table, filter, piece, covered)
    if (after) places.push(after)
    const said = conditionsOf(filter, types, covered)
    const named = covered ?? filter.trace_id ?? filter.action_id ?? filter.action_type
    const traces = account ? undefined : (covered?.traces ?? filter.trace_id)
    const isOfTraces = view.isSpread && traces !== undefined
    const plan = isOfTraces ? 'kept' : named ? 'each' : plannedBy(filter, UNEVEN)
    // The account's list leads: each of its rows brings its action by key, in the order of the list.
    const text = ({ limit, offset }: PageParams) => {
      const ends = sql`order by ${orderBy(order, piece.sort)} limit ${limit} offset ${offset}`
      // Nodes find the actions of traces by their key, so that one plan is right for all of them. The coordinator, which is asked for deep pages, plans anew.
      const from =
        isOfTraces && offset === 0 ? sql`(select * from actions where ${anyOf(sql.ref('trace_id'), traces)} offset 0)` : sql`actions`
      return account
        ? sql<ActionRow>`select a.* from action_accounts l cross join lateral (select * from actions a
          where a.trace_id = l.trace_id and a.action_id = l.action_id and ${sql.join(said, sql` and `)} limit 1) a
          where l.account = ${keyOf(account)} and ${sql.join(places, sql` and `)} ${ends}`
        : sql<ActionRow>`select a.* from ${from} a where ${sql.join([...places, ...said], sql` and `)} ${ends}`
    }
    // No single plan fits rare and common types.
    return await merged(view, piece, byOrder(order, piece.sort), (part) => ({ compile: () => text(part).compile(view.sql) }), plan, traces)
  })
}

/** Actions of traces that a caller who knows these types sees. The actions of a trace are ordered by their beginning. */
export const actionsOfTraces = (view: View, ids: readonly Buffer[], types: readonly string[]): Promise<ActionRow[]> =>
  byPieces(ids, (piece) =>
    keyed(
      view,
      {
        compile: () =>
          sql<ActionRow>`select a.* from actions a where ${anyOf(sql.ref('a.trace_id'), piece)} and a.mc_seqno <= ${view.head}
        and ${visibleTo(types, {})} order by a.trace_id, a.start_lt, a.end_lt, a.action_id`.compile(view.sql),
      },
      piece,
    ),
  )

/** The message that began a trace: its hash, and its normalized hash if that is another one. */
export interface TraceBeginning {
  readonly trace_id: Buffer
  readonly external_hash: Buffer | null
  readonly external_hash_norm: Buffer | null
}

const BEGINNINGS = fixed((builder, ids) =>
  builder
    .selectFrom('traces')
    .select(['trace_id', 'external_hash', 'external_hash_norm'])
    .where(isIn(sql.ref('trace_id'), ids)),
)

const readBeginnings = (view: View, ids: readonly Buffer[]): Promise<TraceBeginning[]> =>
  byPieces(ids, (piece) => view.shards(BEGINNINGS(bytesList(piece)), 'once', piece))

/** Largest number of traces whose beginnings are read together with their actions. */
const MOST_AHEAD = 100

/** Beginnings that were asked for together with the actions of these traces (`nameOf`). */
interface Ahead {
  readonly traces: ReadonlySet<string>
  readonly rows: Promise<readonly TraceBeginning[]>
}

const asked = new WeakMap<View, Ahead>()

/** The nodes of a cluster are asked for the beginnings of traces together with the actions, so that one trip less is made. */
const askAhead = (view: View, ids: readonly Buffer[]): void => {
  const rows = readBeginnings(view, ids)
  rows.catch(() => {})
  asked.set(view, { traces: new Set(ids.map(nameOf)), rows })
}

/** How the traces of actions or transactions began. */
export const beginningsOf = async (view: View, rows: readonly Pick<TraceBeginning, 'trace_id'>[]): Promise<readonly TraceBeginning[]> => {
  const ids = traceIdsOf(rows)
  const ahead = asked.get(view)
  return ahead && ids.every((id) => ahead.traces.has(nameOf(id))) ? await ahead.rows : await readBeginnings(view, ids)
}

/** Accounts that actions are listed under, by `actionKey`. */
export const accountsOfActions = async (view: View, rows: readonly ActionRow[]): Promise<ReadonlyMap<string, readonly Buffer[]>> => {
  const found = new Map<string, Buffer[]>()
  const listed = await byPieces(traceIdsOf(rows), (piece) =>
    keyed(
      view,
      view.sql
        .selectFrom('action_accounts')
        .select(['trace_id', 'action_id', 'account'])
        .where(anyOf(sql.ref('trace_id'), piece))
        .orderBy('account'),
    ),
  )
  if (view.isSpread) listed.sort((a, b) => Buffer.compare(a.account, b.account))
  for (const row of listed) {
    const key = actionKey(row)
    const known = found.get(key)
    if (known === undefined) found.set(key, [row.account])
    else known.push(row.account)
  }
  return found
}

/** The key of an action as text, for maps. */
export const actionKey = ({ trace_id, action_id }: Pick<ActionRow, 'trace_id' | 'action_id'>): string =>
  nameOf(trace_id) + nameOf(action_id)

const CLASSIFICATIONS = fixed((builder, head, ids) =>
  builder
    .selectFrom('trace_classifications')
    .select(['trace_id', 'state'])
    .where('mc_seqno', '<=', head)
    .where(isIn(sql.ref('trace_id'), ids)),
)

/** Results of classifying traces, by trace id as latin1 text. Traces without a result are missing. */
export const classificationsOf = async (view: View, ids: readonly Buffer[]): Promise<ReadonlyMap<string, number>> => {
  const rows = await byPieces(ids, (piece) => view.shards(CLASSIFICATIONS(view.head, bytesList(piece)), 'once', piece))
  return new Map(rows.map(({ trace_id, state }) => [nameOf(trace_id), state]))
}
