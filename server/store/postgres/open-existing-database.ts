import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { connect } from './connection.ts'
import type { Database, DatabaseOptions, OpenDatabase } from './database-server.ts'

const hasCluster = (dataDir: string | undefined): boolean =>
  dataDir !== undefined && existsSync(join(resolve(dataDir), 'postgres', 'cluster', 'PG_VERSION'))

/** Opens a database. Returns undefined, instead of creating the database, if it does not exist. */
export const findDatabase = async (
  database: Database,
  { databaseUrl, dataDir }: DatabaseOptions,
  suffix: string | undefined,
  signal: AbortSignal,
): Promise<OpenDatabase | undefined> => {
  if (databaseUrl === undefined && !hasCluster(dataDir)) return undefined
  const base = await database.open(undefined, signal)
  if (suffix === undefined) return base
  const connection = await connect(base.connection, 'tonway-verify')
  try {
    const [found] = await connection.query('select from pg_database where datname = current_database() || $1', [`_${suffix}`])
    return found === undefined ? undefined : await database.open(suffix, signal)
  } finally {
    await connection.close()
  }
}
