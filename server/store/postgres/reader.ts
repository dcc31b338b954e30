import { type CompiledQuery, DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { ClientConfig } from 'pg'
import type { PoolFigures } from '../../metrics/figures.ts'
import type { PresentHead } from '../head/head-in-memory.ts'
import type { ChainPosition } from '../replicas/floor.ts'
import type { IndexHead } from '../schema/head.ts'
import type { Tables } from '../schema/tables.ts'
import { createConnections, type Lent, readError } from './connection-pool.ts'
import { errorCode, isConnectionLoss, READ_TIMEOUT } from './faults.ts'
import type { LazyCommits } from './late-snapshot-ends.ts'
import { isStale, RECOVERY, retried } from './retried.ts'
import { createSharedSnapshots } from './shared-snapshots.ts'
import { type SlowQueries, timed, tracedSql } from './slow-statements.ts'

/** A statement of kysely's builder, compiled or not. */
export interface Compilable<R> {
  compile(): CompiledQuery<R>
}

/**
 * A statement for whose values one plan is right. PostgreSQL assumes ten values for a list whose length it does not know, so it would plan each run of a
 * shorter list again.
 */
export interface GenericPlan {
  readonly isGenericPlan: true
}

/** Milliseconds that a statement of a caller may take. */
const STATEMENT_TIMEOUT = 10_000

export interface ReaderOptions {
  /** Largest number of connections. */
  readonly connections: number
  /** Milliseconds after which the server cancels a statement, STATEMENT_TIMEOUT by default. */
  readonly statementTimeout?: number
  readonly slow?: SlowQueries | undefined
  /** Milliseconds for which a connection is used, LIFE_MS by default; for tests. */
  readonly life?: number
}

/** Reads: pooled connections, named statements, statements cancelled with their caller. */
export interface Reader {
  /** Builds statements; it has no connection of its own. */
  readonly sql: Kysely<Tables>
  /** Runs one statement. Rejects with the signal's reason when aborted (the statement is cancelled too), SOURCE_TIMEOUT after the statement timeout, UNAVAILABLE when the database is away. */
  rows<R>(query: Compilable<R> | CompiledQuery<R>, signal: AbortSignal): Promise<R[]>
  /**
   * Runs statements on one connection within one read-only snapshot: what they see is of one moment. Statements that are not awaited in between go
   * together. `run` is called again if a standby cancelled it, or if another replica has to answer. `lastHead` is the same for all snapshots of one
   * server. `isShort`: its statements are short ones, so it may share a snapshot with other calls of the same turn of the event loop.
   *
   * A Citus cluster has no snapshot of all its nodes: there each node sees a moment of its own, and the caller finds out by itself whether the index was changed meanwhile.
   */
  snapshot<T>(run: (rows: RunQuery, lastHead?: RememberedHead) => Promise<T>, signal: AbortSignal, isShort?: boolean): Promise<T>
  /** Takes the head that a snapshot sees. Throws BehindError if an earlier answer was of a newer one. */
  readonly admit?: ((place: ChainPosition) => void) | undefined
  /** The published head as its writer publishes it; undefined if it has to be read each time. */
  readonly head?: PresentHead | undefined
  /** When a statement was last answered (performance.now()). A reader whose database can come and go has no such time. */
  answered?(): number
  /** How busy its connections are. A reader over several servers has none of its own. */
  load?(): PoolFigures
  close(): Promise<void>
}

/** What the last snapshot of a server saw of the index. The next one most often sees the same. */
export interface RememberedHead {
  seen?: { readonly place: IndexHead; readonly memory: Map<string, unknown> }
}

/** Runs one statement of a snapshot. `each`: the statement is planned for its parameters each time, because no single plan fits all of them. */
export type RunQuery = <R>(query: Compilable<R> | CompiledQuery<R>, planned?: 'once' | 'each') => Promise<R[]>

/** A kysely that only builds. */
export const createBuilder = (): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })

/** Milliseconds for which a connection is used: its plans were made for the tables as they were then. */
const LIFE_MS = 60_000

const isGenericPlan = (query: object): boolean => 'isGenericPlan' in query

/** One plan for all values, or PostgreSQL's own choice, for the rest of a snapshot. */
const PLANS = { generic: 'plan_cache_mode = force_generic_plan', chosen: 'plan_cache_mode = auto' } as const

const isCompiled = <R>(query: Compilable<R> | CompiledQuery<R>): query is CompiledQuery<R> => 'sql' in query

/** Ends the transaction of a connection. One that cannot be ended must not meet the next caller. */
const end = async (client: Lent, how: 'commit' | 'rollback'): Promise<void> => {
  await client.send(how, [], true).catch((error: Error) => {
    client.unsound ??= error
  })
}

const BEGIN = 'begin isolation level repeatable read read only'

/** Runs `work` within a read-only snapshot of one moment. */
const inSnapshot = async <T>(client: Lent, commits: LazyCommits, work: () => Promise<T>): Promise<T> => {
  if (commits.take(client)) void end(client, 'commit')
  const begun = client.send(BEGIN, [], true)
  begun.catch(() => {})
  try {
    const answer = await work()
    await begun
    commits.later(client)
    return answer
  } catch (error) {
    await end(client, 'rollback')
    throw error
  }
}

export const createReader = (
  connection: ClientConfig,
  { connections, statementTimeout = STATEMENT_TIMEOUT, slow, life = LIFE_MS }: ReaderOptions,
): Reader => {
  const open = createConnections(connection, { connections, statementTimeout, life })
  const { commits } = open

  /** Runs `work` with a connection. On abort the connection is closed, and the server ends what runs there. */
  const withClient = async <T>(signal: AbortSignal, work: (client: Lent) => Promise<T>): Promise<T> => {
    const client = await open.acquire(signal)
    const onAbort = (): void => client.cut()
    signal.addEventListener('abort', onAbort, { once: true })
    let broken: Error | undefined
    try {
      // Between the place in the pool and the listener the caller may have left.
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

  const ask = async <R>(client: Lent, query: Compilable<R> | CompiledQuery<R>, planned: 'once' | 'each' = 'once'): Promise<R[]> => {
    const { sql: text, parameters } = isCompiled(query) ? query : query.compile()
    const rows = await tracedSql(text, () => timed(slow, text, () => client.send<R>(text, parameters, planned === 'once')))
    open.onAnswer()
    return rows
  }

  const rememberedHead: RememberedHead = {}
  const snapshot = <T>(run: (rows: RunQuery, lastHead?: RememberedHead) => Promise<T>, signal: AbortSignal): Promise<T> =>
    withClient(signal, (client) => {
      let isOver = false
      let plans: keyof typeof PLANS = 'chosen'
      const rows: RunQuery = (query, planned) => {
        // Never thrown: where several statements are begun in one expression, nobody would await the promises of those before this one.
        if (signal.aborted) return Promise.reject(signal.reason)
        // The connection may be another caller's by now.
        if (isOver) return Promise.reject(new Error('the snapshot has ended'))
        const plan = client.mayKeepPlans && planned !== 'each' && isGenericPlan(query) ? 'generic' : 'chosen'
        if (plan !== plans) {
          plans = plan
          client.send(`set local ${PLANS[plan]}`, [], true).catch(() => {})
        }
        return ask(client, query, planned)
      }
      return inSnapshot(client, commits, () =>
        run(rows, rememberedHead).finally(() => {
          isOver = true
        }),
      )
    })

  const alone: Reader['snapshot'] = (run, signal) => retried(() => snapshot(run, signal))
  const together = createSharedSnapshots(snapshot, alone)

  return {
    sql: createBuilder(),
    rows: (query, signal) =>
      retried(() =>
        withClient(signal, (client) => {
          if (commits.take(client)) void end(client, 'commit')
          return ask(client, query)
        }),
      ),
    answered: open.answered,
    load: open.load,
    snapshot: (run, signal, isShort = false) => (isShort ? together : alone)(run, signal),
    close: open.close,
  }
}
