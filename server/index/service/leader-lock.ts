import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { type Connection, connect } from '../../store/postgres/connection.ts'
import { PUBLISHED, readCheckpoint } from '../follow/checkpoint.ts'

/** Key of the advisory lock: 'tonway' in ASCII. The connection that writes holds it, so the server frees it when that connection ends. */
const LOCK = '0x746f6e776179'

/** A database that takes no writes cannot be indexed: it is a standby, until it is promoted. */
const TRY = `select case when current_setting('transaction_read_only')::boolean then false else pg_try_advisory_lock($1::bigint) end as got`

/** The index that another process maintains, as readers see it. */
export interface LeaderIndex {
  readonly network: string
  readonly zeroHash: Buffer
  readonly first: number
  /** The published head. */
  readonly seqno: number
}

/** Takes the lock for as long as the connection lives; false if another connection has it, or if the database takes no writes. */
export const tryToLead = async ({ query }: Pick<Connection, 'query'>): Promise<boolean> => {
  const [row] = await query<{ got: boolean }>(TRY, [BigInt(LOCK).toString()])
  return row?.got === true
}

/** Several processes that backfill share the lock. Nobody can take it for itself meanwhile. */
const TRY_TO_SHARE = `select case when current_setting('transaction_read_only')::boolean then false else pg_try_advisory_lock_shared($1::bigint) end as got`
const UNLOCK = 'select pg_advisory_unlock($1::bigint)'

/** Shares the lock for as long as the connection lives; false if one process has it for itself. */
export const becomeSharer = async ({ query }: Pick<Connection, 'query'>): Promise<boolean> => {
  const [row] = await query<{ got: boolean }>(TRY_TO_SHARE, [BigInt(LOCK).toString()])
  return row?.got === true
}

/** Lets others share the lock that this connection has for itself. */
export const shareLeadership = async (connection: Pick<Connection, 'query'>): Promise<void> => {
  await becomeSharer(connection)
  await connection.query(UNLOCK, [BigInt(LOCK).toString()])
}

export interface Candidacy {
  /** Milliseconds between attempts. */
  readonly pause: number
  /** Called at each attempt with the index of the other process; undefined if it has none yet. */
  readonly onWait: (index: LeaderIndex | undefined) => Promise<void>
  /** Cuts the connection, also after it got the lock. */
  readonly cut?: AbortSignal | undefined
  /** Replaces `connect` in tests. */
  readonly open?: typeof connect | undefined
}

const readLeaderIndex = async (connection: Connection): Promise<LeaderIndex | undefined> => {
  const at = await readCheckpoint(connection)
  const [head] = await connection.query(PUBLISHED)
  return at && head && { network: at.network, zeroHash: at.zeroHash, first: at.oldestSeqno, seqno: head.mc_seqno }
}

/**
 * Returns a connection that holds the lock. One process per database indexes; the others wait until it ends. On a standby all wait. Rejects when `signal`
 * aborts.
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
