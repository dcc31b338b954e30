import { INDEX_LOCK, tryLock, tryShareLock, unlock } from '../../store/postgres/advisory-lock.ts'
import type { Connection } from '../../store/postgres/connection.ts'

type Asks = Pick<Connection, 'query'>

/** Takes the lock until the connection ends. Returns false if another connection has the lock, or if the database is read-only. */
export const tryToLead = (connection: Asks): Promise<boolean> => tryLock(connection, INDEX_LOCK)

/** Takes the lock in shared mode, as the processes of a backfill do. Returns false if a process has the exclusive lock. */
export const becomeSharer = (connection: Asks): Promise<boolean> => tryShareLock(connection, INDEX_LOCK)

export const shareLeadership = async (connection: Asks): Promise<void> => {
  await becomeSharer(connection)
  await unlock(connection, INDEX_LOCK)
}
