import { type ClientConfig, Pool, type PoolClient } from 'pg'
import { TonError } from '../../../shared/errors.ts'
import { untilAborted } from '../../base/abort.ts'
import type { PoolFigures } from '../../metrics/figures.ts'
import { cut, KEEP_ALIVE } from './driver-extras.ts'
import { databaseFault, errorCode, NOT_IN_TIME, POOL_TIMEOUT, READ_ONLY } from './faults.ts'
import { createLazyCommits, type LazyCommits } from './lazy-commits.ts'
import { createReadSender, type SendRead } from './reads/read-batch.ts'
import { ReadClient } from './reads/read-message.ts'

/* The connections of a reader, and what is known about each of them. */

/** Statements that are prepared on a connection. */
const MOST_NAMES = 400
/** Milliseconds that an answer may take beyond the statement's time before its connection counts as lost. */
const SLACK = 2_000
/** Milliseconds that a caller waits for a connection. */
const CONNECT_MS = 5_000
/**
 * PostgreSQL plans a prepared statement once for each connection, maybe while a table is still small. A plan that reads the whole table would stay when the
 * table has grown. Our tables are always read by their indexes, and no statement is worth compiling (JIT).
 */
const PLANNING = 'set enable_seqscan = off; set random_page_cost = 1.1; set jit = off'
const IS_CITUS = `select from pg_extension where extname = 'citus'`

/** What is known about a connection. */
export interface Known {
  /** Runs a statement. */
  readonly send: SendRead
  /** Whether statements may be run by a plan for any values. Citus cannot: it needs the values to find their shards. */
  mayKeepPlans: boolean
  /** When it was opened (performance.now()), and when its statements were last planned anew. */
  readonly since: number
  planned: number
  /** Why the server ended it. A statement that comes later only learns that it has ended. */
  ended?: unknown
  /** Why it cannot serve another caller. */
  unsound?: Error
}

export interface Connections {
  /** How busy the pool is. */
  load(): PoolFigures
  /** A connection of the pool. Rejects with the signal's reason; UNAVAILABLE if none is free, or if the database is away. */
  acquire(signal: AbortSignal): Promise<PoolClient>
  knownOf(client: PoolClient): Known
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

/** The pool, with what is known about each of its connections. */
const openPool = (
  connection: ClientConfig,
  { connections, statementTimeout }: Pick<ConnectionsOptions, 'connections' | 'statementTimeout'>,
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
    Client: ReadClient,
  })
  // A connection that dies while idle is replaced by the pool.
  pool.on('error', () => {})
  const known = new WeakMap<PoolClient, Known>()
  pool.on('connect', (client) => {
    const since = performance.now()
    known.set(client, {
      send: createReadSender(client, MOST_NAMES, statementTimeout + SLACK),
      mayKeepPlans: false,
      since,
      planned: since,
    })
    // A connection that is lost while in use reports it nowhere else: its statements reject, now or when they are sent.
    client.on('error', (error) => {
      known.get(client)!.ended ??= error
    })
    client.query(PLANNING).catch(() => {})
    client
      .query(IS_CITUS)
      .then(({ rowCount }) => {
        known.get(client)!.mayKeepPlans = rowCount === 0
      })
      .catch(() => {})
  })
  return { pool, known }
}

interface ConnectionsOptions {
  /** Largest number of connections. */
  readonly connections: number
  /** Milliseconds after which the server cancels a statement. */
  readonly statementTimeout: number
  /** Milliseconds after which a connection makes new plans for its statements. */
  readonly replan: number
}

export const createConnections = (connection: ClientConfig, options: ConnectionsOptions): Connections => {
  const { pool, known } = openPool(connection, options)
  /** Connections that are older are not used again. */
  let distrusted = 0
  let answered = performance.now()
  /** Whether no connection was free because all of them are busy, and not because the server is silent. */
  const isBusy = (error: unknown): boolean =>
    error instanceof Error && error.message === POOL_TIMEOUT && performance.now() - answered < CONNECT_MS

  /** A connection of which nothing bad is known. */
  const trusted = async (): Promise<PoolClient> => {
    for (;;) {
      const client = await pool.connect()
      const of = known.get(client)!
      if (of.since < distrusted) {
        cut(client)
        client.release(true)
        continue
      }
      const now = performance.now()
      if (now - of.planned > options.replan) {
        of.planned = now
        client.query('discard plans').catch(() => {})
      }
      return client
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
    knownOf: (client) => known.get(client)!,
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
