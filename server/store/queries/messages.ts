import { type SelectQueryBuilder, sql } from 'kysely'
import { mapWithPauses } from '../../base/yield.ts'
import type { AccountId } from '../../tlb/ids.ts'
import { DIRECTION_IN, DIRECTION_OUT } from '../codes.ts'
import { bytesList } from '../postgres/lists.ts'
import type { Tables } from '../schema/tables.ts'
import { cellsOf } from './accounts.ts'
import { lastOf, type WindowFilter, within } from './conditions.ts'
import { fixed } from './fixed.ts'
import type { MessageRow } from './messages-of-transactions.ts'
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
import { sidesByHash } from './transactions/list.ts'
import { keyOf, keyText, type TransactionKey } from './transactions/transaction-key.ts'
import type { View } from './view.ts'

/** A message with the BoCs of its body and its initial state; null where the index lacks the cell. */
export type FullMessage = MessageRow & { readonly body_boc: Buffer | null; readonly init_boc: Buffer | null }

export interface MessageFilter extends WindowFilter {
  readonly msg_hash?: readonly Uint8Array[] | undefined
  readonly body_hash?: Uint8Array | undefined
  readonly opcode?: number | undefined
  readonly source?: AccountId | 'none' | undefined
  readonly destination?: AccountId | 'none' | undefined
  readonly direction?: 'in' | 'out' | undefined
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
const receivedOf = async (view: View, rows: readonly MessageRow[]): Promise<readonly MessageRow[]> => {
  const taken = await view.rows(
    view.sql
      .selectFrom('messages')
      .select('msg_hash')
      .where('direction', '=', DIRECTION_IN)
      .where('mc_seqno', '<=', view.head)
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

/** Messages with their cells, which are read after them: messages of one page often have the same bodies, and a message and its body can be on two shards. */
export const withCells = async (view: View, rows: readonly MessageRow[]): Promise<FullMessage[]> => {
  const bocs = await cellsOf(view, cellHashes(rows))
  const bocOfHash = (hash: Buffer | null): Buffer | null => (hash && bocs.get(hash.toString('base64'))) ?? null
  // Into the row itself: for a large page copies of all rows take as long as to read their cells.
  const toFull = (row: MessageRow): FullMessage =>
    Object.assign(row, { body_boc: bocOfHash(row.body_hash), init_boc: bocOfHash(row.init_hash) })
  return await mapWithPauses(rows, toFull, view.signal)
}

/** Hashes of the cells that messages show: their bodies and initial states. */
function* cellHashes(rows: readonly MessageRow[]): Generator<Buffer> {
  for (const row of rows) {
    yield row.body_hash
    if (row.init_hash) yield row.init_hash
  }
}

/** One page of the messages that match a filter, one row per message. */
export const findMessages = (view: View, filter: MessageFilter, page: PageParams): Promise<Page<MessageRow>> => {
  const timed = filter.start_utime !== undefined || filter.end_utime !== undefined
  const order = timed ? BY_TIME : BY_LT
  const isNothing = isContradiction(filter)
  const build = (piece: PageParams) => {
    const after = afterCursor(order, piece)
    // A literal, because with a parameter a prepared plan could not use the partial indexes of listed rows.
    let query: Query = view.sql.selectFrom('messages').selectAll().where(sql<boolean>`listed`)
    if (after) query = query.where(after)
    query = narrowed(query, filter).where(bound(sql.ref('mc_seqno'), 'to', lastOf(view, page), piece))
    for (const said of within(sql.ref('created_at'), filter, piece)) query = query.where(said)
    // Besides created_lt, which external messages lack, the lt of the order, because the index has that column.
    if (filter.start_lt !== undefined)
      query = query.where('created_lt', 'is not', null).where(bound(effectiveLt, 'from', String(filter.start_lt), piece))
    if (filter.end_lt !== undefined)
      query = query.where('created_lt', 'is not', null).where(bound(effectiveLt, 'to', String(filter.end_lt), piece))
    if (filter.exclude_externals) query = query.where('created_lt', 'is not', null)
    if (filter.only_externals) query = query.where('created_lt', 'is', null)
    // The listed row is the sender's. A separate row shows whether the message was received.
    if (filter.direction === 'out') query = query.where('direction', '=', DIRECTION_OUT)
    query = query.orderBy(orderBy(order, piece.sort)).limit(piece.limit)
    return piece.offset > 0 ? query.offset(piece.offset) : query
  }
  const listed = (piece: PageParams): Promise<MessageRow[]> => view.rows(build(piece))
  return readPage(order, page, async (piece) => {
    if (isNothing) return []
    // The two rows of a message can be on two shards.
    return filter.direction === 'in' ? await readMatching(order, piece, listed, (rows) => receivedOf(view, rows)) : await listed(piece)
  })
}

const SIDES = fixed((builder, head, hashes) =>
  builder
    .selectFrom('messages')
    .selectAll()
    .where('mc_seqno', '<=', head)
    .where(isIn(sql.ref('msg_hash'), hashes)),
)

/** Rows of both sides of messages, by message hash. */
export const sidesOfMessages = (view: View, hashes: readonly Uint8Array[]): Promise<MessageRow[]> =>
  byPieces(hashes, (piece) => view.rows(SIDES(view.head, bytesList(piece))))

const keyOfRow = (row: Pick<MessageRow, 'tx_account' | 'tx_lt'>): TransactionKey => ({ account: row.tx_account, lt: row.tx_lt })

/** Keys of the transactions that received or sent messages, which are given by hash or by normalized hash. */
export const keysOfMessages = async (view: View, hashes: readonly Uint8Array[]): Promise<readonly TransactionKey[]> => {
  const sides = await byPieces(hashes, (piece) => sidesByHash(view, piece))
  return sides.map(keyOfRow)
}

/** Both sides of messages with the hashes of their transactions. A side and its transaction are on one shard. */
const SIDE_HASHES = fixed((builder, head, hashes) =>
  builder
    .selectFrom('messages as side')
    .innerJoin('transactions as t', (join) => join.onRef('t.account', '=', 'side.tx_account').onRef('t.lt', '=', 'side.tx_lt'))
    .select(['side.msg_hash', 'side.direction', 'side.tx_account', 'side.tx_lt', 't.hash'])
    .where('side.mc_seqno', '<=', head)
    .where(isIn(sql.ref('side.msg_hash'), hashes)),
)

/** The transaction that received and the transaction that sent each message. */
export const transactionsOfMessages = async (
  view: View,
  rows: readonly MessageRow[],
): Promise<(row: MessageRow) => { readonly received: Buffer | undefined; readonly sent: Buffer | undefined }> => {
  const sides = await byPieces(rows, (piece) => view.rows(SIDE_HASHES(view.head, bytesList(piece.map((row) => row.msg_hash)))))
  const hashes = new Map(sides.map((side) => [keyText(keyOfRow(side)), side.hash]))
  const received = new Map<string, Buffer>()
  const sent = new Map<string, Buffer>()
  for (const { msg_hash, direction, hash } of sides) (direction === DIRECTION_IN ? received : sent).set(msg_hash.toString('base64'), hash)
  return (row) => {
    const key = row.msg_hash.toString('base64')
    // The same external message can be received twice, so each row has its own transaction.
    const own = hashes.get(keyText(keyOfRow(row)))
    const taken = row.direction === DIRECTION_IN
    return { received: taken ? own : received.get(key), sent: taken ? sent.get(key) : own }
  }
}
