import { createHash } from 'node:crypto'
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { Client, type ClientConfig, Pool, type PoolClient } from 'pg'
import { TonError } from '../../shared/errors.ts'
import { type SlowQueries, watched } from './slow.ts'
import type { Tables } from './tables.ts'

/** What readers ask: a statement of kysely's builder, compiled or not. */
export interface Compilable<R> {
  compile(): CompiledQuery<R>
}

export interface ReaderOptions {
  /** Connections at most. */
  readonly connections: number
  /** Milliseconds after which the server gives a statement up. */
  readonly statementTimeout: number
  readonly slow?: SlowQueries | undefined
}

/** Reads: pooled connections, named statements, statements cancelled with their caller. */
export interface Reader {
  /** Builds statements; it has no connection of its own. */
  readonly sql: Kysely<Tables>
  /** Runs one statement. Rejects with the signal's reason when aborted (the statement is cancelled too), SOURCE_TIMEOUT after the statement timeout, UNAVAILABLE when the database is away. */
  rows<R>(query: Compilable<R> | CompiledQuery<R>, signal: AbortSignal): Promise<R[]>
  /** Runs statements on one connection within one read-only snapshot: what they see is of one moment. Statements that are not awaited in between go together. */
  snapshot<T>(run: (rows: Ask) => Promise<T>, signal: AbortSignal): Promise<T>
  /** Told of tokens whose data off the chain is not here yet; set by whoever fetches it. */
  want?: (token: Buffer) => void
  close(): Promise<void>
}

/** Runs one statement of a snapshot. `each`: planned anew for its parameters, where one plan does not fit all of them. */
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

/** Texts that are prepared once a connection; further ones are sent whole, so that a connection never keeps more. */
const MOST_NAMES = 400

const createNames = (): ((text: string) => string | undefined) => {
  const names = new Map<string, string>()
  return (text) => {
    let name = names.get(text)
    if (name === undefined && names.size < MOST_NAMES) {
      name = createHash('sha1').update(text).digest('base64url')
      names.set(text, name)
    }
    return name
  }
}

const isCompiled = <R>(query: Compilable<R> | CompiledQuery<R>): query is CompiledQuery<R> => 'sql' in query

/** SQLSTATE of PostgreSQL, or the system's code of a lost connection. */
export const errorCode = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '')

/** Whether the connection or the server is gone, rather than the statement wrong. */
export const isConnectionLoss = (error: unknown): boolean => {
  const code = errorCode(error)
  if (/^(08|57P0[1-5]|53300)/.test(code) || /^(E(CONN|PIPE|NOENT|TIMEDOUT)|ECONNRESET)/.test(code)) return true
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|connection (timeout|error)|not queryable/i.test(error.message)
  )
}

const translate = (error: unknown): unknown => {
  if (errorCode(error) === '57014') return new TonError('SOURCE_TIMEOUT', 'the database did not answer in time', { cause: error })
  if (isConnectionLoss(error))
    return new TonError('UNAVAILABLE', 'the index is not reachable at the moment', { cause: error, retryAfter: 1 })
  return error
}

export const createReader = (connection: ClientConfig, { connections, statementTimeout, slow }: ReaderOptions): Reader => {
  const pool = new Pool({
    ...connection,
    max: connections,
    statement_timeout: statementTimeout,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    application_name: 'tonway',
    allowExitOnIdle: true,
    // Statements are sent without waiting for the answers of those before them.
    pipeline: true,
  })
  // A connection that dies while idle is replaced by the pool.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    // One that is lost while it is held says so to nobody else: its statements reject, now or when they are sent.
    client.on('error', () => {})
    // A server of yours plans as the embedded one does: our tables are read by their indexes, and no statement is worth compiling.
    client.query('set random_page_cost = 1.1; set jit = off').catch(() => {})
  })
  const nameOf = createNames()

  const cancel = async (pid: number): Promise<void> => {
    const side = new Client({ ...connection, connectionTimeoutMillis: 2_000 })
    side.on('error', () => {})
    try {
      await side.connect()
      await side.query('select pg_cancel_backend($1)', [pid])
    } catch {
      // The statement then ends by its timeout.
    } finally {
      await side.end().catch(() => {})
    }
  }

  /** A connection of the pool; one that comes after its caller has gone is given back. */
  const acquire = (signal: AbortSignal): Promise<PoolClient> => {
    signal.throwIfAborted()
    const coming = pool.connect()
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
          reject(translate(error))
        },
      )
    })
  }

  /** Runs `work` with a connection; on abort what it runs is cancelled, and the connection is given back only after that is settled. */
  const withClient = async <T>(signal: AbortSignal, work: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await acquire(signal)
    let cancelling: Promise<void> | undefined
    const onAbort = (): void => {
      cancelling = cancel((client as unknown as { processID: number }).processID)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    let broken: Error | undefined
    try {
      return await work(client)
    } catch (error) {
      if (isConnectionLoss(error)) broken = error as Error
      if (signal.aborted) throw signal.reason
      throw translate(error)
    } finally {
      signal.removeEventListener('abort', onAbort)
      await cancelling
      client.release(broken)
    }
  }

  const ask = async <R>(client: PoolClient, query: Compilable<R> | CompiledQuery<R>, planned: 'once' | 'each' = 'once'): Promise<R[]> => {
    const { sql: text, parameters } = isCompiled(query) ? query : query.compile()
    const name = planned === 'each' ? undefined : nameOf(text)
    const result = await watched(slow, text, () =>
      client.query({ text, values: parameters as unknown[], ...(name !== undefined && { name }) }),
    )
    return (result as unknown as QueryResult<R>).rows
  }

  return {
    sql: createBuilder(),
    rows: (query, signal) => withClient(signal, (client) => ask(client, query)),
    snapshot: (run, signal) =>
      withClient(signal, async (client) => {
        const begun = client.query('begin isolation level repeatable read read only')
        begun.catch(() => {})
        try {
          const answer = await run((query, planned) => {
            signal.throwIfAborted()
            return ask(client, query, planned)
          })
          await begun
          // Nobody waits for the end of what only reads: the connection's next statement comes after it.
          client.query('commit').catch(() => {})
          return answer
        } catch (error) {
          await client.query('rollback').catch(() => {})
          throw error
        }
      }),
    close: () => pool.end(),
  }
}
