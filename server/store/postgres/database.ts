import { Client, type ClientConfig } from 'pg'
import { connectionsFor } from './connections.ts'
import { type EmbeddedServer, startEmbedded } from './embedded/server.ts'
import { cut } from './wire.ts'

/** One database of the process's PostgreSQL. */
export interface OpenDatabase {
  readonly connection: ClientConfig
  /** `embedded`, or the host of DATABASE_URL; for people. */
  readonly what: string
  /** Resolves with a text when the embedded server ends although nobody asked for it. */
  readonly lost: Promise<string>
}

/** The PostgreSQL of a process: yours, or the embedded one, which is started when it is first asked for and again when it was lost. */
export interface Database {
  /** A database on it, made where it is missing; `suffix` undefined: that of DATABASE_URL, or the embedded one's own. */
  open(suffix: string | undefined, signal: AbortSignal | undefined): Promise<OpenDatabase>
  /** Ends the embedded server; whoever is connected loses it. */
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Yours, as postgres://user:password@host/database; undefined: the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined
  /** Where the embedded one is kept; undefined: nowhere. */
  readonly dataDir: string | undefined
  /** Processes that serve, and the networks that they serve, of which each has a database. */
  readonly workers?: number
  readonly network?: readonly string[]
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** `postgres://me:password@/database?host=/run/postgresql` is PostgreSQL's form for a socket; a URL proper has a host. */
const NO_HOST = '___socket___'
const parseUrl = (text: string): URL => new URL(text.replace('@/', `@${NO_HOST}/`))

const withDatabase = (connection: ClientConfig, database: string): ClientConfig => {
  if (connection.connectionString === undefined) return { ...connection, database }
  const url = parseUrl(connection.connectionString)
  url.pathname = `/${encodeURIComponent(database)}`
  return { connectionString: url.href.replace(NO_HOST, '') }
}

/** The database `<name>_<suffix>` beside the one of a connection. */
const besideOf = async (connection: ClientConfig, suffix: string, signal: AbortSignal | undefined): Promise<ClientConfig> => {
  signal?.throwIfAborted()
  const client = new Client({ ...connection, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  const abandon = (): void => cut(client)
  signal?.addEventListener('abort', abandon, { once: true })
  try {
    await client.connect()
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    const name = `${rows[0]!.name}_${suffix}`
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0)
      await client.query(`create database ${quoted(name)}`).catch((error: Error & { code?: string }) => {
        // Another process may have made it this moment.
        if (error.code !== '42P04' && error.code !== '23505') throw error
      })
    return withDatabase(connection, name)
  } catch (error) {
    throw signal?.aborted ? signal.reason : error
  } finally {
    signal?.removeEventListener('abort', abandon)
    await client.end().catch(() => {})
  }
}

/** Connection settings of a URL; throws with a text for people, without the password. */
const fromUrl = (url: string): { readonly connection: ClientConfig; readonly what: string } => {
  let parsed: URL
  try {
    parsed = parseUrl(url)
  } catch {
    throw new Error('DATABASE_URL is no URL; it looks like postgres://user:password@host:5432/database')
  }
  if (!/^postgres(ql)?:$/.test(parsed.protocol)) throw new Error(`DATABASE_URL begins with ${parsed.protocol}, not with postgres:`)
  return { connection: { connectionString: url }, what: parsed.host.replace(NO_HOST, '') || 'local socket' }
}

const NEVER = new Promise<never>(() => {})

/** Ends with the reason of a signal, if that comes first. */
const orAborted = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal?.reason)
    if (signal?.aborted) return abort()
    signal?.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', abort))
  })

export const createDatabase = ({ databaseUrl, dataDir, workers = 1, network = [''] }: DatabaseOptions): Database => {
  const stop = new AbortController()
  let embedded: Promise<EmbeddedServer> | undefined

  const server = (): Promise<EmbeddedServer> => {
    if (embedded) return embedded
    stop.signal.throwIfAborted()
    const starting = startEmbedded({ dataDir, connections: connectionsFor(workers, network.length), signal: stop.signal })
    const forget = (): void => {
      if (embedded === starting) embedded = undefined
    }
    // What was lost is let go of first: the next one takes its place.
    starting.then(async (started) => {
      await started.lost
      // Forgotten first: whoever comes now starts another one.
      forget()
      await started.close().catch(() => {})
    }, forget)
    embedded = starting
    return starting
  }

  const base = async (signal: AbortSignal | undefined): Promise<OpenDatabase> => {
    if (databaseUrl !== undefined) return { ...fromUrl(databaseUrl), lost: NEVER }
    const { connection, lost } = await orAborted(server(), signal)
    return { connection, what: 'embedded', lost }
  }

  return {
    async open(suffix, signal) {
      const { connection, what, lost } = await base(signal)
      return { connection: suffix === undefined ? connection : await besideOf(connection, suffix, signal), what, lost }
    },
    async close() {
      stop.abort(new Error('the database is closed'))
      const started = await embedded?.catch(() => undefined)
      await started?.close()
    },
  }
}
