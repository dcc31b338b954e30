import { type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../../../tlb/ids.ts'
import { distinct, nameOf } from '../../row-keys.ts'
import type { Tables } from '../../schema/tables.ts'
import { inWindow, lastOf } from '../conditions.ts'
import { afterCursor, anyOf, bound, orderBy, type Page, type PageParams, readPage } from '../order.ts'
import type { View } from '../view.ts'
import { keysOfHashes } from './by-hash.ts'
import { directionOf, ofMessages, orderOf, type TransactionFilter, type TransactionRow } from './filter.ts'
import { keyedOn, keyLists, keyOf, type TransactionKey } from './transaction-key.ts'

const SIDE = ['tx_account', 'tx_lt', 'msg_hash', 'direction', 'listed', 'body_hash', 'opcode', 'source', 'destination'] as const
type Side = Pick<Tables['messages'], (typeof SIDE)[number]>

/**
 * Reads the sender's and the receiver's rows of messages, which are given by hash or by normalized hash. A row can occur twice. The table is not joined with
 * itself, because on a cluster the two rows of a message can be on different shards.
 */
export const sidesByHash = async (view: View, hashes: readonly Uint8Array[]): Promise<Side[]> => {
  const sidesOf = (named: readonly Uint8Array[]): Promise<Side[]> =>
    view.rows(
      view.sql
        .selectFrom('messages')
        .select(SIDE)
        .where('mc_seqno', '<=', view.head)
        .where(anyOf(sql.ref('msg_hash'), named)),
    )
  const normalizedOf = view.rows(
    view.sql
      .selectFrom('messages')
      .select('msg_hash')
      .where(anyOf(sql.ref('msg_hash_norm'), hashes)),
  )
  const [normalized, sides] = await Promise.all([normalizedOf, sidesOf(hashes)])
  const requested = new Set(hashes.map((hash) => nameOf(Buffer.from(hash))))
  const others = distinct(normalized.map((row) => row.msg_hash)).filter((hash) => !requested.has(nameOf(hash)))
  return others.length === 0 ? sides : [...sides, ...(await sidesOf(others))]
}

/** Returns keys of the transactions that sent or received messages with these hashes, if the messages also match the other fields of the filter. */
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

const fieldsOf = (filter: TransactionFilter): readonly RawBuilder<unknown>[] => {
  const said: RawBuilder<unknown>[] = []
  if (filter.body_hash) said.push(sql`m.body_hash = ${Buffer.from(filter.body_hash)}`)
  if (filter.opcode !== undefined) said.push(sql`m.opcode = ${filter.opcode}`)
  if (filter.source) said.push(sql`m.source = ${keyOf(filter.source)}`)
  if (filter.destination) said.push(sql`m.destination = ${keyOf(filter.destination)}`)
  return said
}

const sideOf = (filter: TransactionFilter, table: 'm' | 'side'): readonly RawBuilder<unknown>[] => {
  const direction = directionOf(filter)
  return direction === undefined ? [] : [sql`${sql.ref(`${table}.direction`)} = ${direction}`]
}

/** Selects hashes of messages that match the filter. Only rows with `listed` are searched: each message has exactly one such row. */
const hashesWith = (filter: TransactionFilter): RawBuilder<{ msg_hash: Buffer }> =>
  sql<{ msg_hash: Buffer }>`select m.msg_hash from messages as m where ${sql.join([sql`m.listed`, ...fieldsOf(filter)], sql` and `)}`

/** Condition for transactions that sent or received a matching message. Both rows of a message are found by its hash. */
const withMessage = (filter: TransactionFilter): RawBuilder<boolean> =>
  sql<boolean>`(account, lt) in (select side.tx_account, side.tx_lt from messages as side
    where ${sql.join([sql`side.msg_hash in (${hashesWith(filter)})`, ...sideOf(filter, 'side')], sql` and `)})`

/**
 * The condition of withMessage for a distributed database, where the two rows of a message can be on different shards. Each row is therefore compared by
 * its own columns. No index on these columns has the rows without `listed`, so this condition is only used if very many messages match.
 */
const withOwnMessage = (filter: TransactionFilter): RawBuilder<boolean> =>
  sql<boolean>`(account, lt) in (select m.tx_account, m.tx_lt from messages as m where ${sql.join([...fieldsOf(filter), ...sideOf(filter, 'm')], sql` and `)})`

/** Maximum number of messages whose transactions are found by message hash. */
const MAX_RARE = 2_000

const hashesOfRare = async (view: View, filter: TransactionFilter): Promise<readonly Buffer[] | undefined> => {
  const rows = await view.rows(sql<{ msg_hash: Buffer }>`${hashesWith(filter)} limit ${MAX_RARE + 1}`.compile(view.sql), 'each')
  return rows.length > MAX_RARE ? undefined : rows.map(({ msg_hash }) => msg_hash)
}

/** Looks up the transactions of matching messages before the list is read; undefined if the list's own query checks the messages. */
const endsOf = async (view: View, filter: TransactionFilter): Promise<readonly TransactionKey[] | undefined> => {
  if (filter.msg_hash) return await keysOfMessagesWith(view, filter.msg_hash, filter)
  if (!view.isDistributed || !ofMessages(filter)) return undefined
  const rare = await hashesOfRare(view, filter)
  return rare && (await keysOfMessagesWith(view, rare, filter))
}

export const findTransactions = async (view: View, filter: TransactionFilter, page: PageParams): Promise<Page<TransactionRow>> => {
  const order = orderOf(filter)
  const named = filter.hash && (await keysOfHashes(view, filter.hash))
  const ends = await endsOf(view, filter)
  const build = (piece: PageParams) => {
    const after = afterCursor(order, piece)
    let query = view.sql.selectFrom('transactions').selectAll()
    if (after) query = query.where(after)
    query = query.where(bound(sql.ref('mc_seqno'), 'to', lastOf(view, page), piece))
    if (named) query = query.where(keyedOn(view).transactions(keyLists(named)))
    if (ends) query = query.where(keyedOn(view).transactions(keyLists(ends)))
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
  // Throws for a cursor of another list, even if the result would be empty.
  afterCursor(order, page)
  return await readPage(order, page, async (piece) => {
    if (named?.length === 0 || ends?.length === 0) return []
    // Planned at each run, because no single plan fits both rare and common messages.
    return await view.rows(build(piece), ofMessages(filter) ? 'each' : 'once')
  })
}
