import { sql } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import { fixed } from './fixed.ts'
import { byPieces } from './order.ts'
import { fixedByKeys, keyLists, type TransactionKey } from './transactions/transaction-key.ts'
import type { View } from './view.ts'

export type MessageRow = Tables['messages']

const OF_TRANSACTIONS = fixedByKeys((keyed) =>
  fixed((builder, accounts, lts) =>
    builder
      .selectFrom('messages')
      .selectAll()
      .where(keyed.messages([accounts, lts]))
      .orderBy(sql`tx_lt, tx_account, direction, msg_index`),
  ),
)

/** Reads the received message and the sent messages of transactions, in order. */
export const rowsOfTransactions = (view: View, keys: readonly TransactionKey[]): Promise<MessageRow[]> =>
  byPieces(keys, (piece) => view.rows(OF_TRANSACTIONS(view)(...keyLists(piece))))
