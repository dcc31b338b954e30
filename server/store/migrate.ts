import { Kysely, type Migration, Migrator, PostgresDialect } from 'kysely'
import { type ClientConfig, Pool } from 'pg'
import { MIGRATIONS } from './migrations/index.ts'

/** Tables that go forward together, and the name under which what was done is kept. */
export interface MigrationSet {
  readonly name: string
  readonly migrations: Readonly<Record<string, Migration>>
}

const INDEX: MigrationSet = { name: 'tonway_migrations', migrations: MIGRATIONS }

/** Brings the tables (the index's, unless told) to the newest form; several processes may do so at once (kysely holds an advisory lock). Throws on a database of a later release. */
export const migrate = async (connection: ClientConfig, { name, migrations }: MigrationSet = INDEX): Promise<void> => {
  const pool = new Pool({ ...connection, max: 1, connectionTimeoutMillis: 5_000 })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => ({ ...migrations }) },
      migrationTableName: name,
      migrationLockTableName: `${name}_lock`,
    })
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
  } catch (error) {
    if (error instanceof Error && /corrupted migrations/.test(error.message)) {
      throw new Error(`the database was made by a later tonway, or is of something else: ${error.message}`, { cause: error })
    }
    throw error
  } finally {
    await db.destroy()
  }
}
