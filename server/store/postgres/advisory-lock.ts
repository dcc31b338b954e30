import type { Connection } from './connection.ts'

/* Advisory locks say which one of several processes does a task. PostgreSQL frees a lock when the connection that has it ends. */

/** Keys of the locks, as ASCII. */
export const INDEX_LOCK = '0x746f6e776179'
export const HOOKS_LOCK = '0x686f6f6b73'

/** A database that takes no writes gives no lock: it is a standby, until it is promoted. */
const tryBy = (call: string): string =>
  `select case when current_setting('transaction_read_only')::boolean then false else ${call}($1::bigint) end as got`
const TRY = tryBy('pg_try_advisory_lock')
const TRY_TO_SHARE = tryBy('pg_try_advisory_lock_shared')
const UNLOCK = 'select pg_advisory_unlock($1::bigint)'

type Asks = Pick<Connection, 'query'>
const ask =
  (text: string) =>
  async ({ query }: Asks, key: string): Promise<boolean> => {
    const [row] = await query<{ got: boolean }>(text, [BigInt(key).toString()])
    return row?.got === true
  }

/** Takes a lock for as long as the connection lives; false if another connection has it, or if the database takes no writes. */
export const tryLock = ask(TRY)
/** Shares a lock; false if one connection has it for itself. */
export const tryShareLock = ask(TRY_TO_SHARE)
export const unlock = async ({ query }: Asks, key: string): Promise<void> => {
  await query(UNLOCK, [BigInt(key).toString()])
}
