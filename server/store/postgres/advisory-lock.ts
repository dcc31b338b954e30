import type { Connection } from './connection.ts'

/* An advisory lock chooses the one process that does a task. PostgreSQL releases the lock when the connection that holds it ends. */

/** Keys of the locks: `tonway` and `hooks` in ASCII. */
export const INDEX_LOCK = '0x746f6e776179'
export const HOOKS_LOCK = '0x686f6f6b73'

/** Builds the statement that tries to take a lock. On a read-only database the result is false: a standby must not take the lock before it is promoted. */
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

/**
 * Takes an exclusive lock, which lasts until `unlock` or the end of the connection. Returns false if another connection has the lock, or if the database is
 * read-only.
 */
export const tryLock = ask(TRY)
/** Takes a shared lock. Returns false if another connection has the exclusive lock, or if the database is read-only. */
export const tryShareLock = ask(TRY_TO_SHARE)
export const unlock = async ({ query }: Asks, key: string): Promise<void> => {
  await query(UNLOCK, [BigInt(key).toString()])
}
