import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { AccountId } from '../../../tlb/ids.ts'
import { bytesList, integersList } from '../../postgres/lists.ts'
import { accountKey } from '../../row-keys.ts'
import type { Place } from '../fixed.ts'

/** Key of a transaction in the table: account and lt. */
export interface TransactionKey {
  readonly account: Buffer
  readonly lt: string
}

/**
 * Largest number of transactions of which everything is looked up in as few trips as possible, somewhat more than lists have by default. Of more the cells are read
 * after the messages, each once: messages of one page often have the same bodies, and what a trip takes does not matter then.
 */
export const FEW = 12

/** Key of an account in the tables. */
export const keyOf = (id: AccountId): Buffer => accountKey(id.workchain, id.hash)

/** A key as text, for use in maps. */
export const keyText = ({ account, lt }: TransactionKey): string => `${account.toString('latin1')}:${lt}`

/** Compares two logical times given as unsigned decimal texts, as columns return them. */
export const compareLt = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/** Accounts of keys: by them transactions and their messages are distributed. */
export const accountsOf = (keys: readonly TransactionKey[]): Buffer[] => keys.map(({ account }) => account)

/** Keys as two values of a statement. */
export type KeyLists = readonly [accounts: Buffer, lts: Buffer]

export const keyLists = (keys: readonly TransactionKey[]): KeyLists => [
  bytesList(accountsOf(keys)),
  integersList(keys.map((key) => key.lt)),
]

/**
 * Condition for rows with these two-column keys. It has the same parameters for any number of keys. The accounts alone tell a distributed database which shards
 * have the rows. Plain PostgreSQL finds rows by both columns, and must not see the list of accounts: it would sort the list for each key (70 times the time for
 * 250 keys).
 */
const keyed =
  (account: string, lt: string) =>
  ([accounts, lts]: KeyLists | readonly [Place, Place], isDistributed: boolean): RawBuilder<boolean> => {
    const shards = isDistributed ? sql`${sql.ref(account)} = any(${accounts}::bytea[]) and ` : sql``
    return sql<boolean>`${shards}(${sql.ref(account)}, ${sql.ref(lt)}) in (select * from unnest(${accounts}::bytea[], ${lts}::bigint[]))`
  }

/** Condition for transactions with these keys, which are given as lists (keyLists) or as their places. */
export const transactionsKeyed = keyed('account', 'lt')
/** Condition for messages that transactions with these keys received or sent. */
export const messagesKeyed = keyed('tx_account', 'tx_lt')
