import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { AccountId } from '../../tlb/ids.ts'
import { accountKey } from '../row-keys.ts'

/** Key of a transaction in the table: account and lt. */
export interface TransactionKey {
  readonly account: Buffer
  readonly lt: string
}

/** Key of an account in the tables. */
export const keyOf = (id: AccountId): Buffer => accountKey(id.workchain, id.hash)

/** A key as text, for use in maps. */
export const keyText = ({ account, lt }: TransactionKey): string => `${account.toString('latin1')}:${lt}`

/** Compares two logical times given as unsigned decimal texts, as columns return them. */
export const compareLt = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/** Condition for rows with these two-column keys. It has two parameters for any number of keys. */
const keyed =
  (account: string, lt: string) =>
  (keys: readonly TransactionKey[]): RawBuilder<boolean> =>
    sql<boolean>`(${sql.ref(account)}, ${sql.ref(lt)}) in (select * from unnest(${keys.map((key) => key.account)}::bytea[], ${keys.map((key) => key.lt)}::bigint[]))`

/** Condition for transactions with these keys. */
export const transactionsKeyed = keyed('account', 'lt')
/** Condition for messages that transactions with these keys received or sent. */
export const messagesKeyed = keyed('tx_account', 'tx_lt')
