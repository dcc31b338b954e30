import { Client, type ClientConfig } from 'pg'
import { migrate } from '../../../server/store/migrate.ts'
import { startEmbedded } from '../../../server/store/postgres/embedded/server.ts'

/** One PostgreSQL for a test file, with any number of databases. */
export interface TestServer {
  /** Creates a database: a copy of `template` (which must have no connections), by default one with our empty tables. */
  database(template?: string): Promise<ClientConfig & { readonly database: string }>
  /** Runs a statement as the owner, outside of any pool. */
  run<R>(connection: ClientConfig, text: string, values?: readonly unknown[]): Promise<R[]>
  readonly pid: number
  close(): Promise<void>
}

/** A connection of the test server in the form of DATABASE_URL. A unix socket is in the place of the host. */
export const urlOf = ({ connectionString, host, user, password, database }: ClientConfig): string =>
  connectionString ?? `postgres://${user}:${String(password)}@${encodeURIComponent(host ?? '')}/${database}`

/** Uses the server of DATABASE_URL. Without it, starts the embedded one, which stores nothing permanently. */
export const startTestServer = async (): Promise<TestServer> => {
  const url = process.env['DATABASE_URL']
  const server = url === undefined ? await startEmbedded({}) : undefined
  const base: ClientConfig = server?.connection ?? { connectionString: url }
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
  const made: string[] = []
  let count = 0
  const create = async (template: string | undefined): Promise<string> => {
    const name = `tonway_test_${process.pid}_${++count}`
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
  const empty = await create(undefined)
  await migrate(on(empty))
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
