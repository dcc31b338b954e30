import { realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { createKeyPool } from '../../access/key-database.ts'
import { createKeyStore, type KeyStore } from '../../access/key-queries.ts'
import { ACCESS_MIGRATIONS } from '../../access/migrations.ts'
import { UserError } from '../../base/user-error.ts'
import type { Config } from '../../config/settings.ts'
import { migrate } from '../../store/migrate.ts'
import { connect } from '../../store/postgres/connection.ts'
import { isClaimed } from '../../store/postgres/embedded/claim.ts'
import { attachEmbedded, startEmbedded } from '../../store/postgres/embedded/server.ts'
import { closedDirectory } from '../../store/postgres/embedded/server-user.ts'

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>

/** Time (ms) for a running service to start its database. */
const PATIENCE = 30_000
const BETWEEN = 50

/** Connection to the database that a running process has in the data directory, once the database answers. undefined if no process has one. */
const running = async (dataDir: string): Promise<ClientConfig | undefined> => {
  for (const start = Date.now(); isClaimed(dataDir); await sleep(BETWEEN)) {
    const connection = attachEmbedded(dataDir)
    try {
      if (connection === undefined) throw new Error('the database of the running service does not start')
      await (await connect(connection)).close()
      return connection
    } catch (error) {
      if (Date.now() - start > PATIENCE) throw error
    }
  }
  return undefined
}

/**
 * Switches from root to the user that owns the database, for example that of a systemd service. Files that root creates would not belong to the service,
 * and links in the user's folder must not be followed with root's permissions.
 */
const becomeOwner = (dataDir: string): void => {
  const folder = join(dataDir, 'postgres')
  const owner = statSync(folder, { throwIfNoEntry: false })
  if (process.getuid?.() !== 0 || owner === undefined || owner.uid === 0) return
  const { uid, gid } = owner
  const closed = closedDirectory(realpathSync(folder), { name: String(uid), uid, gid })
  if (closed !== undefined)
    throw new UserError(
      `the database is not running, and user ${uid}, who has it, cannot enter ${closed}: start the service, and repeat this while it runs`,
    )
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
}

/** Throws if the data directory has no database. A command that only reads must not create one where the name of the directory is mistyped. */
const checkDatabase = (dataDir: string): void => {
  if (statSync(join(dataDir, 'postgres', 'cluster', 'PG_VERSION'), { throwIfNoEntry: false }) !== undefined) return
  const lack = statSync(dataDir, { throwIfNoEntry: false }) === undefined ? `no data directory ${dataDir}` : `no database in ${dataDir}`
  throw new UserError(`there is ${lack}: start tonway once with this --data-dir, or name the right one`)
}

/**
 * Runs `work` with a connection to the database of a command: the given PostgreSQL, that of a running service, or the one in the data directory, which is then
 * started for this command. `makes`: whether a missing database in the data directory is created, which `printError` then says; otherwise it is refused.
 * `what`: kind of its data, for messages.
 */
export const withCommandDatabase = async <T>(
  { databaseUrl, dataDir }: Place,
  { what, makes, printError }: { readonly what: string; readonly makes: boolean; readonly printError: (text: string) => void },
  work: (connection: ClientConfig) => Promise<T>,
): Promise<T> => {
  if (databaseUrl !== undefined) return await work({ connectionString: databaseUrl })
  if (dataDir === undefined)
    throw new UserError(
      `${what} are stored in a database: give the same --database-url or --data-dir (DATABASE_URL, TONWAY_DATA_DIR) as the service`,
    )
  const connection = await running(dataDir)
  if (connection) return await work(connection)
  if (!makes) checkDatabase(dataDir)
  becomeOwner(dataDir)
  const server = await startEmbedded({ dataDir })
  // A mistyped path would create a database that no service reads, so the user must see that it is new.
  if (server.isNew)
    printError(`there was no database in ${dataDir}, so a new one was made: only a service with this data directory uses its ${what}`)
  try {
    return await work(server.connection)
  } finally {
    await server.close()
  }
}

export const withKeys = <T>(
  place: Place,
  options: { readonly makes: boolean; readonly printError: (text: string) => void },
  work: (store: KeyStore) => Promise<T>,
): Promise<T> =>
  withCommandDatabase(place, { what: 'keys', ...options }, async (connection) => {
    await migrate(connection, ACCESS_MIGRATIONS)
    const pool = createKeyPool(connection)
    try {
      return await work(createKeyStore(pool, Date.now))
    } finally {
      await pool.end()
    }
  })
