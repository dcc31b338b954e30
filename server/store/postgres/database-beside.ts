import type { ClientConfig } from 'pg'
import { connect } from './connection.ts'
import { READ_ONLY } from './faults.ts'

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Returns the name of the database `<name>_<suffix>` on the server of a connection. <name> is the connection's own database. A missing database is created,
 * or without `create` the result is undefined.
 */
export const databaseBeside = async (
  connection: ClientConfig,
  suffix: string,
  create: boolean,
  signal: AbortSignal | undefined,
): Promise<string | undefined> => {
  await using beside = await connect(connection, 'tonway', { signal })
  const { query } = beside
  try {
    const [own] = await query<{ name: string }>('select current_database() as name')
    const name = `${own!.name}_${suffix}`
    const [found] = await query('select from pg_database where datname = $1', [name])
    if (found !== undefined) return name
    if (!create) return undefined
    await query(`create database ${quoted(name)}`).catch((error: Error & { code?: string }) => {
      if (error.code === READ_ONLY)
        throw new Error(
          `the database ${name} is missing, and the server takes no writes: start the service that writes to its primary first`,
        )
      // Another process may have created the database at the same time.
      if (error.code !== '42P04' && error.code !== '23505') throw error
    })
    return name
  } catch (error) {
    throw signal?.aborted ? signal.reason : error
  }
}
