import { type Expression, type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../../../tlb/ids.ts'
import { bytesList } from '../../postgres/lists.ts'
import { distinct } from '../../row-keys.ts'
import type { Tables } from '../../schema/tables.ts'
import { inWindow, lastOf } from '../conditions.ts'
import { fixed } from '../fixed.ts'
import type { View } from '../head.ts'
import { byOrder, keyed, merged, plannedBy } from '../merged.ts'
import { askAhead, type MessageRow, withMessagesAhead } from '../messages-of-transactions.ts'
import { afterCursor, anyOf, bound, isIn, orderBy, type Page, type PageParams, readPage } from '../order.ts'
import { findByHashes, keysOfHashes } from './by-hash.ts'
import { directionOf, ofMessages, orderOf, type TransactionFilter, type TransactionRow } from './filter.ts'
import { accountsOf, FEW, keyLists, keyOf, type TransactionKey, transactionsKeyed } from './keys.ts'

/** Columns of a message's row that tell which transaction it is of, and whether it matches a filter. */
const SIDE = ['tx_account', 'tx_lt', 'msg_hash', 'direction', 'listed', 'body_hash', 'opcode', 'source', 'destination'] as const
type Side = Pick<Tables['messages'], (typeof SIDE)[number]>

/**
 * Rows of both sides of messages, which are given by hash or by normalized hash. `offset 0`: each is found by its key, whatever the plan is made for.
 * `distinct`: otherwise the rows of a message that was received n times would be read n times each.
 */
const SIDES_BY_HASH = fixed((builder, head, hashes) => {
  const columns = sql.join(SIDE.map((column) => sql.ref(column)))
  return sql<Side>`select ${columns} from messages where ${isIn(sql.ref('msg_hash'), hashes)} and mc_seqno <= ${head}
    union all select side.* from (select distinct msg_hash from messages where ${isIn(sql.ref('msg_hash_norm'), hashes)} offset 0) named
      cross join lateral (select ${columns} from messages where msg_hash = named.msg_hash and mc_seqno <= ${head} offset 0) side`.compile(
    builder,
  )
})

/** The same in steps: no table is joined with itself, so that a distributed database can do it. */
const sidesInSteps = async (view: View, hashes: readonly Uint8Array[]): Promise<Side[]> => {
  const sidesOf = (named: readonly Uint8Array[]): Promise<Side[]> =>
    keyed(
      view,
      view.sql
        .selectFrom('messages')
        .select(SIDE)
        .where('mc_seqno', '<=', view.head)
        .where(anyOf(sql.ref('msg_hash'), named)),
    )
  const normalizedOf = keyed(
    view,
    view.sql
      .selectFrom('messages')
      .select('msg_hash')
      .where(anyOf(sql.ref('msg_hash_norm'), hashes)),
  )
  const [normalized, sides] = await Promise.all([normalizedOf, sidesOf(hashes)])
  const asked = new Set(hashes.map((hash) => Buffer.from(hash).toString('latin1')))
  const others = distinct(normalized.map((row) => row.msg_hash)).filter((hash) => !asked.has(hash.toString('latin1')))
  return others.length === 0 ? sides : [...sides, ...(await sidesOf(others))]
}

/** Rows of both sides of messages, which are given by hash or by normalized hash. A row can be there twice. */
export const sidesByHash = (view: View, hashes: readonly Uint8Array[]): Promise<Side[]> =>
  view.isDistributed ? sidesInSteps(view, hashes) : view.rows(SIDES_BY_HASH(view.head, bytesList(hashes)))

/** Keys of the transactions that sent or received messages of these hashes, with the other fields of a filter. */
const keysOfMessagesWith = async (view: View, hashes: readonly Uint8Array[], filter: TransactionFilter): Promise<TransactionKey[]> => {
  const sides = await sidesByHash(view, hashes)
  const is = (key: Buffer | null, account: AccountId | undefined): boolean =>
    account === undefined || (key?.equals(keyOf(account)) ?? false)
  const matching = sides.filter(
    ({ listed, body_hash, opcode, source, destination }) =>
      listed &&
      (filter.body_hash === undefined || (body_hash?.equals(filter.body_hash) ?? false)) &&
      (filter.opcode === undefined || opcode === filter.opcode) &&
      is(source, filter.source) &&
      is(destination, filter.destination),
  )
  const found = new Set(matching.map(({ msg_hash }) => msg_hash.toString('latin1')))
  const direction = directionOf(filter)
  return sides
    .filter((side) => found.has(side.msg_hash.toString('latin1')) && (direction === undefined || side.direction === direction))
    .map((side) => ({ account: side.tx_account, lt: side.tx_lt }))
}

/** Conditions on the message `m`. */
const fieldsOf = (filter: TransactionFilter): readonly RawBuilder<unknown>[] => {
  const said: RawBuilder<unknown>[] = []
  if (filter.body_hash) said.push(sql`m.body_hash = ${Buffer.from(filter.body_hash)}`)
  if (filter.opcode !== undefined) said.push(sql`m.opcode = ${filter.opcode}`)
  if (filter.source) said.push(sql`m.source = ${keyOf(filter.source)}`)
  if (filter.destination) said.push(sql`m.destination = ${keyOf(filter.destination)}`)
  return said
}

/** Conditions on a message's row `table`: whether its transaction received or sent it. */
const sideOf = (filter: TransactionFilter, table: 'm' | 'side'): readonly RawBuilder<unknown>[] => {
  const direction = directionOf(filter)
  return direction === undefined ? [] : [sql`${sql.ref(`${table}.direction`)} = ${direction}`]
}

/** Transactions that sent or received matching messages. The filter is applied to listed rows; both ends are found by the message hash. */
const withMessage = (filter: TransactionFilter): RawBuilder<boolean> =>
  sql<boolean>`(account, lt) in (select side.tx_account, side.tx_lt from messages as m join messages as side on side.msg_hash = m.msg_hash
    where ${sql.join([sql`m.listed`, ...fieldsOf(filter), ...sideOf(filter, 'side')], sql` and `)})`

/**
 * The same for a distributed database, where the two rows of a message can be on two shards. Both rows have the message's fields. No index finds the one that is
 * not listed, so this is for messages that many transactions have.
 */
const withOwnMessage = (filter: TransactionFilter): RawBuilder<boolean> =>
  sql<boolean>`(account, lt) in (select m.tx_account, m.tx_lt from messages as m where ${sql.join([...fieldsOf(filter), ...sideOf(filter, 'm')], sql` and `)})`

/** Largest number of messages whose transactions are looked up by hash. */
const MOST_RARE = 2_000

/** Hashes of the messages that match a filter; undefined if there are more than MOST_RARE. */
const hashesOfRare = async (view: View, filter: TransactionFilter): Promise<readonly Buffer[] | undefined> => {
  const rows = await view.shards(
    sql<{ msg_hash: Buffer }>`select m.msg_hash from messages as m
      where ${sql.join([sql`m.listed`, ...fieldsOf(filter)], sql` and `)} limit ${MOST_RARE + 1}`.compile(view.sql),
    'each',
  )
  return rows.length > MOST_RARE ? undefined : rows.map(({ msg_hash }) => msg_hash)
}

/** Keys of the transactions whose messages the filter is about, if they are looked up first; undefined if not. */
const endsOf = async (view: View, filter: TransactionFilter): Promise<readonly TransactionKey[] | undefined> => {
  if (filter.msg_hash) return await keysOfMessagesWith(view, filter.msg_hash, filter)
  if (!view.isDistributed || !ofMessages(filter)) return undefined
  const rare = await hashesOfRare(view, filter)
  return rare && (await keysOfMessagesWith(view, rare, filter))
}

/** The rows of a page of one account, whose messages are asked for at the same time: by the page itself, as its keys are not known yet. */
const rowsWithMessages = (
  view: View,
  asked: Promise<TransactionRow[]>,
  page: Expression<TransactionRow>,
  accounts: readonly Buffer[],
): Promise<TransactionRow[]> => {
  const messages = keyed(
    view,
    {
      compile: () =>
        sql<MessageRow>`select m.* from ${page} t cross join lateral (
          select * from messages where tx_account = t.account and tx_lt = t.lt offset 0) m`.compile(view.sql),
    },
    accounts,
  )
  return withMessagesAhead(view, asked, messages)
}

/** Fields for whose values different plans are right. */
const UNEVEN = ['workchain', 'shard', 'seqno', 'exclude_account', 'lt', 'start_utime', 'end_utime', 'start_lt', 'end_lt'] as const

/** One page of the transactions that match a filter. */
export const findTransactions = async (view: View, filter: TransactionFilter, page: PageParams): Promise<Page<TransactionRow>> => {
  const order = orderOf(filter)
  const byHashes = findByHashes(view, filter, page)
  if (byHashes) return await byHashes
  const named = filter.hash && (await keysOfHashes(view, filter.hash))
  const ends = await endsOf(view, filter)
  const build = (piece: PageParams) => {
    const after = afterCursor(order, piece)
    let query = view.sql.selectFrom('transactions').selectAll()
    if (after) query = query.where(after)
    query = query.where(bound(sql.ref('mc_seqno'), 'to', lastOf(view, page), piece))
    if (named) query = query.where(transactionsKeyed(keyLists(named), view.isDistributed && !view.isSpread))
    if (ends) query = query.where(transactionsKeyed(keyLists(ends), view.isDistributed && !view.isSpread))
    else if (ofMessages(filter)) query = query.where(view.isDistributed ? withOwnMessage(filter) : withMessage(filter))
    if (filter.workchain !== undefined) query = query.where('workchain', '=', filter.workchain)
    if (filter.shard !== undefined) query = query.where('block_shard', '=', String(filter.shard))
    if (filter.seqno !== undefined) query = query.where('block_seqno', '=', filter.seqno)
    if (filter.mc_seqno !== undefined) query = query.where('mc_seqno', '=', filter.mc_seqno)
    if (filter.account?.length === 1) query = query.where('account', '=', keyOf(filter.account[0]!))
    else if (filter.account) query = query.where(anyOf(sql.ref('account'), filter.account.map(keyOf)))
    if (filter.exclude_account) query = query.where(sql<boolean>`account <> all(${filter.exclude_account.map(keyOf)}::bytea[])`)
    if (filter.lt !== undefined) query = query.where('lt', '=', String(filter.lt))
    for (const said of inWindow(sql.ref('now'), sql.ref('lt'), filter, piece)) query = query.where(said)
    query = query.orderBy(orderBy(order, piece.sort)).limit(piece.limit)
    return piece.offset > 0 ? query.offset(piece.offset) : query
  }
  // A cursor of another list is refused even where there is nothing to find.
  afterCursor(order, page)
  const keys = named ?? ends
  const accounts = keys ? accountsOf(keys) : filter.account?.map(keyOf)
  return await readPage(order, page, async (piece) => {
    if (named?.length === 0 || ends?.length === 0) return []
    // Planned for each call, because no single plan fits rare and common messages. A node gets the keys.
    const planned = ofMessages(filter) && !(view.isSpread && ends) ? 'each' : plannedBy(filter, UNEVEN)
    const rows = merged(view, piece, byOrder(order, piece.sort), build, planned, accounts)
    if (!view.isSpread || piece.limit > FEW) return await rows
    if (keys && keys.length <= FEW) askAhead(view, keys)
    else if (accounts?.length === 1 && planned === 'kept') return await rowsWithMessages(view, rows, build(piece), accounts)
    return await rows
  })
}
