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

/** A message with the BoCs of its body and its initial state. A BoC is null if the index lacks the cell. */
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

/** The lt by which a message is ordered: created_lt, or tx_lt for an external in-message, which has no created_lt. */
const effectiveLt = sql<string>`coalesce(created_lt, tx_lt)`
const hash = bytesPart<MessageRow>(sql.ref('msg_hash'), 32, (row) => row.msg_hash)

const lt = numberPart<MessageRow>(effectiveLt, (row) => row.created_lt ?? row.tx_lt)

const BY_LT: Order<MessageRow> = { name: 'c', parts: [lt, hash] }
const BY_TIME: Order<MessageRow> = { name: 't', parts: [numberPart(sql.ref('created_at'), (row) => row.created_at ?? '0'), lt, hash] }

const hashIs = (hashes: readonly Uint8Array[]) =>
  sql<boolean>`(${anyOf(sql.ref('msg_hash'), hashes)} or ${anyOf(sql.ref('msg_hash_norm'), hashes)})`

type Query = SelectQueryBuilder<Tables, 'messages', MessageRow>

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
 * Returns whether no message can match the filter. An external in-message has no sender and no creation time, and an external out-message has no receiver.
 * Without this check the query would read the whole table.
 */
const isContradiction = (filter: MessageFilter): boolean => {
  const { source, destination, direction, start_utime, end_utime, start_lt, end_lt, exclude_externals, only_externals } = filter
  const isFromOutside = source === 'none' || only_externals === true
  const isTimed = (start_utime ?? end_utime ?? start_lt ?? end_lt) !== undefined
  const isSent = isTimed || exclude_externals === true || direction === 'out' || (source !== undefined && source !== 'none')
  return (isFromOutside && (isSent || destination === 'none')) || (destination === 'none' && direction === 'in')
}

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

/**
 * Adds the BoCs of bodies and initial states. They are read after the messages, without a join: many messages of a page have the same body, and on a cluster a
 * message and its body can be on different shards.
 */
export const withCells = async (view: View, rows: readonly MessageRow[]): Promise<FullMessage[]> => {
  const bocs = await cellsOf(view, cellHashes(rows))
  const bocOfHash = (hash: Buffer | null): Buffer | null => (hash && bocs.get(hash.toString('base64'))) ?? null
  // The row is modified in place. For a large page, copying all rows would take as long as reading their cells.
  const toFull = (row: MessageRow): FullMessage =>
    Object.assign(row, { body_boc: bocOfHash(row.body_hash), init_boc: bocOfHash(row.init_hash) })
  return await mapWithPauses(rows, toFull, view.signal)
}

function* cellHashes(rows: readonly MessageRow[]): Generator<Buffer> {
  for (const row of rows) {
    yield row.body_hash
    if (row.init_hash) yield row.init_hash
  }
}

export const findMessages = (view: View, filter: MessageFilter, page: PageParams): Promise<Page<MessageRow>> => {
  const timed = filter.start_utime !== undefined || filter.end_utime !== undefined
  const order = timed ? BY_TIME : BY_LT
  const isNothing = isContradiction(filter)
  const build = (piece: PageParams) => {
    const after = afterCursor(order, piece)
    // `listed` is part of the text: with a parameter the planner could not use the partial indexes of listed rows.
    let query: Query = view.sql.selectFrom('messages').selectAll().where(sql<boolean>`listed`)
    if (after) query = query.where(after)
    query = narrowed(query, filter).where(bound(sql.ref('mc_seqno'), 'to', lastOf(view, page), piece))
    for (const said of within(sql.ref('created_at'), filter, piece)) query = query.where(said)
    // Excludes external in-messages, which have no created_lt. The bound itself is on effectiveLt, because the index has that expression.
    if (filter.start_lt !== undefined)
      query = query.where('created_lt', 'is not', null).where(bound(effectiveLt, 'from', String(filter.start_lt), piece))
    if (filter.end_lt !== undefined)
      query = query.where('created_lt', 'is not', null).where(bound(effectiveLt, 'to', String(filter.end_lt), piece))
    if (filter.exclude_externals) query = query.where('created_lt', 'is not', null)
    if (filter.only_externals) query = query.where('created_lt', 'is', null)
    // `in` has no condition here. Of a message's two rows this query reads the sender's, and only the receiver's row shows that the message was received;
    // receivedOf checks that afterwards.
    if (filter.direction === 'out') query = query.where('direction', '=', DIRECTION_OUT)
    query = query.orderBy(orderBy(order, piece.sort)).limit(piece.limit)
    return piece.offset > 0 ? query.offset(piece.offset) : query
  }
  const listed = (piece: PageParams): Promise<MessageRow[]> => view.rows(build(piece))
  return readPage(order, page, async (piece) => {
    if (isNothing) return []
    // The two rows of a message can be on different shards, so they are not joined.
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

/** Reads the sender's and the receiver's rows of messages, by message hash. */
export const sidesOfMessages = (view: View, hashes: readonly Uint8Array[]): Promise<MessageRow[]> =>
  byPieces(hashes, (piece) => view.rows(SIDES(view.head, bytesList(piece))))

const keyOfRow = (row: Pick<MessageRow, 'tx_account' | 'tx_lt'>): TransactionKey => ({ account: row.tx_account, lt: row.tx_lt })

/** Returns the keys of the transactions that received or sent messages. `hashes` are message hashes or normalized hashes. */
export const keysOfMessages = async (view: View, hashes: readonly Uint8Array[]): Promise<readonly TransactionKey[]> => {
  const sides = await byPieces(hashes, (piece) => sidesByHash(view, piece))
  return sides.map(keyOfRow)
}

/** Both rows of messages, with the hashes of their transactions. A row and its transaction are on the same shard. */
const SIDE_HASHES = fixed((builder, head, hashes) =>
  builder
    .selectFrom('messages as side')
    .innerJoin('transactions as t', (join) => join.onRef('t.account', '=', 'side.tx_account').onRef('t.lt', '=', 'side.tx_lt'))
    .select(['side.msg_hash', 'side.direction', 'side.tx_account', 'side.tx_lt', 't.hash'])
    .where('side.mc_seqno', '<=', head)
    .where(isIn(sql.ref('side.msg_hash'), hashes)),
)

/** Finds the hashes of the two transactions that received and sent each message. */
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
    // More than one transaction can receive the same external message. So the side of this row gets the hash of the row's own transaction.
    const own = hashes.get(keyText(keyOfRow(row)))
    const taken = row.direction === DIRECTION_IN
    return { received: taken ? own : received.get(key), sent: taken ? sent.get(key) : own }
  }
}
