import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { AccountId } from '../../tlb/ids.ts'
import { DIRECTION_IN, DIRECTION_OUT } from '../codes.ts'
import { bytesList } from '../postgres/lists.ts'
import { nameOf } from '../row-keys.ts'
import type { Tables } from '../schema/tables.ts'
import { cellsOf } from './accounts.ts'
import { lastOf } from './conditions.ts'
import { fixed } from './fixed.ts'
import type { View } from './head.ts'
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
import { keyLists, keyOf, keyText, messagesKeyed, type TransactionKey } from './transaction-keys.ts'
import { sidesByHash } from './transactions.ts'
import { hashesOfKeys } from './transactions-by-key.ts'

export type MessageRow = Tables['messages']

/** A message with the BoCs of its body and its initial state; null where the index lacks the cell. */
export type FullMessage = MessageRow & { readonly body_boc: Buffer | null; readonly init_boc: Buffer | null }

/** A message of a list: with the hash of the transaction of its row, and of the one on the other side; null where the index lacks it. */
export type ListedMessage = FullMessage & { readonly own_tx_hash: Buffer | null; readonly other_tx_hash: Buffer | null }

export interface MessageFilter {
  readonly msg_hash?: readonly Uint8Array[] | undefined
  readonly body_hash?: Uint8Array | undefined
  readonly opcode?: number | undefined
  readonly source?: AccountId | 'none' | undefined
  readonly destination?: AccountId | 'none' | undefined
  readonly direction?: 'in' | 'out' | undefined
  readonly start_utime?: number | undefined
  readonly end_utime?: number | undefined
  readonly start_lt?: bigint | undefined
  readonly end_lt?: bigint | undefined
  readonly exclude_externals?: boolean | undefined
  readonly only_externals?: boolean | undefined
}

/** created_lt. An external message has none and is ordered by the lt of its receiver. */
const effectiveLt = sql<string>`coalesce(created_lt, tx_lt)`
const hash = bytesPart<MessageRow>(sql.ref('msg_hash'), 32, (row) => row.msg_hash)

const lt = numberPart<MessageRow>(effectiveLt, (row) => row.created_lt ?? row.tx_lt)

const BY_LT: Order<MessageRow> = { name: 'c', parts: [lt, hash] }
const BY_TIME: Order<MessageRow> = { name: 't', parts: [numberPart(sql.ref('created_at'), (row) => row.created_at ?? '0'), lt, hash] }

const hashIs = (hashes: readonly Uint8Array[]) =>
  sql<boolean>`(${anyOf(sql.ref('msg_hash'), hashes)} or ${anyOf(sql.ref('msg_hash_norm'), hashes)})`

type Query = SelectQueryBuilder<Tables, 'messages', MessageRow>

/** Columns of the message itself. */
const narrowed = (given: Query, filter: MessageFilter): Query => {
  let query = given
  if (filter.msg_hash) query = query.where(hashIs(filter.msg_hash))
  if (filter.body_hash) query = query.where('body_hash', '=', Buffer.from(filter.body_hash))
  if (filter.opcode !== undefined) query = query.where('opcode', '=', filter.opcode)
  for (const side of ['source', 'destination'] as const) {
    const party = filter[side]
    if (party === 'none') query = query.where(side, 'is', null)
    else if (party) query = query.where(side, '=', keyOf(party))
  }
  return query
}

/**
 * Whether no message can match the filter: an external in-message has no sender and no creation time, an external out-message no receiver. Without this
 * check the query would read the whole table.
 */
const isContradiction = (filter: MessageFilter): boolean => {
  const { source, destination, direction, start_utime, end_utime, start_lt, end_lt, exclude_externals, only_externals } = filter
  const isFromOutside = source === 'none' || only_externals === true
  const isTimed = (start_utime ?? end_utime ?? start_lt ?? end_lt) !== undefined
  const isSent = isTimed || exclude_externals === true || direction === 'out' || (source !== undefined && source !== 'none')
  return (isFromOutside && (isSent || destination === 'none')) || (destination === 'none' && direction === 'in')
}

/** Those of some messages that were received. */
const receivedOf = async <Row extends MessageRow>(view: View, rows: readonly Row[]): Promise<readonly Row[]> => {
  const taken = await view.rows(
    view.sql
      .selectFrom('messages')
      .select('msg_hash')
      .where('direction', '=', DIRECTION_IN)
      .where(
        anyOf(
          sql.ref('msg_hash'),
          rows.map(({ msg_hash }) => msg_hash),
        ),
      ),
  )
  const hashes = new Set(taken.map(({ msg_hash }) => msg_hash.toString('latin1')))
  return rows.filter(({ msg_hash }) => hashes.has(msg_hash.toString('latin1')))
}

const bocOf = (hash: string) => sql<Buffer | null>`(select boc from cells where hash = ${sql.ref(hash)})`
/** The cells of a row `m`. Looked up for each row: what PostgreSQL supposes of a list in a kept plan would make it read the whole table. */
const CELLS = sql`${bocOf('m.body_hash')} as body_boc, ${bocOf('m.init_hash')} as init_boc`

/** The transactions of a row `m`. Only an external message is received more than once, and it has no sender. */
const transactionHashes = (
  head: number,
) => sql`(select hash from transactions where account = m.tx_account and lt = m.tx_lt) as own_tx_hash,
  (select t.hash from messages other cross join lateral (select hash from transactions where account = other.tx_account and lt = other.tx_lt offset 0) t
    where other.msg_hash = m.msg_hash and other.direction <> m.direction and other.mc_seqno <= ${head} limit 1) as other_tx_hash`

/** Messages with their cells, for a distributed database, where a message and its body can be on two shards. */
const withCells = async <Row extends MessageRow>(view: View, rows: readonly Row[]): Promise<(Row & FullMessage)[]> => {
  const bocs = await cellsOf(view, cellHashes(rows))
  const bocOfHash = (hash: Buffer | null): Buffer | null => (hash && bocs.get(hash.toString('base64'))) ?? null
  return rows.map((row) => ({ ...row, body_boc: bocOfHash(row.body_hash), init_boc: bocOfHash(row.init_hash) }))
}

/** Hashes of the cells that messages show: their bodies and initial states. */
function* cellHashes(rows: readonly MessageRow[]): Generator<Buffer> {
  for (const row of rows) {
    yield row.body_hash
    if (row.init_hash) yield row.init_hash
  }
}

/** One page of the messages that match a filter, one row per message. */
export const findMessages = async (view: View, filter: MessageFilter, page: PageParams): Promise<Page<ListedMessage>> => {
  if (!view.isDistributed) return await readMessages(view, filter, page, (query, order) => listedAtOnce(view, query, order))
  const { rows, next } = await readMessages(view, filter, page, (query) => view.rows(query))
  const [full, hashesOf] = await Promise.all([withCells(view, rows), transactionsOfMessages(view, rows)])
  return { rows: full.map((row) => ({ ...row, ...hashesOf(row) })), next }
}

/** Rows of a list with all that is shown of them, in one statement. They are looked up for the rows of the page alone, not for those that an offset skips. */
const listedAtOnce = (view: View, query: Query, order: RawBuilder<unknown>): Promise<ListedMessage[]> =>
  view.rows(sql<ListedMessage>`select m.*, ${CELLS}, ${transactionHashes(view.head)} from ${query} m order by ${order}`.compile(view.sql))

/** Reads a page of rows with `ask`. */
const readMessages = <Row extends MessageRow>(
  view: View,
  filter: MessageFilter,
  page: PageParams,
  ask: (query: Query, order: RawBuilder<unknown>) => Promise<Row[]>,
): Promise<Page<Row>> => {
  const timed = filter.start_utime !== undefined || filter.end_utime !== undefined
  const order = timed ? BY_TIME : BY_LT
  const isNothing = isContradiction(filter)
  const listed = (piece: PageParams): Promise<Row[]> => {
    const after = afterCursor(order, piece)
    // A literal, because with a parameter a prepared plan could not use the partial indexes of listed rows.
    let query = view.sql.selectFrom('messages').selectAll().where(sql<boolean>`listed`)
    if (after) query = query.where(after)
    query = narrowed(query, filter).where(bound(sql.ref('mc_seqno'), 'to', lastOf(view, page), piece))
    if (filter.start_utime !== undefined) query = query.where(bound(sql.ref('created_at'), 'from', String(filter.start_utime), piece))
    if (filter.end_utime !== undefined) query = query.where(bound(sql.ref('created_at'), 'to', String(filter.end_utime), piece))
    // Besides created_lt, which external messages lack, the lt of the order, because the index has that column.
    if (filter.start_lt !== undefined)
      query = query.where('created_lt', 'is not', null).where(bound(effectiveLt, 'from', String(filter.start_lt), piece))
    if (filter.end_lt !== undefined)
      query = query.where('created_lt', 'is not', null).where(bound(effectiveLt, 'to', String(filter.end_lt), piece))
    if (filter.exclude_externals) query = query.where('created_lt', 'is not', null)
    if (filter.only_externals) query = query.where('created_lt', 'is', null)
    // The listed row is the sender's. A separate row shows whether the message was received.
    if (filter.direction === 'out') query = query.where('direction', '=', DIRECTION_OUT)
    if (filter.direction === 'in' && !view.isDistributed)
      query = query.where(
        sql<boolean>`exists (select from messages as taken where taken.msg_hash = messages.msg_hash and taken.direction = ${sql.lit(DIRECTION_IN)})`,
      )
    const sorted = orderBy(order, piece.sort)
    query = query.orderBy(sorted).limit(piece.limit)
    if (piece.offset > 0) query = query.offset(piece.offset)
    return ask(query, sorted)
  }
  return readPage(order, page, async (piece) => {
    if (isNothing) return []
    // The two rows of a message can be on two shards.
    if (filter.direction === 'in' && view.isDistributed) return await readMatching(order, piece, listed, (rows) => receivedOf(view, rows))
    return await listed(piece)
  })
}

const SIDES = fixed((builder, head, hashes) =>
  builder
    .selectFrom('messages')
    .selectAll()
    .where('mc_seqno', '<=', head)
    .where(isIn(sql.ref('msg_hash'), hashes)),
)

const OF_TRANSACTIONS = fixed((builder, accounts, lts) =>
  builder
    .selectFrom('messages')
    .selectAll()
    .where(messagesKeyed([accounts, lts]))
    .orderBy(sql`tx_lt, tx_account, direction, msg_index`),
)

const FULL_OF_TRANSACTIONS = fixed((builder, accounts, lts) =>
  sql<FullMessage>`select m.*, ${CELLS} from (select * from messages where ${messagesKeyed([accounts, lts])}
    order by tx_lt, tx_account, direction, msg_index offset 0) m`.compile(builder),
)

/** Rows of both sides of messages, by message hash. */
export const sidesOfMessages = (view: View, hashes: readonly Uint8Array[]): Promise<MessageRow[]> =>
  byPieces(hashes, (piece) => view.rows(SIDES(view.head, bytesList(piece))))

/** Rows of messages of transactions: the received one, and the sent ones in order. */
export const rowsOfTransactions = (view: View, keys: readonly TransactionKey[]): Promise<MessageRow[]> =>
  byPieces(keys, (piece) => view.rows(OF_TRANSACTIONS(...keyLists(piece))))

/** The same messages with their cells. */
export const messagesOfTransactions = async (view: View, keys: readonly TransactionKey[]): Promise<FullMessage[]> =>
  view.isDistributed
    ? await withCells(view, await rowsOfTransactions(view, keys))
    : await byPieces(keys, (piece) => view.rows(FULL_OF_TRANSACTIONS(...keyLists(piece))))

const keyOfRow = (row: Pick<MessageRow, 'tx_account' | 'tx_lt'>): TransactionKey => ({ account: row.tx_account, lt: row.tx_lt })

/** Keys of the transactions that received or sent messages, which are given by hash or by normalized hash. */
export const keysOfMessages = async (view: View, hashes: readonly Uint8Array[]): Promise<readonly TransactionKey[]> => {
  const sides = await byPieces(hashes, (piece) => sidesByHash(view, piece))
  return sides.map(keyOfRow)
}

/** The transactions of each message, for a distributed database: of its own row, and of the other side. */
const transactionsOfMessages = async (
  view: View,
  rows: readonly MessageRow[],
): Promise<(row: MessageRow) => Pick<ListedMessage, 'own_tx_hash' | 'other_tx_hash'>> => {
  const sides = await sidesOfMessages(
    view,
    rows.map((row) => row.msg_hash),
  )
  const known = await hashesOfKeys(view, sides.map(keyOfRow))
  const hashOf = (row: MessageRow): Buffer | null => known.get(keyText(keyOfRow(row))) ?? null
  const nameOfSide = (row: MessageRow, direction: number): string => `${direction}${nameOf(row.msg_hash)}`
  const bySide = new Map(sides.map((side) => [nameOfSide(side, side.direction), hashOf(side)]))
  // The same external message can be received twice, so each row has its own transaction.
  return (row) => ({ own_tx_hash: hashOf(row), other_tx_hash: bySide.get(nameOfSide(row, 1 - row.direction)) ?? null })
}
