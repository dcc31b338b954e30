import { type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../../../tlb/ids.ts'
import { DIRECTION_IN, DIRECTION_OUT } from '../../codes.ts'
import type { Planned } from '../../postgres/reader.ts'
import { distinct, nameOf } from '../../row-keys.ts'
import { transactions } from '../../schema/transactions.ts'
import { withBounds } from '../bounds.ts'
import { is, isAccount, isTimed, keyOf, type ListParams, upToHead, within } from '../conditions.ts'
import { lookUp } from '../look-up.ts'
import { afterCursor, all, type Condition, EMPTY_PAGE, findPage, type Order, orderOf, type Page } from '../order.ts'
import type { View } from '../view.ts'
import { keysOfHashes } from './by-key.ts'
import { hasKey, keyOfMessage, type TransactionKey, type TransactionRow } from './transaction-key.ts'

export type TransactionParams = ListParams<'v3.transactions'>

const OF_MESSAGES = ['msg_hash', 'body_hash', 'opcode', 'source', 'destination'] as const

/** The first parameter about a message that the transaction received or sent, if there is one. One message must match all of them. */
const ofMessages = (params: TransactionParams) => OF_MESSAGES.find((name) => params[name] !== undefined)

const directionOf = ({ direction }: TransactionParams): number | undefined =>
  direction && (direction === 'in' ? DIRECTION_IN : DIRECTION_OUT)

/** Transactions of the same lt are ordered by account, always ascending. */
const tiesAscend = true
/** Ordered by masterchain block, then lt, so that new transactions always come after older ones. */
const BY_BLOCK = orderOf(transactions, 'm', ['mc_seqno', 'lt', 'account'], tiesAscend)
const BY_LT = orderOf(transactions, 'l', ['lt', 'account'], tiesAscend)
const BY_TIME = orderOf(transactions, 'n', ['now', 'lt', 'account'], tiesAscend)

const orderOfFilter = (params: TransactionParams): Order<TransactionRow> => {
  if (isTimed(params)) return BY_TIME
  if (ofMessages(params)) return BY_LT
  const narrowed = params.account ?? params.hash ?? params.lt ?? params.start_lt ?? params.end_lt
  return narrowed === undefined ? BY_BLOCK : BY_LT
}

/** Maximum number of messages with the same hashes: an account may accept the same external message any number of times. */
const MAX_EQUAL = 50_000

const sidesOf = lookUp({
  from: 'messages',
  by: 'msg_hash',
  columns: ['tx_account', 'tx_lt', 'msg_hash', 'direction', 'listed', 'body_hash', 'opcode', 'source', 'destination'],
  isBounded: true,
  most: MAX_EQUAL,
})
type Side = Awaited<ReturnType<typeof sidesOf>>[number]

const hashesOfNormalized = lookUp({ from: 'messages', by: 'msg_hash_norm', columns: ['msg_hash'], most: MAX_EQUAL })

/**
 * Reads the sender's and the receiver's rows of messages, which are given by hash or by normalized hash. A row can occur twice. The table is not joined with
 * itself, because on a cluster the two rows of a message can be on different shards.
 */
export const sidesByHash = async (view: View, hashes: readonly Uint8Array[], param = 'msg_hash'): Promise<Side[]> => {
  const [normalized, sides] = await Promise.all([hashesOfNormalized(view, hashes, param), sidesOf(view, hashes, param)])
  const requested = new Set(hashes.map((hash) => nameOf(Buffer.from(hash))))
  const others = distinct(normalized.map((row) => row.msg_hash)).filter((hash) => !requested.has(nameOf(hash)))
  return [...sides, ...(await sidesOf(view, others, param))]
}

/** Returns keys of the transactions that sent or received messages with these hashes, if the messages also match the other parameters. */
const keysOfMessagesWith = async (view: View, hashes: readonly Uint8Array[], params: TransactionParams): Promise<TransactionKey[]> => {
  const sides = await sidesByHash(view, hashes, ofMessages(params))
  const is = (key: Buffer | null, account: AccountId | undefined): boolean =>
    account === undefined || (key?.equals(keyOf(account)) ?? false)
  const matching = sides.filter(
    ({ listed, body_hash, opcode, source, destination }) =>
      listed &&
      (params.body_hash === undefined || (body_hash?.equals(params.body_hash) ?? false)) &&
      (params.opcode === undefined || opcode === params.opcode) &&
      is(source, params.source) &&
      is(destination, params.destination),
  )
  const found = new Set(matching.map(({ msg_hash }) => nameOf(msg_hash)))
  const direction = directionOf(params)
  return sides
    .filter((side) => found.has(nameOf(side.msg_hash)) && (direction === undefined || side.direction === direction))
    .map(keyOfMessage)
}

const fieldsOf = (params: TransactionParams): readonly Condition[] => [
  is('m.body_hash', params.body_hash),
  is('m.opcode', params.opcode),
  isAccount('m.source', params.source),
  isAccount('m.destination', params.destination),
]

/** Selects hashes of messages that match the parameters. Only rows with `listed` are searched: each message has exactly one such row. */
const hashesWith = (params: TransactionParams): RawBuilder<{ msg_hash: Buffer }> =>
  sql<{ msg_hash: Buffer }>`select m.msg_hash from messages as m where ${all([sql<boolean>`m.listed`, ...fieldsOf(params)])}`

/** Condition for transactions that sent or received a matching message. Both rows of a message are found by its hash. */
const withMessage = (params: TransactionParams): RawBuilder<boolean> =>
  sql<boolean>`(account, lt) in (select side.tx_account, side.tx_lt from messages as side
    where ${all([sql<boolean>`side.msg_hash in (${hashesWith(params)})`, is('side.direction', directionOf(params))])})`

/**
 * The condition of withMessage for a distributed database, where the two rows of a message can be on different shards. Each row is therefore compared by
 * its own columns. No index on these columns has the rows without `listed`, so this condition is only used if very many messages match.
 */
const withOwnMessage = (params: TransactionParams): RawBuilder<boolean> =>
  sql<boolean>`(account, lt) in (select m.tx_account, m.tx_lt from messages as m
    where ${all([...fieldsOf(params), is('m.direction', directionOf(params))])})`

/** Maximum number of messages whose transactions are found by message hash. */
const MAX_RARE = 2_000

const hashesOfRare = async (view: View, params: TransactionParams): Promise<readonly Buffer[] | undefined> => {
  const rows = await view.rows(sql<{ msg_hash: Buffer }>`${hashesWith(params)} limit ${MAX_RARE + 1}`, 'each')
  return rows.length > MAX_RARE ? undefined : rows.map(({ msg_hash }) => msg_hash)
}

/** Looks up the transactions of matching messages before the list is read; undefined if the list's own query checks the messages. */
const endsOf = async (view: View, params: TransactionParams): Promise<readonly TransactionKey[] | undefined> => {
  if (params.msg_hash) return await keysOfMessagesWith(view, params.msg_hash, params)
  if (!view.isDistributed || !ofMessages(params)) return undefined
  const rare = await hashesOfRare(view, params)
  return rare && (await keysOfMessagesWith(view, rare, params))
}

/** The list with conditions on messages is planned at each run, because no single plan fits both rare and common messages. */
const plannedFor = (hasKeys: boolean, params: TransactionParams): Planned => {
  if (hasKeys) return 'generic'
  return ofMessages(params) ? 'each' : 'once'
}

export const findTransactions = async (view: View, params: TransactionParams): Promise<Page<TransactionRow>> => {
  const order = orderOfFilter(params)
  // Throws for a cursor of another list, even if the result would be empty.
  afterCursor(order, params)
  const named = params.hash && (await keysOfHashes(view, params.hash))
  const ends = await endsOf(view, params)
  const excluded = params.exclude_account?.map(keyOf)
  const names = new Set(excluded?.map(nameOf))
  const accounts = params.account?.filter((id) => !names.has(nameOf(keyOf(id))))
  if (named?.length === 0 || ends?.length === 0 || accounts?.length === 0) return EMPTY_PAGE
  const hasMessage = view.isDistributed ? withOwnMessage : withMessage
  const where = [
    upToHead(view, params),
    named && hasKey(view, named),
    ends && hasKey(view, ends),
    ends === undefined && ofMessages(params) ? hasMessage(params) : undefined,
    is('workchain', params.workchain),
    is('block_shard', params.shard?.toString()),
    is('block_seqno', params.seqno),
    is('mc_seqno', params.mc_seqno),
    // One condition if the transactions have keys, and by time: no index has the rows of one account by time.
    named || ends || order === BY_TIME ? all([isAccount('account', accounts)]) : isAccount('account', accounts),
    accounts ? undefined : excluded && sql<boolean>`account <> all(${excluded}::bytea[])`,
    is('lt', params.lt?.toString()),
    ...within(await withBounds(view, params), 'now', 'lt'),
  ]
  return await findPage(view, order, params, where, { planned: plannedFor(named !== undefined || ends !== undefined, params) })
}
