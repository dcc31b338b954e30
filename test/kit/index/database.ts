import { randomUUID } from 'node:crypto'
import { Client, type ClientConfig } from 'pg'
import { withDerivedTables } from '../../../server/index/verify/schemas.ts'
import { migrate } from '../../../server/store/migrate.ts'
import { TABLES } from '../../../server/store/schema/tables.ts'
import {
  CITUS_URL,
  citusDatabase,
  citusNodes,
  copyCitusDatabase,
  createCitusDatabase,
  dropCitusDatabases,
  reopenCitusDatabase,
} from './citus.ts'
import { sharedServer, startEmpty } from './shared-server.ts'

/** A PostgreSQL with any number of databases of a test file. */
export interface TestServer {
  /** Creates a database: a copy of `template` (which must have no connections), by default one with our empty tables. */
  database(template?: string): Promise<ClientConfig & { readonly database: string }>
  /** Runs a statement as the owner, outside of any pool. */
  run<R>(connection: ClientConfig, text: string, values?: readonly unknown[]): Promise<R[]>
  readonly pid: number
  close(): Promise<void>
}

/** Number of statements with this text that a database of the server runs now. */
export const countActive = async (server: TestServer, database: ClientConfig, text: string): Promise<number> => {
  const rows = await server.run(
    database,
    `select from pg_stat_activity where datname = current_database() and state = 'active' and query like $1 and pid <> pg_backend_pid()`,
    [`%${text}%`],
  )
  return rows.length
}

/** A connection of the test server in the form of DATABASE_URL. A unix socket is in the place of the host. */
export const urlOf = ({ connectionString, host, user, password, database }: ClientConfig): string =>
  connectionString ?? `postgres://${user}:${String(password)}@${encodeURIComponent(host ?? '')}/${database}`

/**
 * Uses the Citus cluster of TONWAY_TEST_CITUS_URL (a database of its coordinator that has the extension), or else the server of DATABASE_URL, or else the
 * one that all files of a run share (`shared-server.ts`). Without any of them, starts the embedded one, which stores nothing permanently.
 */
export const startTestServer = async (): Promise<TestServer> => {
  return CITUS_URL === undefined ? startPlainServer() : startCitusServer(CITUS_URL)
}

/** SQLSTATE of what Citus cannot run, and what it says without one of a join. */
const NOT_SUPPORTED = '0A000'
const OF_A_JOIN = /requires repartitioning/

/** What a test asks by joins that the cluster refuses is asked at a copy of the tables on the coordinator. */
const runOnCluster: TestServer['run'] = async <R>(connection: ClientConfig, text: string, values?: readonly unknown[]): Promise<R[]> => {
  try {
    return await run<R>(connection, text, values)
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: unknown }
    if ((code !== NOT_SUPPORTED && !OF_A_JOIN.test(message)) || !/^\s*select\b/i.test(text)) throw error
    const tables = new Set(TABLES)
    return await withDerivedTables(
      connection,
      tables,
      (copy) => run<R>({ ...connection, options: `-c search_path=${copy},public` }, text, values),
      AbortSignal.timeout(600_000),
    )
  }
}

/** A database is copied on every node: one that is copied on the coordinator alone would find no shards. */
const startCitusServer = async (url: string): Promise<TestServer> => {
  const nodes = await citusNodes(url)
  const shared = sharedServer()?.empty
  const made: string[] = []
  const nameNext = (): string => {
    const name = `tonway_test_${randomUUID().replaceAll('-', '')}`
    made.push(name)
    return name
  }
  /** An empty one with our tables, if the run has none to be copied. */
  const createEmpty = async (): Promise<string> => {
    const name = nameNext()
    await createCitusDatabase(url, nodes, name)
    await migrate(citusDatabase(url, name))
    return name
  }
  let empty: Promise<string> | undefined
  return {
    pid: 0,
    run: runOnCluster,
    async database(template) {
      if (template === 'template0') {
        const name = nameNext()
        await createCitusDatabase(url, nodes, name)
        return citusDatabase(url, name)
      }
      empty ??= shared === undefined ? createEmpty() : Promise.resolve(shared)
      const from = template ?? (await empty)
      const name = nameNext()
      await copyCitusDatabase(url, nodes, from, name)
      if (template !== undefined) await reopenCitusDatabase(url, nodes, template)
      return citusDatabase(url, name)
    },
    async close() {
      await dropCitusDatabases(url, nodes, made.reverse())
    },
  }
}

const run = async <R>(connection: ClientConfig, text: string, values?: readonly unknown[]): Promise<R[]> => {
  const client = new Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text, values as unknown[] | undefined)).rows as R[]
  } finally {
    await client.end()
  }
}

const startPlainServer = async (): Promise<TestServer> => {
  const url = process.env['DATABASE_URL']
  const server = url === undefined && sharedServer() === undefined ? await startEmpty() : undefined
  const shared = url === undefined ? (server?.shared ?? sharedServer()) : undefined
  const base: ClientConfig = shared?.connection ?? { connectionString: url }
  const made: string[] = []
  const create = async (template: string | undefined): Promise<string> => {
    const name = `tonway_test_${randomUUID().replaceAll('-', '')}`
    await run(base, `create database ${name}${template === undefined ? '' : ` template ${template}`}`)
    made.push(name)
    return name
  }
  const on = (database: string): ClientConfig & { readonly database: string } => {
    if (url === undefined) return { ...base, database }
    const changed = new URL(url)
    changed.pathname = `/${database}`
    return { connectionString: changed.href, database }
  }
  const empty = shared?.empty ?? (await create(undefined))
  if (shared === undefined) await migrate(on(empty))
  return {
    pid: server?.pid ?? 0,
    database: async (template = empty) => on(await create(template)),
    run,
    async close() {
      if (server === undefined) for (const name of made.reverse()) await run(base, `drop database if exists ${name} with (force)`)
      await server?.close()
    },
  }
}
