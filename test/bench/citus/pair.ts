import { randomUUID } from 'node:crypto'
import { Client, type ClientConfig } from 'pg'
import { migrate } from '../../../server/store/migrate.ts'
import { citusDatabase } from '../../kit/index/citus.ts'
import { startTestServer, type TestServer } from '../../kit/index/database.ts'

/** URL of a database with the extension, on the coordinator of a Citus cluster. Undefined: nothing of it can be measured. */

/** A Citus cluster, and plain PostgreSQL beside it. */
export interface Pair {
  readonly server: TestServer
  /** Makes an empty index on the cluster. */
  citus(): Promise<ClientConfig>
  /** Makes an empty index beside it. */
  plain(): Promise<ClientConfig>
  close(): Promise<void>
}

/**
 * The plain databases are databases without the extension on the coordinator's own server: the same PostgreSQL, the same settings, the same disk. Only the
 * distribution differs.
 */
export const startPair = async (url: string): Promise<Pair> => {
  const server = await startTestServer()
  const admin = new Client({ connectionString: url })
  admin.on('error', () => {})
  await admin.connect()
  const made: string[] = []
  return {
    server,
    citus: () => server.database(),
    async plain() {
      const name = `tonway_plain_${randomUUID().replaceAll('-', '')}`
      await admin.query(`create database ${name}`)
      made.push(name)
      const plain = citusDatabase(url, name)
      await migrate(plain)
      return plain
    },
    async close() {
      for (const name of made) await admin.query(`drop database if exists ${name} with (force)`)
      await admin.end()
      await server.close()
    },
  }
}
