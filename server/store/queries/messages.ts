import { sql } from 'kysely'
import { mapWithPauses } from '../../base/yield.ts'
import type { AccountId } from '../../tlb/ids.ts'
import { DIRECTION_IN, DIRECTION_OUT } from '../codes.ts'
import { nameOf } from '../row-keys.ts'
import { messages } from '../schema/messages.ts'
import { cellsOf } from './accounts.ts'
import { withBounds } from './bounds.ts'
import { is, isAccount, isAny, isTimed, type ListParams, upToHead, within } from './conditions.ts'
import { statement } from './look-up.ts'
import type { MessageRow } from './messages-of-transactions.ts'
import { type Condition, EMPTY_PAGE, orderOf, type Page, pageRows, readMatching, toPage } from './order.ts'
import { columnsByKeys } from './transactions/by-key.ts'
import { sidesByHash } from './transactions/list.ts'
import { keyOfMessage, keyText, type TransactionKey } from './transactions/transaction-key.ts'
import type { View } from './view.ts'

/** A message with the BoCs of its body and its initial state. A BoC is null if the index lacks the cell. */
export type FullMessage = MessageRow & { readonly body_boc: Buffer | null; readonly init_boc: Buffer | null }

type MessageParams = ListParams<'v3.messages'>

/** The lt by which a message is ordered: created_lt, or tx_lt for an external in-message, which has no created_lt. */
const effectiveLt = sql<string>`coalesce(created_lt, tx_lt)`
const LT = { column: effectiveLt, type: 'bigint', of: (row: MessageRow) => row.created_lt ?? row.tx_lt }

const BY_LT = orderOf(messages, 'c', [LT, 'msg_hash'])
const BY_TIME = orderOf(messages, 't', ['created_at', LT, 'msg_hash'])

const isParty = (side: 'source' | 'destination', party: AccountId | 'none' | undefined): Condition =>
  party === 'none' ? sql<boolean>`${sql.ref(side)} is null` : isAccount(side, party)

/**
 * Returns whether no message can match the filter. An external in-message has no sender and no creation time, and an external out-message has no receiver.
 * Without this check the query would read the whole table.
 */
const isContradiction = (params: MessageParams): boolean => {
  const { source, destination, direction, start_utime, end_utime, start_lt, end_lt, exclude_externals, only_externals } = params
  const isFromOutside = source === 'none' || only_externals === true
  const isTimed = (start_utime ?? end_utime ?? start_lt ?? end_lt) !== undefined
  const isSent = isTimed || exclude_externals === true || direction === 'out' || (source !== undefined && source !== 'none')
  return (isFromOutside && (isSent || destination === 'none')) || (destination === 'none' && direction === 'in')
}

const receivedOf = async (view: View, rows: readonly MessageRow[]): Promise<readonly MessageRow[]> => {
  const hashes = rows.map(({ msg_hash }) => msg_hash)
  const received = await sidesOfMessages(view, hashes, DIRECTION_IN)
  const names = new Set(received.map(({ msg_hash }) => nameOf(msg_hash)))
  return rows.filter(({ msg_hash }) => names.has(nameOf(msg_hash)))
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

export const findMessages = async (view: View, params: MessageParams): Promise<Page<MessageRow>> => {
  if (isContradiction(params)) return EMPTY_PAGE
  const { msg_hash: hashes, exclude_externals, only_externals, direction } = params
  const order = isTimed(params) ? BY_TIME : BY_LT
  const isInternal = exclude_externals || params.start_lt !== undefined || params.end_lt !== undefined
  const { start_utime, end_utime, start_lt, end_lt } = await withBounds(view, params)
  const conditions = (piece: MessageParams): readonly Condition[] => [
    // `listed` is part of the text: with a parameter the planner could not use the partial indexes of listed rows.
    sql<boolean>`listed`,
    is('body_hash', params.body_hash),
    is('opcode', params.opcode),
    isParty('source', params.source),
    isParty('destination', params.destination),
    upToHead(view, piece),
    // A window excludes external in-messages, which have no created_lt. It is on effectiveLt, because the index has that expression.
    ...within({ ...piece, start_utime, end_utime, start_lt, end_lt }, 'created_at', effectiveLt),
    isInternal ? sql<boolean>`created_lt is not null` : undefined,
    only_externals ? sql<boolean>`created_lt is null` : undefined,
    // Of a message's two rows this query reads the sender's, and only the receiver's row shows that the message was received. receivedOf checks that
    // afterwards, because the two rows can be on different shards. Messages to the outside, of which a contract may have millions, are never received.
    direction === 'in' ? sql<boolean>`destination is not null` : is('direction', direction && DIRECTION_OUT),
  ]
  // Messages with hashes are read before they are ordered (`offset 0`): the index of the order may have to be walked to its end for them.
  const named =
    hashes && sql`(select * from messages where ${isAny('msg_hash', hashes)} or ${isAny('msg_hash_norm', hashes)} offset 0) as messages`
  const listed = (piece: MessageParams): Promise<MessageRow[]> => view.rows(pageRows(order, piece, conditions(piece), named))
  if (direction !== 'in') return toPage(order, params, await listed(params))
  return toPage(order, params, await readMatching(order, params, listed, (rows) => receivedOf(view, rows)))
}

const SIDES = `select msg_hash, tx_account, tx_lt from messages
  where msg_hash = any($1::bytea[]) and mc_seqno <= $2 and direction = $3`
type Side = Pick<MessageRow, 'msg_hash' | 'tx_account' | 'tx_lt'>

/** Reads of messages, by hash, which transactions sent or received them. */
export const sidesOfMessages = async (view: View, hashes: readonly Buffer[], direction: number): Promise<Side[]> =>
  hashes.length === 0 ? [] : view.rows(statement<Side>(SIDES, [hashes, view.head, direction]), 'generic')

/** Returns the keys of the transactions that received or sent messages. `hashes` are message hashes or normalized hashes. */
export const keysOfMessages = async (view: View, hashes: readonly Uint8Array[]): Promise<readonly TransactionKey[]> =>
  (await sidesByHash(view, hashes)).map(keyOfMessage)

type SideHash = Pick<MessageRow, 'msg_hash' | 'direction' | 'tx_account' | 'tx_lt'> & { readonly hash: Buffer }

/** Both rows of messages, with the hashes of their transactions. A row and its transaction are on the same shard. */
const sideHashes = async (view: View, hashes: readonly Buffer[]): Promise<SideHash[]> =>
  hashes.length === 0
    ? []
    : view.rows(
        sql<SideHash>`select side.msg_hash, side.direction, side.tx_account, side.tx_lt, t.hash from messages side
          join transactions t on t.account = side.tx_account and t.lt = side.tx_lt
          where side.mc_seqno <= ${view.head} and ${isAny('side.msg_hash', hashes)}`,
        'generic',
      )

/** Finds the hashes of the two transactions that received and sent each message. */
export const transactionsOfMessages = async (
  view: View,
  rows: readonly MessageRow[],
): Promise<(row: MessageRow) => { readonly received: Buffer | undefined; readonly sent: Buffer | undefined }> => {
  const isFromOutside = ({ source, direction }: MessageRow): boolean => source === null && direction === DIRECTION_IN
  const [sides, receivers] = await Promise.all([
    sideHashes(
      view,
      rows.flatMap((row) => (isFromOutside(row) ? [] : [row.msg_hash])),
    ),
    // External messages: all that received an equal message would be found by its hash.
    columnsByKeys(view, rows.filter(isFromOutside).map(keyOfMessage), ['account', 'lt', 'hash']),
  ])
  const hashes = new Map([
    ...sides.map((side) => [keyText(keyOfMessage(side)), side.hash] as const),
    ...receivers.map((key) => [keyText(key), key.hash] as const),
  ])
  const received = new Map<string, Buffer>()
  const sent = new Map<string, Buffer>()
  for (const { msg_hash, direction, hash } of sides) (direction === DIRECTION_IN ? received : sent).set(msg_hash.toString('base64'), hash)
  return (row) => {
    const key = row.msg_hash.toString('base64')
    // More than one transaction can receive the same external message. So the side of this row gets the hash of the row's own transaction.
    const own = hashes.get(keyText(keyOfMessage(row)))
    const taken = row.direction === DIRECTION_IN
    return { received: taken ? own : received.get(key), sent: taken ? sent.get(key) : own }
  }
}
