import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../schema/tables.ts'
import type { View } from '../view.ts'

export type TransactionRow = Tables['transactions']
export type TransactionKey = Pick<TransactionRow, 'account' | 'lt'>

export const keyOfMessage = ({ tx_account, tx_lt }: Pick<Tables['messages'], 'tx_account' | 'tx_lt'>): TransactionKey => ({
  account: tx_account,
  lt: tx_lt,
})

export const keyText = ({ account, lt }: TransactionKey): string => `${account.toString('latin1')}:${lt}`

/** Compares two logical times given as unsigned decimal texts, as columns return them. */
export const compareLt = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/**
 * Condition for rows with these keys of transactions. A distributed database finds the shards only by a separate condition on the accounts. Plain PostgreSQL
 * does not get that condition: it would make the planner sort the list of accounts for each key (70 times slower for 250 keys).
 */
export const hasKey = (
  { isDistributed }: Pick<View, 'isDistributed'>,
  keys: readonly TransactionKey[],
  [account, lt] = ['account', 'lt'],
): RawBuilder<boolean> => {
  const accounts = keys.map((key) => key.account)
  const lts = keys.map((key) => key.lt)
  const shards = isDistributed ? sql`${sql.ref(account)} = any(${accounts}::bytea[]) and ` : sql``
  return sql<boolean>`${shards}(${sql.ref(account)}, ${sql.ref(lt)}) in (select * from unnest(${accounts}::bytea[], ${lts}::bigint[]))`
}
