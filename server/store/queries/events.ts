import { sql } from 'kysely'
import { TRACE_COMPLETE } from '../codes.ts'
import { MASTER_KEY } from '../row-keys.ts'
import type { Tables } from '../schema/tables.ts'
import { isAny } from './conditions.ts'
import { lookUp } from './look-up.ts'
import { all } from './order.ts'
import type { TraceRow } from './traces.ts'
import { MESSAGES_OF_ONE } from './transactions/size.ts'
import type { View } from './view.ts'

export const masterHashes = async (view: View, seqnos: readonly number[]): Promise<ReadonlyMap<number, Buffer>> => {
  const query = sql<EventBlock>`select seqno, root_hash from blocks
    where shard_key = ${MASTER_KEY} and seqno = any(${seqnos}::integer[]) and mc_seqno <= ${view.head}`
  return new Map((await view.rows(query)).map((row) => [row.seqno, row.root_hash]))
}

const inBlocks = (seqnos: readonly number[], column = 'mc_seqno') => sql<boolean>`${sql.ref(column)} = any(${seqnos}::integer[])`

export type EventBlock = Pick<
  Tables['blocks'],
  'workchain' | 'shard' | 'seqno' | 'root_hash' | 'gen_utime' | 'start_lt' | 'tx_count' | 'mc_seqno'
>

/** Reads the blocks that these masterchain blocks commit, including the masterchain blocks. */
export const blocksIn = (view: View, seqnos: readonly number[]): Promise<EventBlock[]> =>
  view.rows(
    sql<EventBlock>`select workchain, shard, seqno, root_hash, gen_utime, start_lt, tx_count, mc_seqno from blocks where ${inBlocks(seqnos)}
      order by mc_seqno, workchain desc, shard, seqno`,
  )

/**
 * For each of these masterchain blocks the size of its transactions and of the traces that end in it, of which each counts with at most `most`. A block
 * without any may be missing.
 */
export const sizesAbout = async (view: View, seqnos: readonly number[], most: number): Promise<ReadonlyMap<number, number>> => {
  type Sized = { readonly seqno: number; readonly size: number }
  const sizes = await Promise.all([
    view.rows(
      sql<Sized>`select mc_seqno as seqno, greatest(count(*), (count(*) + sum(action_msgs_created)) / ${MESSAGES_OF_ONE})::integer as size
        from transactions where ${inBlocks(seqnos)} group by mc_seqno`,
    ),
    view.rows(
      sql<Sized>`select mc_seqno_end as seqno,
        least(sum(least(greatest(nodes, (edges + pending_edges) / ${MESSAGES_OF_ONE}), ${most})), 1000000000)::integer as size
        from traces where ${inBlocks(seqnos, 'mc_seqno_end')} group by mc_seqno_end`,
    ),
  ])
  const found = new Map<number, number>()
  for (const { seqno, size } of sizes.flat()) found.set(seqno, (found.get(seqno) ?? 0) + size)
  return found
}

const POSITION = ['account', 'lt', 'trace_id', 'mc_seqno', 'action_msgs_created'] as const
const POSITION_COLUMNS = sql.raw(POSITION.join(', '))

/** Account, lt, trace, block and size of a transaction: enough to decide whether a listener subscribes to it, and what fits into an event. */
export type TransactionPosition = Pick<Tables['transactions'], (typeof POSITION)[number]>

/** Reads the transactions of masterchain blocks; only those of `accounts`, if given. */
export const placesIn = (view: View, seqnos: readonly number[], accounts: readonly Buffer[] | undefined): Promise<TransactionPosition[]> =>
  view.rows(
    sql<TransactionPosition>`select ${POSITION_COLUMNS} from transactions
      where ${all([inBlocks(seqnos), isAny('account', accounts)])}`,
  )

export const tracesEndingIn = (view: View, seqnos: readonly number[]): Promise<TraceRow[]> =>
  view.rows(sql<TraceRow>`select * from traces where ${inBlocks(seqnos, 'mc_seqno_end')} and state = ${TRACE_COMPLETE}`)

export const tracesById = lookUp({ from: 'traces', by: 'trace_id' })

export const placesOfTraces = lookUp({
  from: 'transactions',
  by: 'trace_id',
  columns: POSITION,
  isBounded: true,
})

/** `total`: number of the account's transactions in the trace, also of those that are not read. */
export type CountedPosition = TransactionPosition & { readonly total: number }

/**
 * Reads transactions of these accounts in a large trace, at most `limit`: of each account the newest, and of no account many while another one has more that
 * are not read.
 */
export const newestOfTrace = (view: View, trace: Buffer, accounts: readonly Buffer[], limit: number): Promise<CountedPosition[]> =>
  view.rows(
    sql<CountedPosition>`select ${POSITION_COLUMNS}, total from (
      select ${POSITION_COLUMNS}, count(*) over (partition by account)::integer as total,
        row_number() over (partition by account order by lt desc) as place
      from transactions where ${all([sql<boolean>`trace_id = ${trace}`, sql<boolean>`mc_seqno <= ${view.head}`, isAny('account', accounts)])}
    ) counted order by place, lt desc limit ${limit}`,
  )

/** Reads all actions of traces, also those that are parts of other actions. In each trace the latest action comes first. */
export const everyActionOf = lookUp({
  from: 'actions',
  by: 'trace_id',
  isBounded: true,
  orderBy: 'trace_id, end_lt desc, start_lt desc, action_id',
})

/** Reads the accounts that changed without a transaction in these masterchain blocks. */
export const setsIn = (view: View, seqnos: readonly number[]): Promise<{ account: Buffer; mc_seqno: number }[]> =>
  view.rows(sql<{ account: Buffer; mc_seqno: number }>`select account, mc_seqno from account_sets where ${inBlocks(seqnos)}`)

export const lastLts = lookUp({ from: 'accounts', by: 'account', columns: ['account', 'last_trans_lt'] })

/** Reads the accounts of the jetton wallets of these owners, at most `limit`. */
export const walletsOwnedBy = async (view: View, owners: readonly Buffer[], limit: number): Promise<Buffer[]> => {
  const query = sql<{ account: Buffer }>`select account from jetton_wallets where ${isAny('owner', owners)} limit ${limit}`
  return (await view.rows(query)).map(({ account }) => account)
}

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
  const first = Math.max(view.first, after - BEFORE)
  const [begin] = await view.rows(sql<EventBlock>`select start_lt from blocks where shard_key = ${MASTER_KEY} and seqno = ${first}`)
  const lt = begin?.start_lt ?? '0'
  const window = (column: string) => sql`${sql.ref(column)} > ${after} and ${sql.ref(column)} <= ${until}`
  const rows = await view.rows(
    // Traces are found by their ids, because a distributed database cannot join them with the transactions of accounts.
    sql<{ seqno: number }>`with touched as materialized (
      select distinct t.trace_id from transactions t where ${isAny('t.account', accounts)} and t.lt > ${lt} and t.mc_seqno <= ${until})
    select seqno from (
      select t.mc_seqno as seqno from transactions t where ${isAny('t.account', accounts)} and t.lt > ${lt} and ${window('t.mc_seqno')}
      union select r.mc_seqno_end from traces r
        where r.trace_id in (select trace_id from touched) and ${window('r.mc_seqno_end')} and r.state = ${TRACE_COMPLETE}
      union select l.mc_seqno from action_accounts l where ${isAny('l.account', accounts)} and l.trace_end_lt > ${lt} and ${window('l.mc_seqno')}
      union select s.mc_seqno from account_sets s where ${isAny('s.account', accounts)} and ${window('s.mc_seqno')}
      union select r.mc_seqno_end from traces r where ${isAny('r.external_hash', hashes)} and ${window('r.mc_seqno_end')}
      union select r.mc_seqno_end from traces r where ${isAny('r.external_hash_norm', hashes)} and ${window('r.mc_seqno_end')}
      union select r.mc_seqno_end from traces r where ${isAny('r.trace_id', hashes)} and ${window('r.mc_seqno_end')}
    ) found order by seqno limit ${limit}`,
    'each',
  )
  return { seqnos: rows.map(({ seqno }) => seqno), until }
}
