import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientConfig, Pool } from 'pg'
import type { Clock } from '../base/clock.ts'
import { errorText } from '../base/error-text.ts'
import type { Log } from '../base/log.ts'
import { createDeferred } from '../base/promises/deferred.ts'
import { migrate } from '../store/migrate.ts'
import { KEY_READERS } from '../store/postgres/connection-budget.ts'
import { createKeyDirectory, unavailable } from './key-directory.ts'
import { createKeyStore, type KeyStore } from './key-queries.ts'
import { ACCESS_MIGRATIONS } from './migrations.ts'

export interface KeyDatabaseDeps {
  readonly open: (signal: AbortSignal) => Promise<{ readonly connection: ClientConfig; readonly lost: Promise<string> }>
  readonly log: Log
  readonly clock: Clock
}

/**
 * Milliseconds. FIRST_WAIT: how long calls wait until the database is opened for the first time. PATIENCE: limit of a connection attempt and of a
 * statement.
 */
const FIRST_WAIT = 10_000
const PATIENCE = 5_000
/** Interval (ms) at which the number of changes is read. A revoked key is refused after this time and the time of a query. */
const BETWEEN = 400

/** A pool for short statements. Queries reject after some seconds if the database does not answer. */
export const createKeyPool = (connection: ClientConfig): Pool => {
  const pool = new Pool({
    ...connection,
    max: KEY_READERS,
    connectionTimeoutMillis: PATIENCE,
    statement_timeout: PATIENCE,
    query_timeout: PATIENCE + 500,
    application_name: 'tonway-access',
    allowExitOnIdle: true,
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Opens the database, and opens it again when it is lost. Keeps the directory of keys up to date. */
export const createKeyDatabase = ({ open, log, clock }: KeyDatabaseDeps) => {
  const { ticks } = clock
  const now = (): number => clock.now() * 1000
  const stopping = new AbortController()
  const { signal } = stopping
  let current: KeyStore | undefined
  let well: boolean | undefined
  const { promise: first, resolve: opened } = createDeferred()

  const report = (isWell: boolean, err?: unknown): void => {
    if (!isWell) directory.sweep()
    if (isWell === well || signal.aborted) return
    well = isWell
    if (isWell) log.info('keys.available')
    else {
      // The stack is logged only at level debug, because an unreachable database is not a bug.
      log.error('keys.unavailable', { text: errorText(err) })
      log.debug('keys.unavailable', { err })
    }
  }
  const pause = (milliseconds: number): Promise<void> => sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {})

  let deadline: Promise<void> | undefined
  const store = async (): Promise<KeyStore> => {
    deadline ??= pause(FIRST_WAIT)
    if (current === undefined) await Promise.race([first, deadline])
    if (current === undefined) throw unavailable()
    return current
  }
  const directory = createKeyDirectory({ now, ticks, grants: async (ids) => (await store()).grants(ids) })

  const readChanges = async (keys: KeyStore): Promise<void> => {
    const at = ticks()
    directory.saw(await keys.changes(), at)
    report(true)
  }
  /** Opens the database, and polls the number of changes until the database is lost. Rejects with the reason. */
  const follow = async (): Promise<void> => {
    const { connection, lost } = await open(signal)
    await migrate(connection, ACCESS_MIGRATIONS)
    const pool = createKeyPool(connection)
    let reason: string | undefined
    void lost.then((why) => {
      reason = why
    })
    try {
      current = createKeyStore(pool, now)
      opened()
      while (!signal.aborted) {
        await readChanges(current).catch((error: unknown) => report(false, error))
        await pause(BETWEEN)
        if (reason !== undefined) throw new Error(reason)
      }
    } finally {
      current = undefined
      await pool.end().catch(() => {})
    }
  }
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await follow().catch((error: unknown) => report(false, error))
      await pause(BETWEEN)
    }
  }
  const running = run()

  return {
    directory,
    /** Resolves with the store. Rejects with UNAVAILABLE while there is no database. */
    store,
    /** Returns whether the last query of the number of changes succeeded. */
    well: () => well === true,
    async close(): Promise<void> {
      stopping.abort()
      await running
    },
  }
}
