import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientConfig, Pool } from 'pg'
import { createAbortController } from '../base/abort.ts'
import type { Log } from '../base/log.ts'
import { migrate } from '../store/migrate.ts'
import { KEY_READERS } from '../store/postgres/connection-budget.ts'
import { unavailable } from './key-directory.ts'
import { createKeyStore, type KeyStore } from './key-queries.ts'
import { ACCESS_MIGRATIONS } from './migrations.ts'

export interface OpenedDatabase {
  readonly connection: ClientConfig
  readonly lost: Promise<string>
}

export interface KeyDatabaseDeps {
  readonly open: (signal: AbortSignal) => Promise<OpenedDatabase>
  readonly log: Log
  readonly now: () => number
  readonly ticks: () => number
  /** Called at intervals with the number of changes in the database, and the time (ticks) before it was read. */
  readonly saw: (count: bigint, at: number) => void
}

export interface KeyDatabase {
  /** Resolves with the store. Rejects with UNAVAILABLE while there is no database. */
  store(): Promise<KeyStore>
  /** Returns whether the last query succeeded. */
  well(): boolean
  close(): Promise<void>
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

export const createKeyDatabase = ({ open, log, now, ticks, saw }: KeyDatabaseDeps): KeyDatabase => {
  const stopping = createAbortController()
  const { signal } = stopping
  let store: KeyStore | undefined
  let well: boolean | undefined
  let opened: () => void = () => {}
  const first = new Promise<void>((resolve) => {
    opened = resolve
  })

  const tell = (now: boolean, err?: unknown): void => {
    if (now === well || signal.aborted) return
    if (now) log.info('keys.available')
    else log.error('keys.unavailable', { err })
    well = now
  }
  const pause = (milliseconds: number): Promise<void> => sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {})

  const look = async (keys: KeyStore): Promise<void> => {
    const at = ticks()
    try {
      saw(await keys.changes(), at)
      tell(true)
    } catch (error) {
      tell(false, error)
    }
  }
  /** Polls the number of changes until the database is lost. Then throws the reason. */
  const follow = async (keys: KeyStore, lost: Promise<string>): Promise<void> => {
    const left = new AbortController()
    void lost.then((why) => left.abort(new Error(why)))
    while (!signal.aborted) {
      await look(keys)
      await pause(BETWEEN)
      left.signal.throwIfAborted()
    }
  }

  const openOnce = async (): Promise<void> => {
    const { connection, lost } = await open(signal)
    await migrate(connection, ACCESS_MIGRATIONS)
    const pool = createKeyPool(connection)
    try {
      store = createKeyStore(pool, now)
      opened()
      await follow(store, lost)
    } finally {
      store = undefined
      await pool.end().catch(() => {})
    }
  }
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await openOnce().catch((error: unknown) => tell(false, error))
      await pause(BETWEEN)
    }
  }
  const running = run()
  let preparation: Promise<void> | undefined
  const firstOrLate = (): Promise<void> => {
    preparation ??= pause(FIRST_WAIT)
    return Promise.race([first, preparation])
  }

  return {
    async store() {
      if (store === undefined) await firstOrLate()
      if (store === undefined) throw unavailable()
      return store
    },
    well: () => well === true,
    async close() {
      stopping.abort()
      await running
    },
  }
}
