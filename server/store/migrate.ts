import { addAbortListener } from 'node:events'
import { Kysely, type Migration, Migrator, PostgresDialect, sql } from 'kysely'
import { type ClientConfig, Pool } from 'pg'
import { MIGRATIONS } from './migrations/index.ts'
import { DatabaseClient } from './postgres/client.ts'
import { nameSetting } from './postgres/faults.ts'

/** Migrations, and the name of the table that records which of them are applied. */
export interface MigrationSet {
  readonly name: string
  readonly migrations: Readonly<Record<string, Migration>>
}

const INDEX: MigrationSet = { name: 'tonway_migrations', migrations: MIGRATIONS }

type Query = <R>(text: string) => Promise<R[]>

/** How the recorded migrations compare with those of this release. Throws if they are not the first ones of this release. */
const compareRelease = async (query: Query, { name, migrations }: MigrationSet): Promise<'none' | 'earlier' | 'same'> => {
  const [found] = await query<{ is: boolean }>(`select to_regclass('${name}') is not null as is`)
  if (!found!.is) return 'none'
  const done = await query<{ name: string }>(`select name from ${name} order by timestamp, name`)
  const ours = Object.keys(migrations).sort()
  const strange = done.find((row, i) => row.name !== ours[i])
  if (strange) throw new Error(`the database was made by a later tonway, or is of something else: it has the migration ${strange.name}`)
  return done.length < ours.length ? 'earlier' : 'same'
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
  using _abandoned = signal && addAbortListener(signal, () => current?.cut())
  await using db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const query: Query = async <R>(text: string) => (await sql.raw<R>(text).execute(db)).rows
    const release = await compareRelease(query, set)
    signal?.throwIfAborted()
    if (release === 'same') return
    const [access] = await query<{ fixed: boolean }>(`select current_setting('transaction_read_only')::boolean as fixed`)
    // A standby, or a database that is set so.
    if (access!.fixed)
      throw new Error('the database takes no writes, and has no tables of this release: start the service that writes to its primary first')
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => ({ ...set.migrations }) },
      migrationTableName: set.name,
      migrationLockTableName: `${set.name}_lock`,
    })
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw current === undefined ? nameSetting(error, connection) : error
  }
}

/** Returns whether the database has the tables of this release. Changes nothing. Throws if the tables are of another release. */
export const hasTables = async (query: Query): Promise<boolean> => {
  const release = await compareRelease(query, INDEX)
  if (release === 'earlier')
    throw new Error(
      'the tables are of an earlier release of tonway: a start of the service (tonway serve, tonway index) brings them up to date',
    )
  return release === 'same'
}
