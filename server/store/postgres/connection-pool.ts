import { type ClientConfig, Pool } from 'pg'
import { TonError } from '../../../shared/errors.ts'
import { untilAborted } from '../../base/abort.ts'
import { createPermits, type Permit } from '../../base/permits.ts'
import type { PoolFigures } from '../../metrics/figures.ts'
import { databaseFault, errorCode, NOT_IN_TIME, POOL_TIMEOUT, READ_ONLY } from './faults.ts'
import { ReadClient } from './read-client.ts'

const CONNECT_MS = 5_000

export type Lent = ReadClient & { release(broken?: Error): void }

/** Maps the error of a failed read to the error that callers get. Callers on this machine also get the database's own message. */
export const readError = (error: unknown): unknown => {
  if (errorCode(error) === '57014') return new TonError('SOURCE_TIMEOUT', NOT_IN_TIME, { cause: error })
  const fault = databaseFault(error)
  // Readers do not write, so READ_ONLY is a bug of ours and stays an internal error.
  if (fault === undefined || errorCode(error) === READ_ONLY) return error
  const detail = error instanceof Error && error.message !== '' ? error.message : undefined
  return new TonError('UNAVAILABLE', fault, { cause: error, retryAfter: 1, detail })
}

/** `statementTimeout`: milliseconds until the server cancels a statement. */
export const createConnections = (connection: ClientConfig, connections: number, statementTimeout: number, life: number) => {
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
  // The pool replaces an idle connection that is lost. Without a listener the event would end the process.
  pool.on('error', () => {})
  /** Connections that were opened before this time are not used again. */
  let distrusted = 0
  let answered = performance.now()
  const permits = createPermits({
    atOnce: connections,
    // A read with a deep offset takes ten seconds, and anybody can send one each second.
    isShared: true,
    lease: 2_000,
    waiting: 1_000,
    patience: CONNECT_MS,
    text: `all ${connections} connections to the database are busy`,
  })

  const trusted = async (): Promise<Lent> => {
    for (;;) {
      const client = (await pool.connect()) as unknown as Lent
      if (client.since >= distrusted) return client
      client.cut()
      client.release(new Error('not trusted any more'))
    }
  }

  return {
    load: (): PoolFigures => ({ used: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: permits.waiting() }),
    /**
     * Waits until a client may use a connection. `lose` is called if the client must give it back before its read has ended. Rejects with the signal's reason
     * when aborted, and with UNAVAILABLE if no connection becomes free.
     */
    permit: (signal: AbortSignal, client: string, lose: (error: Error) => void): Promise<Permit> =>
      permits.take(signal, client, lose).catch((error: unknown) => {
        const isAway = performance.now() - answered >= CONNECT_MS
        throw isAway && !signal.aborted ? readError(new Error(POOL_TIMEOUT)) : error
      }),
    /** Acquires a connection. Rejects with the signal's reason when aborted, and with UNAVAILABLE if the database is away. */
    async acquire(signal: AbortSignal): Promise<Lent> {
      signal.throwIfAborted()
      const coming = trusted().catch((error) => {
        throw readError(error)
      })
      // If the caller aborts while waiting, the connection is returned to the pool when it arrives.
      return untilAborted(coming, signal, () => void coming.then((client) => client.release()).catch(() => {}))
    },
    onAnswer(): void {
      answered = performance.now()
    },
    /** Time of the last answer to a statement (performance.now()). */
    answered: (): number => answered,
    /** Marks all open connections as unusable, because one of them did not respond or has statements that were prepared before a migration. */
    distrust(): void {
      distrusted = performance.now()
    },
    close: (): Promise<void> => pool.end(),
  }
}
