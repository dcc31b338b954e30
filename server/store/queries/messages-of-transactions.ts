import { sql } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import { hasKey, type TransactionKey } from './transactions/transaction-key.ts'
import type { View } from './view.ts'

export type MessageRow = Tables['messages']

/** Reads the received message and the sent messages of transactions, in order. */
export const rowsOfTransactions = async (view: View, keys: readonly TransactionKey[]): Promise<MessageRow[]> =>
  keys.length === 0
    ? []
    : view.rows(
        sql<MessageRow>`select * from messages where ${hasKey(view, keys, ['tx_account', 'tx_lt'])}
          order by tx_lt, tx_account, direction, msg_index`,
        'generic',
      )
