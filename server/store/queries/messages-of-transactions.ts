import { sql } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import { messagesOf, type WithSent } from './transactions/size.ts'
import { hasKey, type TransactionKey } from './transactions/transaction-key.ts'
import type { View } from './view.ts'

export type MessageRow = Tables['messages']

/** Typical bytes of a row, without the body. */
const BYTES_OF_ROW = 200

/** Reads the received message and the sent messages of transactions, in order. */
export const rowsOfTransactions = async (view: View, keys: readonly (TransactionKey & Partial<WithSent>)[]): Promise<MessageRow[]> => {
  if (keys.length === 0) return []
  view.expectBytes(keys.reduce((sum, row) => sum + messagesOf(row), 0) * BYTES_OF_ROW)
  return await view.rows(
    sql<MessageRow>`select * from messages where ${hasKey(view, keys, ['tx_account', 'tx_lt'])}
      order by tx_lt, tx_account, direction, msg_index`,
    'generic',
  )
}
