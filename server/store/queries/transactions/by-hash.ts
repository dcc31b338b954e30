import { sql } from 'kysely'
import { DIRECTION_IN, DIRECTION_OUT } from '../../codes.ts'
import { bytesList } from '../../postgres/lists.ts'
import { lastOf } from '../conditions.ts'
import { fixed, type Place } from '../fixed.ts'
import type { View } from '../head.ts'
import { byOrder } from '../merged.ts'
import { type MessageRow, rowsOfTransactions, withMessagesAhead } from '../messages-of-transactions.ts'
import { isIn, orderBy, type Page, type PageParams, PIECE, readPage } from '../order.ts'
import { BOTH, BY_LT, directionOf, FIELD_NAMES, type TransactionFilter, type TransactionRow } from './filter.ts'
import { FEW, type TransactionKey } from './keys.ts'

/* Transactions that are named by their own hash, or by the hash of one of their messages. */

const BY_HASH = fixed((builder, hashes) =>
  builder
    .selectFrom('tx_by_hash')
    .select(['account', 'lt'])
    .where(isIn(sql.ref('hash'), hashes)),
)

/** Keys of transactions by hash. Unknown hashes are missing from the result. */
export const keysOfHashes = (view: View, hashes: readonly Uint8Array[]): Promise<TransactionKey[]> =>
  view.shards(BY_HASH(bytesList(hashes)), 'once', hashes)

/** The same with the hashes of the messages. */
const WITH_MESSAGES = fixed((builder, hashes) =>
  builder
    .selectFrom('tx_by_hash')
    .select(['account', 'lt', 'in_msg_hash', 'out_msg_hashes'])
    .where(isIn(sql.ref('hash'), hashes)),
)

/** A message of a transaction: whether it was received or sent, and its hash. */
export type Side = Pick<MessageRow, 'direction' | 'msg_hash'>

const HASH_BYTES = 32

/** The messages of a transaction, by its hash, for a cluster; none if the transaction is not known. */
export const messagesOfHash = async (view: View, hash: Uint8Array): Promise<readonly Side[]> => {
  const [row] = await view.shards(WITH_MESSAGES(bytesList([hash])), 'once', [hash])
  if (row === undefined) return []
  const { in_msg_hash: received, out_msg_hashes: sent } = row
  // A row of an earlier release.
  if (sent === null) return await rowsOfTransactions(view, [row])
  const sides: Side[] = received === null ? [] : [{ direction: DIRECTION_IN, msg_hash: received }]
  for (let i = 0; i < sent.length; i += HASH_BYTES) sides.push({ direction: DIRECTION_OUT, msg_hash: sent.subarray(i, i + HASH_BYTES) })
  return sides
}

/** Transactions of some hashes, a page. `offset 0`: each is found by its key, whatever the plan is made for. */
const byHashes = (sort: 'asc' | 'desc') =>
  fixed((builder, last, hashes, limit, offset) =>
    sql<TransactionRow>`select t.* from (select account, lt from tx_by_hash where ${isIn(sql.ref('hash'), hashes)} offset 0) k
        cross join lateral (select * from transactions where account = k.account and lt = k.lt and mc_seqno <= ${last} offset 0) t
      order by ${orderBy(BY_LT, sort)} limit ${limit} offset ${offset}`.compile(builder),
  )
const BY_HASHES = { asc: byHashes('asc'), desc: byHashes('desc') }

/**
 * Transactions that sent or received messages of some hashes, a page. `direction`: or BOTH. `union` and `distinct`: a message that was received n times has n
 * rows, and a transaction can have several of the messages.
 */
const byMessages = (sort: 'asc' | 'desc') =>
  fixed((builder, head, last, hashes, direction, limit, offset) =>
    sql<TransactionRow>`select t.* from (select distinct side.tx_account as account, side.tx_lt as lt from (
          select msg_hash from messages where ${isIn(sql.ref('msg_hash'), hashes)} and listed and mc_seqno <= ${head}
          union select msg_hash from messages where ${isIn(sql.ref('msg_hash_norm'), hashes)} and listed and mc_seqno <= ${head}) m
        cross join lateral (select tx_account, tx_lt, direction from messages where msg_hash = m.msg_hash and mc_seqno <= ${head} offset 0) side
        where ${direction}::integer in (${sql.lit(BOTH)}, side.direction)) k
      cross join lateral (select * from transactions where account = k.account and lt = k.lt and mc_seqno <= ${last} offset 0) t
      order by ${orderBy(BY_LT, sort)} limit ${limit} offset ${offset}`.compile(builder),
  )
const BY_MESSAGES = { asc: byMessages('asc'), desc: byMessages('desc') }

/**
 * Keys of the transactions that sent or received some messages. For one node of a cluster: it has a transaction together with its messages. Every message has a listed row, but that may be
 * on another node (index/derive/group-rows.ts), so all rows are taken.
 */
const sidesOf = ([last, hashes, direction]: readonly [Place, Place, Place]) =>
  sql`select distinct tx_account, tx_lt from (
      select tx_account, tx_lt, direction from messages where ${isIn(sql.ref('msg_hash'), hashes)} and mc_seqno <= ${last}
      union all select tx_account, tx_lt, direction from messages where ${isIn(sql.ref('msg_hash_norm'), hashes)} and mc_seqno <= ${last} offset 0) side
    where ${direction}::integer in (${sql.lit(BOTH)}, direction)`

const ofSides = (sort: 'asc' | 'desc') =>
  fixed((builder, last, hashes, direction, limit) =>
    sql<TransactionRow>`select t.* from (${sidesOf([last, hashes, direction])} offset 0) k
        cross join lateral (select * from transactions where account = k.tx_account and lt = k.tx_lt offset 0) t
      order by ${orderBy(BY_LT, sort)} limit ${limit}`.compile(builder),
  )
const OF_SIDES = { asc: ofSides('asc'), desc: ofSides('desc') }

/** All messages of the same transactions. */
const messagesOfSides = (sort: 'asc' | 'desc') =>
  fixed((builder, last, hashes, direction, limit) =>
    sql<MessageRow>`select m.* from (${sidesOf([last, hashes, direction])} order by tx_lt ${sql.raw(sort)}, tx_account limit ${limit}) k
      cross join lateral (select * from messages where tx_account = k.tx_account and tx_lt = k.tx_lt offset 0) m`.compile(builder),
  )
const MESSAGES_OF_SIDES = { asc: messagesOfSides('asc'), desc: messagesOfSides('desc') }

/** A page by messages, of which every node reads its part. The messages of a short one are asked for at the same time. */
const mergedOfSides = async (
  view: View,
  [last, hashes, direction]: readonly [number, Buffer, number],
  { limit, offset, sort }: PageParams,
): Promise<TransactionRow[]> => {
  const most = limit + offset
  const asked = view.shards(OF_SIDES[sort](last, hashes, direction, most))
  const messages = most <= FEW ? view.shards(MESSAGES_OF_SIDES[sort](last, hashes, direction, most)) : undefined
  const rows = await withMessagesAhead(view, asked, messages)
  return rows.sort(byOrder(BY_LT, sort)).slice(offset, most)
}

/** A page of the transactions with some hashes: fewer than a piece, so one statement has them all. */
const pageOfHashes = (view: View, hashes: readonly Uint8Array[], page: PageParams): Promise<Page<TransactionRow>> | undefined => {
  if (view.isDistributed) return undefined
  const [last, list] = [lastOf(view, page), bytesList(hashes)]
  return readPage(BY_LT, page, ({ limit, offset, sort }) => view.rows(BY_HASHES[sort](last, list, limit, offset)))
}

/** A page of the transactions with some messages. A message can be received any number of times, and these statements begin at no cursor, so the page is one piece. */
const pageOfMessages = (
  view: View,
  hashes: readonly Uint8Array[],
  direction: number,
  page: PageParams,
): Promise<Page<TransactionRow>> | undefined => {
  const [last, list] = [lastOf(view, page), bytesList(hashes)]
  if (view.isSpread && page.offset + page.limit <= PIECE)
    return readPage(BY_LT, page, (piece) => mergedOfSides(view, [last, list, direction], piece))
  if (view.isDistributed || page.limit > PIECE) return undefined
  return readPage(BY_LT, page, ({ limit, offset, sort }) => view.rows(BY_MESSAGES[sort](view.head, last, list, direction, limit, offset)))
}

/** One page of the transactions that a filter names by nothing but hashes, in one statement; undefined if this is no such page. */
export const findByHashes = (view: View, filter: TransactionFilter, page: PageParams): Promise<Page<TransactionRow>> | undefined => {
  const said = FIELD_NAMES.filter((name) => filter[name] !== undefined)
  const isBy = (name: 'hash' | 'msg_hash', ...others: (keyof TransactionFilter)[]): boolean =>
    (filter[name]?.length ?? PIECE) < PIECE && said.every((each) => each === name || others.includes(each))
  if (page.cursor) return undefined
  if (isBy('hash')) return pageOfHashes(view, filter.hash!, page)
  return isBy('msg_hash', 'direction') ? pageOfMessages(view, filter.msg_hash!, directionOf(filter) ?? BOTH, page) : undefined
}
