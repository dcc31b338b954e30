import { Client, type ClientConfig } from 'pg'
import { fromUrl, withDatabase } from '../postgres/database-server.ts'
import type { StandbyAddress } from './standbys.ts'

const PATIENCE = 2_000

const databaseOf = async (connection: ClientConfig): Promise<string> => {
  const client = new Client({ ...connection, connectionTimeoutMillis: PATIENCE, query_timeout: PATIENCE })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<{ name: string }>('select current_database() as name')).rows[0]!.name
  } finally {
    await client.end().catch(() => {})
  }
}

/** Address of a replica. `suffix`: suffix of the network's database, as on the primary. Throws an Error whose message is for the operator. */
export const replicaAddress = (url: string, suffix: string | undefined): StandbyAddress => {
  const { connection, what } = fromUrl(url, 'DATABASE_READ_URL')
  let found: ClientConfig | undefined = suffix === undefined ? connection : undefined
  return {
    name: what,
    async config() {
      found ??= withDatabase(connection, `${await databaseOf(connection)}_${suffix}`)
      return found
    },
  }
}
