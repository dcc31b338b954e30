import { type CompiledQuery, DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { ClientConfig } from 'pg'
import { joinAbort } from '../../base/abort.ts'
import { awaitedLater } from '../../base/promises/awaited-later.ts'
import type { PoolFigures } from '../../metrics/figures.ts'
import type { PresentHead } from '../head/head-in-memory.ts'
import type { ChainPosition } from '../replicas/floor.ts'
import type { Tables } from '../schema/tables.ts'
import { createConnections, type Lent, readError } from './connection-pool.ts'
import { ABORTED, errorCode, isConnectionLoss, READ_TIMEOUT } from './faults.ts'
import { isStale, RECOVERY, retried } from './retried.ts'
import { createSharedConnections } from './shared-connections.ts'
import { type SlowQueries, timed, tracedSql } from './slow-statements.ts'

export type Query<R> = CompiledQuery<R> | { compile(sql: Kysely<Tables>): CompiledQuery<R> }

const STATEMENT_TIMEOUT = 10_000
/** The prepared plans of a connection become outdated as the tables grow. */
const LIFE_MS = 60_000

export interface ReaderOptions {
  readonly connections: number
  /** Milliseconds; STATEMENT_TIMEOUT by default. */
  readonly statementTimeout?: number
  readonly slow?: SlowQueries | undefined
  /** Maximum age of a connection in milliseconds, LIFE_MS by default; for tests. */
  readonly life?: number
}

/** Runs reads on pooled connections with prepared statements. A statement is cancelled when its caller aborts. */
export interface Reader {
  /**
   * Runs one statement. Rejects with the signal's reason when aborted (the statement is cancelled too), with SOURCE_TIMEOUT after the statement timeout, and
   * with UNAVAILABLE when the database is away. `isShort`: it finds a few rows by key, so it may share a connection with other statements of the same
   * event-loop turn. `client`: the one for whom it is read; by default the service itself.
   */
  rows<R>(query: Query<R>, signal: AbortSignal, isShort?: boolean, client?: string): Promise<R[]>
  /**
   * Runs statements on one connection within one read-only snapshot. Statements that are started without awaiting one another are sent in one write. `run`
   * is called again if a standby cancelled a statement, or if another replica has to answer. `client`: as of `rows`. A Citus cluster has no snapshot
   * across its nodes, so the caller checks whether the index changed during the read.
   */
  snapshot<T>(run: (rows: RunQuery) => Promise<T>, signal: AbortSignal, client?: string): Promise<T>
  /** Records the head that a snapshot sees. Throws BehindError if an earlier answer used a newer head. */
  readonly admit?: ((place: ChainPosition) => void) | undefined
  /** The published head in memory; undefined if it has to be queried each time. */
  readonly head?: PresentHead | undefined
  /** Time of the last answer to a statement (performance.now()). Missing for a reader whose database can be away at times. */
  answered?(): number
  /** Load of the connection pool. Missing for a reader that uses several servers. */
  load?(): PoolFigures
  close(): Promise<void>
}

/**
 * When a statement is planned. `once`: PostgreSQL decides, as for any prepared statement. `each`: at every run, because no single plan fits all its
 * parameters. `generic`: once for lists of any length. PostgreSQL assumes ten elements for a list of unknown length, and would plan each run with a shorter
 * list again.
 */
export type Planned = 'once' | 'each' | 'generic'

export type RunQuery = <R>(query: Query<R>, planned?: Planned) => Promise<R[]>

/** Builds and compiles statements. It has no connection. */
export const builder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Settings for the rest of a snapshot: one plan for all parameters, or PostgreSQL's own choice. */
const PLANS = { generic: 'plan_cache_mode = force_generic_plan', chosen: 'plan_cache_mode = auto' } as const

const BEGIN = 'begin isolation level repeatable read read only'

const inSnapshot = async <T>(client: Lent, work: () => Promise<T>): Promise<T> => {
  const begun = awaitedLater(client.command(BEGIN))
  try {
    const answer = await work()
    await begun
    // Nobody waits for the end of a snapshot. It fails only with the connection, and then the next statement fails as well.
    client.command('commit', true).catch(() => {})
    return answer
  } catch (error) {
    // If the transaction cannot be ended, no other caller may use the connection.
    await client.command('rollback').catch((failure: Error) => {
      client.unsound ??= failure
    })
    throw error
  }
}

export const createReader = (
  connection: ClientConfig,
  { connections, statementTimeout = STATEMENT_TIMEOUT, slow, life = LIFE_MS }: ReaderOptions,
): Reader => {
  const open = createConnections(connection, connections, statementTimeout, life)

  /** Runs `work` with a connection. On abort, or if it has to make room, the connection is closed, so that the server cancels the running statement. */
  const withClient = async <T>(parent: AbortSignal, caller = '', work: (client: Lent) => Promise<T>): Promise<T> => {
    using own = joinAbort(parent)
    const { signal } = own
    using _permit = await open.permit(signal, caller, own.abort)
    const client = await open.acquire(signal)
    const onAbort = (): void => client.cut()
    signal.addEventListener('abort', onAbort, { once: true })
    let broken: Error | undefined
    try {
      // The caller may have aborted after the connection was acquired and before the listener was added.
      signal.throwIfAborted()
      return await work(client)
    } catch (error) {
      if (isConnectionLoss(error) || isStale(error)) broken = error as Error
      if (broken?.message === READ_TIMEOUT || isStale(error)) open.distrust()
      if (signal.aborted) throw signal.reason
      throw broken !== undefined && errorCode(client.ended) === RECOVERY ? client.ended : readError(error)
    } finally {
      signal.removeEventListener('abort', onAbort)
      if (signal.aborted) broken ??= new Error('its caller has left')
      client.release(broken ?? client.unsound)
    }
  }

  const ask = async <R>(client: Lent, query: Query<R>, planned: Planned = 'once'): Promise<R[]> => {
    const { sql: text, parameters } = 'compile' in query ? query.compile(builder) : query
    const send = () => client.send<R>(text, parameters, planned !== 'each')
    const rows = await tracedSql(text, () => (slow === undefined ? send() : timed(slow, text, send)))
    open.onAnswer()
    return rows
  }

  const snapshot = <T>(run: (rows: RunQuery) => Promise<T>, signal: AbortSignal, caller?: string): Promise<T> =>
    withClient(signal, caller, (client) => {
      let isOver = false
      let plans: keyof typeof PLANS = 'chosen'
      /** The error of the first statement that failed. Those after it say only that the transaction is aborted. */
      let firstError: unknown
      const noteError = (error: unknown): void => {
        firstError ??= error
      }
      const rows: RunQuery = <R>(query: Query<R>, planned?: Planned) => {
        // Rejects instead of throwing. If one of several statements in an expression threw, the promises of those before it would never be awaited.
        if (signal.aborted) return Promise.reject(signal.reason)
        // After the snapshot the connection may belong to another caller.
        if (isOver) return Promise.reject(new Error('the snapshot has ended'))
        const plan = client.mayKeepPlans && planned === 'generic' ? 'generic' : 'chosen'
        if (plan !== plans) {
          plans = plan
          client.command(`set local ${PLANS[plan]}`).catch(noteError)
        }
        const rows = ask<R>(client, query, planned)
        rows.catch(noteError)
        return rows
      }
      return inSnapshot(client, () =>
        run(rows)
          .catch((error: unknown) => {
            throw errorCode(error) === ABORTED ? firstError : error
          })
          .finally(() => {
            isOver = true
          }),
      )
    })

  const alone = <R>(query: Query<R>, signal: AbortSignal, caller: string): Promise<R[]> =>
    retried(() => withClient(signal, caller, (client) => ask(client, query)))
  const together = createSharedConnections(withClient, ask, alone)

  return {
    rows: (query, signal, isShort = false, client = '') => (isShort ? together : alone)(query, signal, client),
    answered: open.answered,
    load: open.load,
    snapshot: (run, signal, client) => retried(() => snapshot(run, signal, client)),
    close: open.close,
  }
}
