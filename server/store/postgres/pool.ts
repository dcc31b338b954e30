import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { type ClientConfig, Pool, type PoolClient } from 'pg'
import { TonError } from '../../../shared/errors.ts'
import type { HeadPlace } from '../replicas/floor.ts'
import type { IndexPlace } from '../schema/head.ts'
import type { Tables } from '../schema/tables.ts'
import { CANCEL_MS, cancelBackend, cut, innerOf, KEEP_ALIVE, sendTogether } from './driver-extras.ts'
import { databaseFault, errorCode, NOT_IN_TIME, POOL_TIMEOUT, READ_ONLY, READ_TIMEOUT, TOO_MANY_CONNECTIONS } from './faults.ts'
import { createLazyCommits, type LazyCommits } from './lazy-commits.ts'
import { createNames } from './names.ts'
import { createReadQueries } from './read-query.ts'
import { type SlowQueries, timed } from './slow-statements.ts'

/** A statement of kysely's builder, compiled or not. */
export interface Compilable<R> {
  compile(): CompiledQuery<R>
}

/** Milliseconds that a statement of a caller may take. */
const STATEMENT_TIMEOUT = 10_000

export interface ReaderOptions {
  /** Largest number of connections. */
  readonly connections: number
  /** Milliseconds after which the server cancels a statement, STATEMENT_TIMEOUT by default. */
  readonly statementTimeout?: number
  readonly slow?: SlowQueries | undefined
  /** Milliseconds after which a connection makes new plans for its statements; for tests. */
  readonly replan?: number
}

/** Reads: pooled connections, named statements, statements cancelled with their caller. */
export interface Reader {
  /** Builds statements; it has no connection of its own. */
  readonly sql: Kysely<Tables>
  /** Runs one statement. Rejects with the signal's reason when aborted (the statement is cancelled too), SOURCE_TIMEOUT after the statement timeout, UNAVAILABLE when the database is away. */
  rows<R>(query: Compilable<R> | CompiledQuery<R>, signal: AbortSignal): Promise<R[]>
  /**
   * Runs statements on one connection within one read-only snapshot: what they see is of one moment. Statements that are not awaited in between go
   * together. `run` is called again if a standby cancelled it, or if another replica has to answer. `known` is the same for all snapshots of one server.
   */
  snapshot<T>(run: (rows: Ask, known?: KnownHead) => Promise<T>, signal: AbortSignal): Promise<T>
  /** Takes the head that a snapshot sees. Throws BehindError if an earlier answer was of a newer one. */
  readonly admit?: ((place: HeadPlace) => void) | undefined
  /** When a statement was last answered (performance.now()). A reader whose database can come and go has no such time. */
  answered?(): number
  close(): Promise<void>
}

/** What the last snapshot of a server saw of the index. The next one most often sees the same. */
export interface KnownHead {
  seen?: { readonly place: IndexPlace; readonly memory: Map<string, unknown> }
}

/** Runs one statement of a snapshot. `each`: the statement is planned for its parameters each time, because no single plan fits all of them. */
export type Ask = <R>(query: Compilable<R> | CompiledQuery<R>, planned?: 'once' | 'each') => Promise<R[]>

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

/** Statements that are prepared on a connection. */
const MOST_NAMES = 400
/** Milliseconds that an answer may take beyond the statement's time before its connection counts as lost. */
const SLACK = 2_000
/** Milliseconds that a caller waits for a connection. */
const CONNECT_MS = 5_000

const isCompiled = <R>(query: Compilable<R> | CompiledQuery<R>): query is CompiledQuery<R> => 'sql' in query

/**
 * SQLSTATEs of a connection or a server that is gone or going; 08P01, a violation of the protocol, is a fault of ours. 55000 is a database whose
 * administrator lets nobody in (`allow_connections false`).
 */
const AWAY: ReadonlySet<string> = new Set([
  '55000',
  ...['08000', '08001', '08003', '08004', '08006', '08007'],
  ...['57P01', '57P02', '57P03', '57P04', '57P05'],
])
/** Whether the connection or the server is gone, rather than the statement wrong. */
export const isConnectionLoss = (error: unknown): boolean => {
  const code = errorCode(error)
  if (AWAY.has(code) || code === TOO_MANY_CONNECTIONS || /^(E(CONN|PIPE|NOENT|TIMEDOUT)|ECONNRESET)/.test(code)) return true
  if (!(error instanceof Error)) return false
  const { message } = error
  return (
    message === READ_TIMEOUT ||
    /Connection terminated|timeout exceeded when trying to connect|connection (timeout|error)|not queryable/i.test(message)
  )
}

/** The error that callers get for a failed read: what the database lacks, and for callers on this machine the database's own text. */
const translate = (error: unknown): unknown => {
  if (errorCode(error) === '57014') return new TonError('SOURCE_TIMEOUT', NOT_IN_TIME, { cause: error })
  const fault = databaseFault(error)
  // Only a fault of ours makes a reader write.
  if (fault === undefined || errorCode(error) === READ_ONLY) return error
  const detail = error instanceof Error && error.message !== '' ? error.message : undefined
  return new TonError('UNAVAILABLE', fault, { cause: error, retryAfter: 1, detail })
}

/**
 * PostgreSQL plans a prepared statement once for each connection, maybe while a table is still small. A plan that reads the whole table would stay when the
 * table has grown. Our tables are always read by their indexes, and no statement is worth compiling (JIT).
 */
const PLANNING = 'set enable_seqscan = off; set random_page_cost = 1.1; set jit = off'
/** A plan can also read a whole index. So from time to time new plans are made for the tables as they are then. */
const REPLAN_MS = 60_000

/** A standby cancels a read that is in the way of the changes that it replays. No other server does so to a read-only transaction. */
const RECOVERY = '40001'
const RECOVERY_TRIES = 3

/** Runs a read again if a standby cancelled it. */
const unlessRecovered = async <T>(read: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await read()
    } catch (error) {
      const cause = error instanceof TonError ? error.cause : error
      if (errorCode(cause) !== RECOVERY) throw error
      if (tries === RECOVERY_TRIES)
        throw new TonError('UNAVAILABLE', 'the replica cancelled the read, because changes that it replays were in the way', {
          retryAfter: 1,
          cause: error,
        })
    }
  }
}

/** What the pool knows about a connection. */
interface Known {
  readonly nameOf: (text: string) => string
  /** Runs a named statement. */
  readonly run: ReturnType<typeof createReadQueries>
  readonly since: number
  planned: number
  /** Why the server ended it. A statement that comes later only learns that it has ended. */
  ended?: unknown
}

/** The pool, with what it knows about each of its connections. */
const openPool = (
  connection: ClientConfig,
  { connections, statementTimeout }: Required<Pick<ReaderOptions, 'connections' | 'statementTimeout'>>,
): { readonly pool: Pool; readonly known: WeakMap<PoolClient, Known> } => {
  const pool = new Pool({
    ...connection,
    max: connections,
    statement_timeout: statementTimeout,
    // The server's own limit does not help if its answers do not arrive.
    query_timeout: statementTimeout + SLACK,
    ...KEEP_ALIVE,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 30_000,
    application_name: 'tonway',
    allowExitOnIdle: true,
    // Statements are sent without waiting for the answers of those before them.
    pipeline: true,
  })
  // A connection that dies while idle is replaced by the pool.
  pool.on('error', () => {})
  const known = new WeakMap<PoolClient, Known>()
  pool.on('connect', (client) => {
    const since = performance.now()
    known.set(client, { nameOf: createNames(client, MOST_NAMES), run: createReadQueries(client, MOST_NAMES), since, planned: since })
    // A connection that is lost while in use reports it nowhere else: its statements reject, now or when they are sent.
    client.on('error', (error) => {
      known.get(client)!.ended ??= error
    })
    client.query(PLANNING).catch(() => {})
  })
  return { pool, known }
}

const allBusy = (connections: number): TonError =>
  new TonError('UNAVAILABLE', `all ${connections} connections to the database are busy`, { retryAfter: 1 })

/** Runs `work` within a read-only snapshot of one moment. */
const inSnapshot = async <T>(client: PoolClient, commits: LazyCommits, work: () => Promise<T>): Promise<T> => {
  const begun = client.query(`${commits.take(client) ? 'commit; ' : ''}begin isolation level repeatable read read only`)
  begun.catch(() => {})
  try {
    const answer = await work()
    await begun
    commits.later(client)
    return answer
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

export const createReader = (
  connection: ClientConfig,
  { connections, statementTimeout = STATEMENT_TIMEOUT, slow, replan = REPLAN_MS }: ReaderOptions,
): Reader => {
  const { pool, known } = openPool(connection, { connections, statementTimeout })
  /** When a connection was last found to be silent. Connections that are older may be silent too. */
  let silence = 0
  const trusted = async (): Promise<PoolClient> => {
    for (;;) {
      const client = await pool.connect()
      const of = known.get(client)!
      if (of.since < silence) {
        cut(client)
        client.release(true)
        continue
      }
      const now = performance.now()
      if (now - of.planned > replan) {
        of.planned = now
        client.query('discard plans').catch(() => {})
      }
      return client
    }
  }

  const commits = createLazyCommits()
  /** When a statement was last answered. */
  let answered = performance.now()
  /** Whether no connection was free because all of them are busy, and not because the server is silent. */
  const isBusy = (error: unknown): boolean =>
    error instanceof Error && error.message === POOL_TIMEOUT && performance.now() - answered < CONNECT_MS

  /** A connection of the pool; one that comes after its caller has gone is given back. */
  const acquire = (signal: AbortSignal): Promise<PoolClient> => {
    signal.throwIfAborted()
    const coming = trusted()
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        coming.then((client) => client.release()).catch(() => {})
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      coming.then(
        (client) => {
          signal.removeEventListener('abort', leave)
          if (!signal.aborted) resolve(client)
        },
        (error) => {
          signal.removeEventListener('abort', leave)
          reject(isBusy(error) ? allBusy(connections) : translate(error))
        },
      )
    })
  }

  /**
   * Runs `work` with a connection. On abort the running statement is cancelled, and the connection goes back to the pool only when that is settled. A
   * connection that does not settle soon is closed.
   */
  const withClient = async <T>(signal: AbortSignal, work: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await acquire(signal)
    sendTogether(client)
    let cancelling: Promise<boolean> | undefined
    let patience: NodeJS.Timeout | undefined
    const onAbort = (): void => {
      cancelling = cancelBackend(connection, innerOf(client).processID)
      patience = setTimeout(() => {
        silence = performance.now()
        cut(client)
      }, CANCEL_MS)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    let broken: Error | undefined
    try {
      return await work(client)
    } catch (error) {
      if (isConnectionLoss(error)) broken = error as Error
      if (broken?.message === READ_TIMEOUT) silence = performance.now()
      if (signal.aborted) throw signal.reason
      const { ended } = known.get(client)!
      throw broken !== undefined && errorCode(ended) === RECOVERY ? ended : translate(error)
    } finally {
      signal.removeEventListener('abort', onAbort)
      clearTimeout(patience)
      // A cancel request that may still arrive must not hit the next statement.
      if ((await cancelling) === false) broken ??= new Error('the cancel was not answered')
      client.release(broken)
    }
  }

  const ask = async <R>(client: PoolClient, query: Compilable<R> | CompiledQuery<R>, planned: 'once' | 'each' = 'once'): Promise<R[]> => {
    const { sql: text, parameters } = isCompiled(query) ? query : query.compile()
    sendTogether(client)
    const name = planned === 'each' ? undefined : known.get(client)!.nameOf(text)
    const values = parameters as unknown[]
    const result = await timed(slow, text, () =>
      name === undefined ? client.query({ text, values }) : known.get(client)!.run(name, text, values),
    )
    answered = performance.now()
    return (result as unknown as QueryResult<R>).rows
  }

  const knownHead: KnownHead = {}
  const snapshot = <T>(run: (rows: Ask, known?: KnownHead) => Promise<T>, signal: AbortSignal): Promise<T> =>
    withClient(signal, (client) =>
      inSnapshot(client, commits, () =>
        run((query, planned) => {
          signal.throwIfAborted()
          return ask(client, query, planned)
        }, knownHead),
      ),
    )

  return {
    sql: createBuilder(),
    rows: (query, signal) =>
      unlessRecovered(() =>
        withClient(signal, (client) => {
          if (commits.take(client)) client.query('commit').catch(() => {})
          return ask(client, query)
        }),
      ),
    answered: () => answered,
    snapshot: (run, signal) => unlessRecovered(() => snapshot(run, signal)),
    close: () => pool.end(),
  }
}
