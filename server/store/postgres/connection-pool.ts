import { type ClientConfig, Pool } from 'pg'
import { TonError } from '../../../shared/errors.ts'
import { untilAborted } from '../../base/abort.ts'
import type { PoolFigures } from '../../metrics/figures.ts'
import { databaseFault, errorCode, NOT_IN_TIME, POOL_TIMEOUT, READ_ONLY } from './faults.ts'
import { createLazyCommits, type LazyCommits } from './late-snapshot-ends.ts'
import { ReadClient } from './read-client.ts'

/* The connections of a reader. */

/** Milliseconds that a caller waits for a connection. */
const CONNECT_MS = 5_000

/** A connection that a caller has for itself until it is released. */
export type Lent = ReadClient & { release(broken?: Error): void }

export interface Connections {
  /** How busy the pool is. */
  load(): PoolFigures
  /** A connection of the pool. Rejects with the signal's reason; UNAVAILABLE if none is free, or if the database is away. */
  acquire(signal: AbortSignal): Promise<Lent>
  /** Snapshots that are still to be ended. */
  readonly commits: LazyCommits
  /** A statement was answered: the server is not silent. */
  onAnswer(): void
  /** When a statement was last answered (performance.now()). */
  answered(): number
  /** Connections that are open now are not used again: one of them was silent, or has statements of before a migration. */
  distrust(): void
  close(): Promise<void>
}

/** The error that callers get for a failed read: what the database lacks, and for callers on this machine the database's own text. */
export const readError = (error: unknown): unknown => {
  if (errorCode(error) === '57014') return new TonError('SOURCE_TIMEOUT', NOT_IN_TIME, { cause: error })
  const fault = databaseFault(error)
  // Only a fault of ours makes a reader write.
  if (fault === undefined || errorCode(error) === READ_ONLY) return error
  const detail = error instanceof Error && error.message !== '' ? error.message : undefined
  return new TonError('UNAVAILABLE', fault, { cause: error, retryAfter: 1, detail })
}

const allBusy = (connections: number): TonError =>
  new TonError('UNAVAILABLE', `all ${connections} connections to the database are busy`, { retryAfter: 1 })

interface ConnectionsOptions {
  /** Largest number of connections. */
  readonly connections: number
  /** Milliseconds after which the server cancels a statement. */
  readonly statementTimeout: number
  /** Milliseconds for which a connection is used. */
  readonly life: number
}

const openPool = (connection: ClientConfig, { connections, statementTimeout, life }: ConnectionsOptions): Pool => {
  const pool = new Pool({
    ...connection,
    max: connections,
    statement_timeout: statementTimeout,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: life / 1_000,
    application_name: 'tonway',
    allowExitOnIdle: true,
    pipeline: true,
    Client: ReadClient,
    onConnect: (client) => (client as ReadClient).prepare(),
  })
  // A connection that dies while idle is replaced by the pool.
  pool.on('error', () => {})
  return pool
}

export const createConnections = (connection: ClientConfig, options: ConnectionsOptions): Connections => {
  const pool = openPool(connection, options)
  /** Connections that are older are not used again. */
  let distrusted = 0
  let answered = performance.now()
  /** Whether no connection was free because all of them are busy, and not because the server is silent. */
  const isBusy = (error: unknown): boolean =>
    error instanceof Error && error.message === POOL_TIMEOUT && performance.now() - answered < CONNECT_MS

  /** A connection that has shown no fault. */
  const trusted = async (): Promise<Lent> => {
    for (;;) {
      const client = (await pool.connect()) as unknown as Lent
      if (client.since >= distrusted) return client
      client.cut()
      client.release(new Error('not trusted any more'))
    }
  }

  return {
    load: () => ({ used: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async acquire(signal) {
      signal.throwIfAborted()
      const coming = trusted().catch((error) => {
        throw isBusy(error) ? allBusy(options.connections) : readError(error)
      })
      // A connection that comes after its caller has left is given back.
      return untilAborted(coming, signal, () => void coming.then((client) => client.release()).catch(() => {}))
    },
    commits: createLazyCommits(),
    onAnswer() {
      answered = performance.now()
    },
    answered: () => answered,
    distrust() {
      distrusted = performance.now()
    },
    close: () => pool.end(),
  }
}
