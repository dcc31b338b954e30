import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { INDEX_LOCK, tryLock, tryShareLock, unlock } from '../../store/postgres/advisory-lock.ts'
import { type Connection, connect } from '../../store/postgres/connection.ts'
import { PUBLISHED, readCheckpoint } from '../follow/checkpoint.ts'

export interface LeaderIndex {
  readonly network: string
  readonly zeroHash: Buffer
  readonly first: number
  readonly seqno: number
}

type Asks = Pick<Connection, 'query'>

/** Takes the lock until the connection ends. Returns false if another connection has the lock, or if the database is read-only. */
export const tryToLead = (connection: Asks): Promise<boolean> => tryLock(connection, INDEX_LOCK)

/** Takes the lock in shared mode, as the processes of a backfill do. Returns false if a process has the exclusive lock. */
export const becomeSharer = (connection: Asks): Promise<boolean> => tryShareLock(connection, INDEX_LOCK)

export const shareLeadership = async (connection: Asks): Promise<void> => {
  await becomeSharer(connection)
  await unlock(connection, INDEX_LOCK)
}

export interface Candidacy {
  /** Milliseconds between attempts. */
  readonly pause: number
  /** Called after each failed attempt with the index that another process writes; undefined if there is no index. */
  readonly onWait: (index: LeaderIndex | undefined) => Promise<void>
  /** Aborting this signal closes the connection, even if the connection has the lock. */
  readonly cut?: AbortSignal | undefined
  readonly open?: typeof connect | undefined
}

const readLeaderIndex = async (connection: Connection): Promise<LeaderIndex | undefined> => {
  const at = await readCheckpoint(connection)
  const [head] = await connection.query(PUBLISHED)
  return at && head && { network: at.network, zeroHash: at.zeroHash, first: at.oldestSeqno, seqno: head.mc_seqno }
}

/**
 * Waits for the lock, and returns the connection that has it. One process per database indexes, and the others wait until it ends. All processes of a
 * standby wait. Rejects when `signal` aborts.
 */
export const connectAsLeader = async (
  config: ClientConfig,
  { pause, onWait, cut, open = connect }: Candidacy,
  signal: AbortSignal,
): Promise<Connection> => {
  const connection = await open(config, undefined, { signal: cut })
  try {
    for (;;) {
      if (await tryToLead(connection)) return connection
      await onWait(await readLeaderIndex(connection))
      await sleep(pause, undefined, { signal })
    }
  } catch (error) {
    await connection.close().catch(() => {})
    throw error
  }
}
