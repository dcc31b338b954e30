import { createHash } from 'node:crypto'
import { Kysely, type Migration, Migrator, PostgresDialect, sql } from 'kysely'
import { type ClientConfig, Pool } from 'pg'
import { MIGRATIONS } from './migrations/index.ts'
import { DatabaseClient } from './postgres/client.ts'
import type { Tables } from './postgres/embedded/server.ts'

/** Migrations, and the name of the table that records which of them are applied. */
export interface MigrationSet {
  readonly name: string
  readonly migrations: Readonly<Record<string, Migration>>
}

const INDEX: MigrationSet = { name: 'tonway_migrations', migrations: MIGRATIONS }

/**
 * Returns whether no migration has to run: all are applied, or the database is read-only (a standby, or configured so). Throws if the recorded migrations are
 * not the first ones of this release, or if a read-only database lacks a migration.
 */
const checkDone = async (db: Kysely<unknown>, { name, migrations }: MigrationSet): Promise<boolean> => {
  const { rows } = await sql<{ there: boolean; fixed: boolean }>`select to_regclass(${name}) is not null as there,
    current_setting('transaction_read_only')::boolean as fixed`.execute(db)
  const { there, fixed } = rows[0]!
  const wanting = (): Error =>
    new Error('the database takes no writes, and has no tables of this release: start the service that writes to its primary first')
  if (!there) {
    if (fixed) throw wanting()
    return false
  }
  const done = await sql<{ name: string }>`select name from ${sql.table(name)} order by timestamp, name`.execute(db)
  const ours = Object.keys(migrations).sort()
  const strange = done.rows.find((row, i) => row.name !== ours[i])
  if (strange) throw new Error(`the database was made by a later tonway, or is of something else: it has the migration ${strange.name}`)
  if (fixed && done.rows.length < ours.length) throw wanting()
  return fixed || done.rows.length === ours.length
}

/**
 * Migrates the tables to this release, by default those of the index. Several processes may do this at the same time, because kysely takes an advisory
 * lock. Throws if the database is of a later release. A read-only database is only checked.
 */
export const migrate = async (connection: ClientConfig, set: MigrationSet = INDEX, signal?: AbortSignal): Promise<void> => {
  signal?.throwIfAborted()
  let current: DatabaseClient | undefined
  const pool = new Pool({
    ...connection,
    max: 1,
    Client: DatabaseClient,
    async onConnect(client) {
      current = client as DatabaseClient
      await current.lookAfter()
      signal?.throwIfAborted()
    },
  })
  pool.on('error', () => {})
  const abandon = (): void => current?.cut()
  signal?.addEventListener('abort', abandon, { once: true })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const isDone = await checkDone(db, set)
    signal?.throwIfAborted()
    if (isDone) return
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => ({ ...set.migrations }) },
      migrationTableName: set.name,
      migrationLockTableName: `${set.name}_lock`,
    })
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
  } catch (error) {
    throw signal?.aborted ? signal.reason : error
  } finally {
    signal?.removeEventListener('abort', abandon)
    await db.destroy()
  }
}

/**
 * Checks the release of the tables without changing anything. Returns `none` if there are no tables, a readable reason if the tables are of another
 * release, otherwise undefined.
 */
export const releaseFault = async (
  query: <R>(text: string, values?: readonly unknown[]) => Promise<R[]>,
): Promise<'none' | string | undefined> => {
  const [found] = await query<{ is: boolean }>(`select to_regclass('tonway_migrations') is not null as is`)
  if (!found?.is) return 'none'
  const done = new Set((await query<{ name: string }>('select name from tonway_migrations')).map(({ name }) => name))
  const migrations = Object.keys(MIGRATIONS)
  if ([...done].some((name) => !migrations.includes(name))) return 'the tables are of a later release of tonway: take that one'
  if (migrations.some((name) => !done.has(name)))
    return 'the tables are of an earlier release of tonway: a start of the service (tonway serve, tonway index) brings them up to date'
  return undefined
}

/** Names and `up` functions of all migrations. Their hash is part of the template's name, so that a new migration makes a new template. */
const textOfMigrations = (): string =>
  Object.entries(MIGRATIONS)
    .map(([name, { up }]) => `${name} ${up}`)
    .join('\n')

export const INDEX_TABLES: Tables = {
  name: createHash('sha256').update(textOfMigrations()).digest('hex').slice(0, 12),
  make: (connection, signal) => migrate(connection, undefined, signal),
}
