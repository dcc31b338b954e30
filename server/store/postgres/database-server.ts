import type { ClientConfig } from 'pg'
import { untilAborted } from '../../base/abort.ts'
import { connectionsFor } from './connection-budget.ts'
import type { EmbeddedServer } from './embedded/server.ts'

/** One database of the process's PostgreSQL. */
export interface OpenDatabase {
  readonly connection: ClientConfig
  /** `embedded`, or the host of DATABASE_URL, for logs. */
  readonly what: string
  /** Resolves with a text if the embedded server ends by itself. */
  readonly lost: Promise<string>
}

/** The PostgreSQL of a process: the operator's, or the embedded one, which is started on first use and again after it was lost. */
export interface Database {
  /** Opens a database and creates it if it is missing. Without `suffix` it is the one of DATABASE_URL, or the embedded server's main one. */
  open(suffix: string | undefined, signal: AbortSignal | undefined): Promise<OpenDatabase>
  /** Ends the embedded server and all connections to it. */
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** The operator's server, as postgres://user:password@host/database. Undefined means the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined
  /** Directory of the embedded one. Undefined means that it is temporary. */
  readonly dataDir: string | undefined
  /** The networks. Each has a database. */
  readonly network?: readonly string[]
}

/** Accepts `postgres://me:password@/database?host=/run/postgresql`, PostgreSQL's form for a socket, which is not a valid URL because it has no host. */
const NO_HOST = '___socket___'
const parseUrl = (text: string): URL => new URL(text.replace('@/', `@${NO_HOST}/`))

/** The same server, another database. */
export const withDatabase = (connection: ClientConfig, database: string): ClientConfig => {
  if (connection.connectionString === undefined) return { ...connection, database }
  const url = parseUrl(connection.connectionString)
  url.pathname = `/${encodeURIComponent(database)}`
  return { connectionString: url.href.replace(NO_HOST, '') }
}

/** Connection settings of a URL. Throws with a readable text that does not contain the password. `setting`: where the URL is from. */
export const fromUrl = (url: string, setting = 'DATABASE_URL'): { readonly connection: ClientConfig; readonly what: string } => {
  let parsed: URL
  try {
    parsed = parseUrl(url)
  } catch {
    throw new Error(`${setting} is no URL; it looks like postgres://user:password@host:5432/database`)
  }
  if (!/^postgres(ql)?:$/.test(parsed.protocol)) throw new Error(`${setting} begins with ${parsed.protocol}, not with postgres:`)
  return { connection: { connectionString: url }, what: parsed.host.replace(NO_HOST, '') || 'local socket' }
}

const NEVER = new Promise<never>(() => {})

/** The code that speaks to PostgreSQL is loaded when a database is opened. */
export const createDatabase = ({ databaseUrl, dataDir, network = [''] }: DatabaseOptions): Database => {
  const stop = new AbortController()
  let embedded: Promise<EmbeddedServer> | undefined

  const server = (): Promise<EmbeddedServer> => {
    if (embedded) return embedded
    stop.signal.throwIfAborted()
    const starting = (async () => {
      const { startEmbedded } = await import('./embedded/server.ts')
      const tables = dataDir === undefined ? (await import('../migrate.ts')).INDEX_TABLES : undefined
      const connections = connectionsFor(1, network.length)
      return await startEmbedded({ dataDir, connections, tables, isAlone: network.length < 2, signal: stop.signal })
    })()
    const forget = (): void => {
      if (embedded === starting) embedded = undefined
    }
    // The lost server is closed first, because the next one uses its directory.
    starting.then(async (started) => {
      await started.lost
      // Cleared first, so that a call that comes now starts a new one.
      forget()
      await started.close().catch(() => {})
    }, forget)
    embedded = starting
    return starting
  }

  const base = async (signal: AbortSignal | undefined): Promise<OpenDatabase> => {
    if (databaseUrl !== undefined) return { ...fromUrl(databaseUrl), lost: NEVER }
    const { connection, lost } = await (signal ? untilAborted(server(), signal) : server())
    return { connection, what: 'embedded', lost }
  }

  return {
    async open(suffix, signal) {
      const { connection, what, lost } = await base(signal)
      if (suffix === undefined) return { connection, what, lost }
      const { makeDatabaseBeside } = await import('./database-beside.ts')
      return { connection: withDatabase(connection, await makeDatabaseBeside(connection, suffix, signal)), what, lost }
    },
    async close() {
      stop.abort(new Error('the database is closed'))
      const started = await embedded?.catch(() => undefined)
      await started?.close()
    },
  }
}
