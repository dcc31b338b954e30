import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ClientConfig } from 'pg'
import { untilAborted } from '../../base/abort.ts'
import { NO_HOST, parseDatabaseUrl } from '../../config/database-url.ts'
import { connectionsFor } from './connection-budget.ts'
import type { EmbeddedServer } from './embedded/server.ts'

export interface OpenDatabase {
  readonly connection: ClientConfig
  /** `embedded`, or the host of DATABASE_URL, for logs. */
  readonly what: string
  /** Resolves with a reason if the embedded server stops unexpectedly. */
  readonly lost: Promise<string>
}

/** The PostgreSQL server of a process: the operator's, or the embedded one. The embedded server is started on first use, and again after it was lost. */
export interface Database {
  /** Opens a database, and creates it if it is missing. Without `suffix` it is the database of DATABASE_URL, or the main one of the embedded server. */
  open(suffix: string | undefined, signal: AbortSignal | undefined): Promise<OpenDatabase>
  /** Opens a database. Returns undefined, instead of creating the database, if it does not exist. */
  find(suffix: string | undefined, signal: AbortSignal): Promise<OpenDatabase | undefined>
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** The operator's server, as postgres://user:password@host/database. Undefined: the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined
  /** Directory of the embedded server. Undefined: a temporary directory. */
  readonly dataDir: string | undefined
  readonly network?: readonly string[]
}

export const withDatabase = (connection: ClientConfig, database: string): ClientConfig => {
  if (connection.connectionString === undefined) return { ...connection, database }
  const url = parseDatabaseUrl(connection.connectionString)
  url.pathname = `/${encodeURIComponent(database)}`
  return { connectionString: url.href.replace(NO_HOST, '') }
}

/** `what`: the host of a URL of the settings, for logs. */
export const fromUrl = (url: string): { readonly connection: ClientConfig; readonly what: string } => ({
  connection: { connectionString: url },
  what: parseDatabaseUrl(url).host.replace(NO_HOST, '') || 'local socket',
})

const hasCluster = (dataDir: string | undefined): boolean =>
  dataDir !== undefined && existsSync(join(resolve(dataDir), 'postgres', 'cluster', 'PG_VERSION'))

const NEVER = new Promise<never>(() => {})

/** Imports the modules that connect to PostgreSQL only when a database is first opened. */
export const createDatabase = ({ databaseUrl, dataDir, network = [''] }: DatabaseOptions): Database => {
  const stop = new AbortController()
  let embedded: Promise<EmbeddedServer> | undefined

  const server = (): Promise<EmbeddedServer> => {
    if (embedded) return embedded
    stop.signal.throwIfAborted()
    const starting = (async () => {
      const { startEmbedded } = await import('./embedded/server.ts')
      return await startEmbedded({ dataDir, connections: connectionsFor(1, network.length), signal: stop.signal })
    })()
    const forget = (): void => {
      if (embedded === starting) embedded = undefined
    }
    // The lost server is closed before the next one starts, because both use the same directory.
    starting.then(async (started) => {
      await started.lost
      // `forget` runs before `close`, so that a call in between starts a new server.
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

  const openBeside = async (suffix: string | undefined, create: boolean, signal: AbortSignal | undefined) => {
    const main = await base(signal)
    if (suffix === undefined) return main
    const { databaseBeside } = await import('./database-beside.ts')
    const name = await databaseBeside(main.connection, suffix, create, signal)
    return name === undefined ? undefined : { ...main, connection: withDatabase(main.connection, name) }
  }

  return {
    open: async (suffix, signal) => (await openBeside(suffix, true, signal))!,
    find: async (suffix, signal) => (databaseUrl !== undefined || hasCluster(dataDir) ? openBeside(suffix, false, signal) : undefined),
    async close() {
      stop.abort(new Error('the database is closed'))
      const started = await embedded?.catch(() => undefined)
      await started?.close()
    },
  }
}
