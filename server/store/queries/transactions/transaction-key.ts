import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { AccountId } from '../../../tlb/ids.ts'
import { bytesList, integersList } from '../../postgres/lists.ts'
import { accountKey } from '../../row-keys.ts'
import type { Placeholder } from '../fixed.ts'
import type { View } from '../view.ts'

export interface TransactionKey {
  readonly account: Buffer
  readonly lt: string
}

export const keyOf = (id: AccountId): Buffer => accountKey(id.workchain, id.hash)

export const keyText = ({ account, lt }: TransactionKey): string => `${account.toString('latin1')}:${lt}`

/** Compares two logical times given as unsigned decimal texts, as columns return them. */
export const compareLt = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

type KeyLists = readonly [accounts: Buffer, lts: Buffer]

export const keyLists = (keys: readonly TransactionKey[]): KeyLists => [
  bytesList(keys.map(({ account }) => account)),
  integersList(keys.map(({ lt }) => lt)),
]

/** Conditions that select rows by transaction keys. The keys are given as encoded lists (keyLists) or as placeholders. */
interface Keyed {
  readonly transactions: (keys: KeyLists | readonly [Placeholder, Placeholder]) => RawBuilder<boolean>
  readonly messages: (keys: KeyLists | readonly [Placeholder, Placeholder]) => RawBuilder<boolean>
}

/**
 * The conditions have the same parameters for any number of keys. A distributed database finds the shards only by a separate condition on the accounts.
 * Plain PostgreSQL does not get that condition: it would make the planner sort the list of accounts for each key (70 times slower for 250 keys).
 */
const keyedBy = (namesShards: boolean): Keyed => {
  const by =
    (account: string, lt: string): Keyed['transactions'] =>
    ([accounts, lts]) => {
      const shards = namesShards ? sql`${sql.ref(account)} = any(${accounts}::bytea[]) and ` : sql``
      return sql<boolean>`${shards}(${sql.ref(account)}, ${sql.ref(lt)}) in (select * from unnest(${accounts}::bytea[], ${lts}::bigint[]))`
    }
  return { transactions: by('account', 'lt'), messages: by('tx_account', 'tx_lt') }
}
const [PLAIN, DISTRIBUTED] = [keyedBy(false), keyedBy(true)]

type Database = Pick<View, 'isDistributed'>

export const keyedOn = ({ isDistributed }: Database): Keyed => (isDistributed ? DISTRIBUTED : PLAIN)

/** Builds a statement once for each kind of database, and returns the statement for the database of a view. */
export const fixedByKeys = <Statement>(make: (keyed: Keyed) => Statement): ((on: Database) => Statement) => {
  const [plain, distributed] = [make(PLAIN), make(DISTRIBUTED)]
  return (on) => (keyedOn(on) === PLAIN ? plain : distributed)
}
