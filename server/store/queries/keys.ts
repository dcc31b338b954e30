import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { AccountId } from '../../tlb/ids.ts'
import { accountKey } from '../keys.ts'

/** The place of a transaction: its key in the table. */
export interface TransactionKey {
  readonly account: Buffer
  readonly lt: string
}

/** Key of an account in the tables. */
export const keyOf = (id: AccountId): Buffer => accountKey(id.workchain, id.hash)

/** A key as text, for maps. */
export const keyText = ({ account, lt }: TransactionKey): string => `${account.toString('base64')}:${lt}`

/** Order of two logical times as columns give them: decimal texts without a sign. */
export const compareLt = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/** Rows of these keys, which two columns hold; the keys are two parameters however many they are. */
const keyed =
  (account: string, lt: string) =>
  (keys: readonly TransactionKey[]): RawBuilder<boolean> =>
    sql<boolean>`(${sql.ref(account)}, ${sql.ref(lt)}) in (select * from unnest(${keys.map((key) => key.account)}::bytea[], ${keys.map((key) => key.lt)}::bigint[]))`

/** Transactions of these keys. */
export const transactionsKeyed = keyed('account', 'lt')
/** Messages that transactions of these keys received or sent. */
export const messagesKeyed = keyed('tx_account', 'tx_lt')
