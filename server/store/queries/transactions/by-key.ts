import { sql } from 'kysely'
import { DIRECTION_IN, DIRECTION_OUT } from '../../codes.ts'
import { bytesList } from '../../postgres/lists.ts'
import { fixed, fixedForEach, type Place } from '../fixed.ts'
import type { View } from '../head.ts'
import { type MessageRow, withMessagesAhead } from '../messages-of-transactions.ts'
import { byPieces, isIn } from '../order.ts'
import type { Side } from './by-hash.ts'
import { BOTH, type TransactionRow } from './filter.ts'
import { accountsOf, compareLt, FEW, keyLists, keyText, type TransactionKey, transactionsKeyed } from './keys.ts'

/* Transactions that are known already: by key, by trace, and by what is next to them. Their order is that of lt and account. */

const byLt = (a: TransactionRow, b: TransactionRow): number => compareLt(a.lt, b.lt) || Buffer.compare(a.account, b.account)

const BY_KEYS = fixedForEach((isDistributed) =>
  fixed((builder, head, accounts, lts) =>
    builder
      .selectFrom('transactions')
      .selectAll()
      .where('mc_seqno', '<=', head)
      .where(transactionsKeyed([accounts, lts], isDistributed)),
  ),
)

/** Transactions by their keys, by lt and account, ascending. */
export const transactionsByKeys = async (view: View, keys: readonly TransactionKey[]): Promise<TransactionRow[]> => {
  const rows = await byPieces(keys, (piece) => view.shards(BY_KEYS(view)(view.head, ...keyLists(piece)), 'once', accountsOf(piece)))
  return rows.sort(byLt)
}

/** `direction`: of the messages that are followed, or BOTH. */
const ADJACENT = fixed((builder, head, hash, direction) =>
  sql<TransactionRow>`select t.* from (select account, lt from tx_by_hash where hash = ${hash} offset 0) k
      cross join lateral (select msg_hash, direction from messages where tx_account = k.account and tx_lt = k.lt offset 0) m
      cross join lateral (
        select tx_account, tx_lt from messages where msg_hash = m.msg_hash and direction <> m.direction and mc_seqno <= ${head} offset 0) other
      cross join lateral (select * from transactions where account = other.tx_account and lt = other.tx_lt and mc_seqno <= ${head} offset 0) t
    where ${direction}::integer in (${sql.lit(BOTH)}, m.direction)`.compile(builder),
)

/**
 * The other side of each message of a transaction, by lt and account, ascending: the sender of the one it received, the receivers of those it sent.
 * `direction`: only these messages. Not for a distributed database, which cannot join them.
 */
export const adjacentTransactions = async (view: View, hash: Uint8Array, direction: number | undefined): Promise<TransactionRow[]> => {
  const rows = await view.rows(ADJACENT(view.head, Buffer.from(hash), direction ?? BOTH))
  const found = new Map(rows.map((row) => [keyText(row), row]))
  return [...found.values()].sort(byLt)
}

/** Keys of the receivers of messages that were sent, and of the senders of messages that were received. `offset 0`: they are found by hash, whatever the plan is made for. */
const keysOfSides = (head: Place, all: Place, sent: Place, received: Place) =>
  sql`(select distinct tx_account, tx_lt from (
      select tx_account, tx_lt, direction, msg_hash from messages where ${isIn(sql.ref('msg_hash'), all)} and mc_seqno <= ${head} offset 0) found
    where (direction = ${sql.lit(DIRECTION_IN)} and ${isIn(sql.ref('msg_hash'), sent)})
      or (direction = ${sql.lit(DIRECTION_OUT)} and ${isIn(sql.ref('msg_hash'), received)}) offset 0)`

const OF_SIDES = fixed((builder, head, all, sent, received) =>
  sql<TransactionRow>`select t.* from ${keysOfSides(head, all, sent, received)} side
    cross join lateral (select * from transactions where account = side.tx_account and lt = side.tx_lt and mc_seqno <= ${head} offset 0) t`.compile(
    builder,
  ),
)

const MESSAGES_OF_SIDES = fixed((builder, head, all, sent, received) =>
  sql<MessageRow>`select m.* from ${keysOfSides(head, all, sent, received)} side
    cross join lateral (select * from messages where tx_account = side.tx_account and tx_lt = side.tx_lt offset 0) m`.compile(builder),
)

/**
 * The other side of each of these messages of a transaction, by lt and account, ascending, for a cluster whose nodes are asked themselves: a side and its transaction are on
 * one of them. Their messages are asked for at the same time.
 */
export const transactionsOfSides = async (view: View, followed: readonly Side[]): Promise<TransactionRow[]> => {
  const of = (taken: typeof followed): Buffer => bytesList(taken.map(({ msg_hash }) => msg_hash))
  const sent = followed.filter(({ direction }) => direction !== DIRECTION_IN)
  const received = followed.filter(({ direction }) => direction === DIRECTION_IN)
  const values = [view.head, of(followed), of(sent), of(received)] as const
  const asked = view.shards(OF_SIDES(...values))
  const messages = followed.length <= FEW ? view.shards(MESSAGES_OF_SIDES(...values)) : undefined
  return (await withMessagesAhead(view, asked, messages)).sort(byLt)
}

/** All transactions of a few traces. */
const OF_TRACES = fixed((builder, ids) =>
  builder
    .selectFrom('transactions')
    .selectAll()
    .where(isIn(sql.ref('trace_id'), ids)),
)

/** Their messages. */
const MESSAGES_OF_TRACES = fixed((builder, ids) =>
  sql<MessageRow>`select m.* from (select account, lt from transactions where ${isIn(sql.ref('trace_id'), ids)} offset 0) t
    cross join lateral (select * from messages where tx_account = t.account and tx_lt = t.lt offset 0) m`.compile(builder),
)

/** Largest number of transactions per statement when several traces are read. */
const SEVERAL = 250

const idOf = ({ trace_id }: { readonly trace_id: Buffer }): Buffer => trace_id

/** All transactions of traces, by lt and account, ascending. `nodes`: number of transactions in each trace. */
export const transactionsOfTraces = async (
  view: View,
  traces: readonly { readonly trace_id: Buffer; readonly nodes: number }[],
): Promise<TransactionRow[]> => {
  if (traces.length === 0) return []
  const asked: Promise<TransactionRow[]>[] = []
  let ids: Buffer[] = []
  let nodes = 0
  for (const [i, trace] of traces.entries()) {
    ids.push(trace.trace_id)
    nodes += trace.nodes
    if (nodes + (traces[i + 1]?.nodes ?? SEVERAL) < SEVERAL) continue
    asked.push(view.shards(OF_TRACES(bytesList(ids))))
    ids = []
    nodes = 0
  }
  const isFew = traces.reduce((sum, { nodes }) => sum + nodes, 0) <= SEVERAL
  const messages = view.isSpread && isFew ? view.shards(MESSAGES_OF_TRACES(bytesList(traces.map(idOf)))) : undefined
  const all = Promise.all(asked).then((pieces) => pieces.flat())
  return (await withMessagesAhead(view, all, messages)).sort(byLt)
}

const HASHES = fixedForEach((isDistributed) =>
  fixed((builder, accounts, lts) =>
    builder
      .selectFrom('transactions')
      .select(['account', 'lt', 'hash'])
      .where(transactionsKeyed([accounts, lts], isDistributed)),
  ),
)

/** Hashes of transactions by their keys, as `keyText` to hash. */
export const hashesOfKeys = async (view: View, keys: readonly TransactionKey[]): Promise<ReadonlyMap<string, Buffer>> => {
  const rows = await byPieces(keys, (piece) => view.shards(HASHES(view)(...keyLists(piece)), 'once', accountsOf(piece)))
  return new Map(rows.map((row) => [keyText(row), row.hash]))
}

/** The account's state after a transaction. Known only for the last one in a block. */
export type StateAfter = Pick<
  TransactionRow,
  'state_hash_after' | 'end_status' | 'after_balance' | 'after_extra' | 'after_code_hash' | 'after_data_hash' | 'after_frozen_hash'
>

const STATES = fixedForEach((isDistributed) =>
  fixed((builder, accounts, lts) =>
    builder
      .selectFrom('transactions')
      .select(['account', 'lt', 'state_hash_after', 'end_status', 'after_balance', 'after_extra'])
      .select(['after_code_hash', 'after_data_hash', 'after_frozen_hash'])
      .where(transactionsKeyed([accounts, lts], isDistributed))
      .where('after_balance', 'is not', null),
  ),
)

/** States of the accounts before these transactions, by key. Missing if the transaction before is not indexed or its result is not known. */
export const statesBefore = async (view: View, rows: readonly TransactionRow[]): Promise<ReadonlyMap<string, StateAfter>> => {
  const keys = rows.filter((row) => row.prev_trans_lt !== '0').map((row) => ({ account: row.account, lt: row.prev_trans_lt }))
  const found = await byPieces(keys, (piece) => view.shards(STATES(view)(...keyLists(piece)), 'once', accountsOf(piece)))
  return new Map(found.map((row) => [keyText(row), row]))
}
