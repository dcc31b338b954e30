import { sql } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import { fixed, fixedForEach } from './fixed.ts'
import type { View } from './head.ts'
import { byPieces } from './order.ts'
import { accountsOf, compareLt, keyLists, keyText, messagesKeyed, type TransactionKey } from './transactions/keys.ts'

/* The messages that transactions received and sent. */

export type MessageRow = Tables['messages']

const OF_TRANSACTIONS = fixedForEach((isDistributed) =>
  fixed((builder, accounts, lts) =>
    builder
      .selectFrom('messages')
      .selectAll()
      .where(messagesKeyed([accounts, lts], isDistributed))
      .orderBy(sql`tx_lt, tx_account, direction, msg_index`),
  ),
)

/** The order of OF_TRANSACTIONS. */
const byTransaction = (a: MessageRow, b: MessageRow): number =>
  compareLt(a.tx_lt, b.tx_lt) || Buffer.compare(a.tx_account, b.tx_account) || a.direction - b.direction || a.msg_index - b.msg_index

const read = (view: View, keys: readonly TransactionKey[]): Promise<MessageRow[]> =>
  byPieces(keys, (piece) => view.shards(OF_TRANSACTIONS(view)(...keyLists(piece)), 'once', accountsOf(piece)))

/** Messages that were asked for together with the rows of their transactions. */
interface Ahead {
  /** Keys of these transactions, as `keyText`. */
  readonly keys: ReadonlySet<string>
  readonly rows: Promise<readonly MessageRow[]>
}

const asked = new WeakMap<View, Ahead>()

/**
 * The nodes of a cluster are asked for the messages of transactions together with their rows, so that one trip less is made. `rowsOfTransactions` takes them.
 * `rows`: these messages, if they are not found by the keys.
 */
export const askAhead = (view: View, keys: readonly TransactionKey[], rows: Promise<readonly MessageRow[]> = read(view, keys)): void => {
  rows.catch(() => {})
  asked.set(view, { keys: new Set(keys.map(keyText)), rows })
}

/** The rows of transactions whose messages were asked for at the same time: `rowsOfTransactions` takes these. Undefined: they were not asked for. */
export const withMessagesAhead = async <Row extends TransactionKey>(
  view: View,
  asked: Promise<Row[]>,
  messages: Promise<readonly MessageRow[]> | undefined,
): Promise<Row[]> => {
  // It may fail before the rows do.
  messages?.catch(() => {})
  const rows = await asked
  if (messages) askAhead(view, rows, messages)
  return rows
}

const aheadOf = (view: View, keys: readonly TransactionKey[]): Ahead | undefined => {
  const ahead = asked.get(view)
  return ahead && keys.every((key) => ahead.keys.has(keyText(key))) ? ahead : undefined
}

/** Waits for messages that were asked for together with the rows of their transactions. */
export const messagesAhead = async (view: View, keys: readonly TransactionKey[]): Promise<void> => {
  await aheadOf(view, keys)?.rows
}

/** Rows of messages of transactions: the received one, and the sent ones in order. */
export const rowsOfTransactions = async (view: View, keys: readonly TransactionKey[]): Promise<MessageRow[]> => {
  if (!view.isSpread) return await read(view, keys)
  const wanted = new Set(keys.map(keyText))
  const known = await aheadOf(view, keys)?.rows
  const rows = known?.filter(({ tx_account, tx_lt }) => wanted.has(keyText({ account: tx_account, lt: tx_lt }))) ?? (await read(view, keys))
  return rows.sort(byTransaction)
}
