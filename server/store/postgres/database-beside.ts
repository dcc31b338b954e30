import type { ClientConfig } from 'pg'
import { connect } from './connection.ts'
import { READ_ONLY } from './faults.ts'

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Creates the database `<name>_<suffix>` on the server of a connection if it is missing, and returns its name. <name> is the connection's own database. */
export const makeDatabaseBeside = async (connection: ClientConfig, suffix: string, signal: AbortSignal | undefined): Promise<string> => {
  const { query, close } = await connect(connection, 'tonway', { signal })
  try {
    const [own] = await query<{ name: string }>('select current_database() as name')
    const name = `${own!.name}_${suffix}`
    const [found] = await query('select from pg_database where datname = $1', [name])
    if (found === undefined)
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
  } finally {
    await close()
  }
}
