import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientConfig, Pool } from 'pg'
import { createAbortController } from '../base/abort.ts'
import type { Log } from '../base/log.ts'
import { migrate } from '../store/migrate.ts'
import { KEY_READERS } from '../store/postgres/connection-budget.ts'
import { createKeyListener } from './key-listener.ts'
import { unavailable } from './key-queries.ts'
import { createKeyStore, type KeyStore } from './key-store.ts'
import { ACCESS_MIGRATIONS } from './migrations.ts'

/** An open database. `lost` resolves with the reason if it ends unexpectedly. */
export interface OpenedDatabase {
  readonly connection: ClientConfig
  readonly lost: Promise<string>
}

export interface KeyDatabaseDeps {
  readonly open: (signal: AbortSignal) => Promise<OpenedDatabase>
  readonly log: Log
  readonly now: () => number
  readonly ticks: () => number
  /** Called when the key with this id has changed; undefined: any key may have. */
  readonly changed: (id: string | undefined) => void
  /** Called with a time (ticks) up to which every change has been reported. */
  readonly confirmed: (at: number) => void
}

/** The tables of keys, in a database that may start late, disappear and come back. */
export interface KeyDatabase {
  /** Rejects with UNAVAILABLE while there is no database. */
  store(): Promise<KeyStore>
  /** Whether the database answered when it was last asked. */
  well(): boolean
  close(): Promise<void>
}

/** Milliseconds. */
const FIRST_WAIT = 10_000
const PATIENCE = 5_000
const FIRST_PAUSE = 200
const LONGEST_PAUSE = 2_000

/** A pool for short statements. Its methods reject after some seconds if the database does not answer. */
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

export const createKeyDatabase = (deps: KeyDatabaseDeps): KeyDatabase => {
  const { log, changed, confirmed, ticks } = deps
  const stopping = createAbortController()
  const { signal } = stopping
  let store: KeyStore | undefined
  let pool: Pool | undefined
  let well: boolean | undefined
  let opened: () => void = () => {}
  const first = new Promise<void>((resolve) => {
    opened = resolve
  })

  /** Logs each change of state once. */
  const tell = (now: boolean, err?: unknown): void => {
    if (now === well || signal.aborted) return
    if (now) log.info('keys.available')
    else log.error('keys.unavailable', { err })
    well = now
  }
  const pause = (milliseconds: number): Promise<void> => sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {})

  const listen = createKeyListener({ changed, confirmed, ticks, heard: () => tell(true), pause, signal })

  /** Keeps listening until the database itself is lost, and then throws the reason. */
  const follow = async (connection: ClientConfig, lost: Promise<string>): Promise<void> => {
    const ended = new AbortController()
    void lost.then((text) => ended.abort(new Error(text)))
    for (let wait = FIRST_PAUSE; !signal.aborted; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
      const began = ticks()
      await listen(connection, ended.signal).catch((error: unknown) => tell(false, error))
      ended.signal.throwIfAborted()
      if (ticks() - began > LONGEST_PAUSE) wait = FIRST_PAUSE
      await pause(wait)
    }
  }

  const run = async (): Promise<void> => {
    for (let wait = FIRST_PAUSE; !signal.aborted; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
      try {
        const { connection, lost } = await deps.open(signal)
        await migrate(connection, ACCESS_MIGRATIONS)
        pool = createKeyPool(connection)
        store = createKeyStore(pool, deps.now)
        opened()
        wait = FIRST_PAUSE
        await follow(connection, lost)
      } catch (error) {
        tell(false, error)
      } finally {
        store = undefined
        await pool?.end().catch(() => {})
        pool = undefined
      }
      await pause(wait)
    }
  }
  const running = run()
  let late: Promise<void> | undefined
  /** Resolves when the database is first open, or after FIRST_WAIT. */
  const firstOrLate = (): Promise<void> => {
    late ??= pause(FIRST_WAIT)
    return Promise.race([first, late])
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
