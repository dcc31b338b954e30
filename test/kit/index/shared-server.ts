import type { ClientConfig } from 'pg'
import { migrate } from '../../../server/store/migrate.ts'
import { startEmbedded } from '../../../server/store/postgres/embedded/server.ts'
import { CITUS_URL, citusDatabase, citusNodes, createCitusDatabase, dropCitusDatabases } from './citus.ts'

/* One embedded PostgreSQL for all test files of a run; on a Citus cluster one database with our empty tables. Without it each file would start one and make our tables in it, which takes longer than many tests. */

/** Where the files of a run find it: a SharedServer as JSON. A service that a test starts would refuse a setting of the name TONWAY_... that it does not know. */
const VARIABLE = 'SHARED_TEST_SERVER'
const EMPTY = 'tonway_test_empty'
/** Three files run at a time; some start several services. */
const CONNECTIONS = 300

export interface SharedServer {
  readonly connection: ClientConfig
  /** A database with our empty tables, to be copied. Nobody connects to it. */
  readonly empty: string
}

/** The server of this run, if there is one. */
export const sharedServer = (): SharedServer | undefined => {
  const text = process.env[VARIABLE]
  return text === undefined ? undefined : (JSON.parse(text) as SharedServer)
}

/** Starts an embedded PostgreSQL whose database has our empty tables. */
export const startEmpty = async (connections?: number) => {
  const { connection: own, pid, close } = await startEmbedded({ connections })
  const { database: empty, ...connection } = own
  if (empty === undefined) throw new Error('the embedded server has no database')
  // Who makes copies is connected to another one meanwhile.
  const shared: SharedServer = { connection: { ...connection, database: 'postgres' }, empty }
  return { shared, pid, close }
}

const setupCitus = async (url: string): Promise<() => Promise<void>> => {
  const nodes = await citusNodes(url)
  // Several runs can use one cluster.
  const empty = `${EMPTY}_${process.pid}`
  await createCitusDatabase(url, nodes, empty)
  await migrate(citusDatabase(url, empty))
  process.env[VARIABLE] = JSON.stringify({ connection: { connectionString: url }, empty } satisfies SharedServer)
  return () => dropCitusDatabases(url, nodes, [empty])
}

/** Vitest calls it once before the files of a project, and what it returns after them. A server that is given is used in its place. */
export const setup = async (): Promise<(() => Promise<void>) | undefined> => {
  if (CITUS_URL !== undefined) return await setupCitus(CITUS_URL)
  if (process.env['DATABASE_URL'] !== undefined) return undefined
  const { shared, close } = await startEmpty(CONNECTIONS)
  process.env[VARIABLE] = JSON.stringify(shared)
  return close
}
