import { sql } from 'kysely'
import { TRACE_COMPLETE } from '../codes.ts'
import { MASTER_KEY } from '../row-keys.ts'
import type { Tables } from '../schema/tables.ts'
import { ACCOUNT_COLUMNS, type AccountRow } from './accounts.ts'
import type { ActionRow } from './actions/filter.ts'
import { OF_STATE } from './conditions.ts'
import type { JettonWalletRow } from './jettons.ts'
import { anyOf, byPieces } from './order.ts'
import type { TraceRow } from './traces.ts'
import type { View } from './view.ts'

export const masterHashes = async (view: View, seqnos: readonly number[]): Promise<ReadonlyMap<number, Buffer>> => {
  const rows = await view.rows(
    view.sql
      .selectFrom('blocks')
      .select(['seqno', 'root_hash'])
      .where('shard_key', '=', MASTER_KEY)
      .where(sql<boolean>`seqno = any(${seqnos}::integer[])`)
      .where('mc_seqno', '<=', view.head),
  )
  return new Map(rows.map((row) => [row.seqno, row.root_hash]))
}

const inBlocks = (seqnos: readonly number[], column = 'mc_seqno') => sql<boolean>`${sql.ref(column)} = any(${seqnos}::integer[])`

export type EventBlock = Pick<
  Tables['blocks'],
  'workchain' | 'shard' | 'seqno' | 'root_hash' | 'gen_utime' | 'start_lt' | 'tx_count' | 'mc_seqno'
>

/** Reads the blocks that these masterchain blocks commit, including the masterchain blocks. */
export const blocksIn = (view: View, seqnos: readonly number[]): Promise<EventBlock[]> =>
  view.rows(
    view.sql
      .selectFrom('blocks')
      .select(['workchain', 'shard', 'seqno', 'root_hash', 'gen_utime', 'start_lt', 'tx_count', 'mc_seqno'])
      .where(inBlocks(seqnos))
      .orderBy(sql`mc_seqno, workchain desc, shard, seqno`),
  )

/** Account, lt, trace and block of a transaction: enough to decide whether a listener subscribes to it. */
export type TransactionPosition = Pick<Tables['transactions'], 'account' | 'lt' | 'trace_id' | 'mc_seqno'>

/** Reads the transactions of masterchain blocks; only those of `accounts`, if given. */
export const placesIn = (
  view: View,
  seqnos: readonly number[],
  accounts: readonly Buffer[] | undefined,
): Promise<TransactionPosition[]> => {
  let query = view.sql.selectFrom('transactions').select(['account', 'lt', 'trace_id', 'mc_seqno']).where(inBlocks(seqnos))
  if (accounts) query = query.where(anyOf(sql.ref('account'), accounts))
  return view.rows(query)
}

export const tracesEndingIn = (view: View, seqnos: readonly number[]): Promise<TraceRow[]> =>
  view.rows(view.sql.selectFrom('traces').selectAll().where(inBlocks(seqnos, 'mc_seqno_end')).where('state', '=', TRACE_COMPLETE))

export const tracesById = (view: View, ids: readonly Buffer[]): Promise<TraceRow[]> =>
  byPieces(ids, (piece) =>
    view.rows(
      view.sql
        .selectFrom('traces')
        .selectAll()
        .where(anyOf(sql.ref('trace_id'), piece)),
    ),
  )

export const placesOfTraces = (view: View, ids: readonly Buffer[]): Promise<TransactionPosition[]> =>
  byPieces(ids, (piece) =>
    view.rows(
      view.sql
        .selectFrom('transactions')
        .select(['account', 'lt', 'trace_id', 'mc_seqno'])
        .where(anyOf(sql.ref('trace_id'), piece))
        .where('mc_seqno', '<=', view.head),
    ),
  )

/** Reads all actions of traces, also those that are parts of other actions. In each trace the latest action comes first. */
export const everyActionOf = (view: View, ids: readonly Buffer[]): Promise<ActionRow[]> =>
  byPieces(ids, (piece) =>
    view.rows(
      view.sql
        .selectFrom('actions')
        .selectAll()
        .where(anyOf(sql.ref('trace_id'), piece))
        .where('mc_seqno', '<=', view.head)
        .orderBy(sql`trace_id, end_lt desc, start_lt desc, action_id`),
    ),
  ) as Promise<ActionRow[]>

/** Reads the accounts that changed without a transaction in these masterchain blocks. */
export const setsIn = (view: View, seqnos: readonly number[]): Promise<{ account: Buffer; mc_seqno: number }[]> =>
  view.rows(view.sql.selectFrom('account_sets').select(['account', 'mc_seqno']).where(inBlocks(seqnos)))

export const lastLts = (view: View, accounts: readonly Buffer[]): Promise<{ account: Buffer; last_trans_lt: string }[]> =>
  byPieces(accounts, (piece) =>
    view.rows(
      view.sql
        .selectFrom('accounts')
        .select(['account', 'last_trans_lt'])
        .where(anyOf(sql.ref('account'), piece)),
    ),
  )

export const statesOf = (view: View, accounts: readonly Buffer[]): Promise<AccountRow[]> =>
  byPieces(accounts, (piece) =>
    view.rows(
      view.sql
        .selectFrom('accounts')
        .select(ACCOUNT_COLUMNS)
        .where(anyOf(sql.ref('account'), piece)),
    ),
  )

/** Reads the accounts of the jetton wallets of these owners, at most `limit`. */
export const walletsOwnedBy = async (view: View, owners: readonly Buffer[], limit: number): Promise<Buffer[]> => {
  const query = view.sql
    .selectFrom('jetton_wallets')
    .select('account')
    .where(anyOf(sql.ref('owner'), owners))
  return (await view.rows(query.limit(limit))).map(({ account }) => account)
}

/** Reads the jetton wallets among the accounts. */
export const jettonWalletsAmong = (view: View, accounts: readonly Buffer[]): Promise<JettonWalletRow[]> =>
  byPieces(accounts, (piece) =>
    view.rows(
      view.sql
        .selectFrom('jetton_wallets')
        .innerJoin('accounts', 'accounts.account', 'jetton_wallets.account')
        .selectAll('jetton_wallets')
        .select(OF_STATE)
        .where(anyOf(sql.ref('jetton_wallets.account'), piece)),
    ),
  )

/**
 * SEARCHED: number of masterchain blocks that one search covers. BEFORE: number of blocks before these in which a trace that ends in the searched blocks
 * may have begun.
 */
const SEARCHED = 4_000
const BEFORE = 5_000

export interface EventSearch {
  readonly accounts: readonly Buffer[]
  /** Hashes of external messages, or ids of traces. */
  readonly hashes: readonly Buffer[]
}

/** Finds the masterchain blocks above `after` with events of the accounts or traces, ascending. `until`: the last block that was searched. */
export const findEventBlocks = async (
  view: View,
  after: number,
  { accounts, hashes }: EventSearch,
  limit: number,
): Promise<{ readonly seqnos: readonly number[]; readonly until: number }> => {
  const until = Math.min(view.head, after + SEARCHED)
  const [begin] = await view.rows(
    view.sql
      .selectFrom('blocks')
      .select('start_lt')
      .where('shard_key', '=', MASTER_KEY)
      .where('seqno', '=', Math.max(view.first, after - BEFORE)),
  )
  const lt = begin?.start_lt ?? '0'
  const window = (column: string) => sql`${sql.ref(column)} > ${after} and ${sql.ref(column)} <= ${until}`
  const rows = await view.rows(
    // Traces are found by their ids, because a distributed database cannot join them with the transactions of accounts.
    sql<{ seqno: number }>`with touched as materialized (
      select distinct t.trace_id from transactions t where ${anyOf(sql.ref('t.account'), accounts)} and t.lt > ${lt} and t.mc_seqno <= ${until})
    select seqno from (
      select t.mc_seqno as seqno from transactions t where ${anyOf(sql.ref('t.account'), accounts)} and t.lt > ${lt} and ${window('t.mc_seqno')}
      union select r.mc_seqno_end from traces r
        where r.trace_id in (select trace_id from touched) and ${window('r.mc_seqno_end')} and r.state = ${TRACE_COMPLETE}
      union select l.mc_seqno from action_accounts l where ${anyOf(sql.ref('l.account'), accounts)} and l.trace_end_lt > ${lt} and ${window('l.mc_seqno')}
      union select s.mc_seqno from account_sets s where ${anyOf(sql.ref('s.account'), accounts)} and ${window('s.mc_seqno')}
      union select r.mc_seqno_end from traces r where ${anyOf(sql.ref('r.external_hash'), hashes)} and ${window('r.mc_seqno_end')}
      union select r.mc_seqno_end from traces r where ${anyOf(sql.ref('r.external_hash_norm'), hashes)} and ${window('r.mc_seqno_end')}
      union select r.mc_seqno_end from traces r where ${anyOf(sql.ref('r.trace_id'), hashes)} and ${window('r.mc_seqno_end')}
    ) found order by seqno limit ${limit}`.compile(view.sql),
    'each',
  )
  return { seqnos: rows.map(({ seqno }) => seqno), until }
}
