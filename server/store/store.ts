import type { ClientConfig } from 'pg'
import { migrate } from './migrate.ts'
import { READERS } from './postgres/connections.ts'
import { createDatabase, type Database } from './postgres/database.ts'
import { createReader, type Reader } from './postgres/pool.ts'
import type { SlowQueries } from './postgres/slow.ts'

export interface StoreOptions {
  /** The PostgreSQL of the process, which outlives the store, and which database on it; unless given, the store has one of its own. */
  readonly on?: { readonly database: Database; readonly suffix: string | undefined } | undefined
  /** Yours, as postgres://user:password@host/database; undefined: the embedded PostgreSQL. */
  readonly databaseUrl?: string | undefined
  /** Where the embedded one is kept; undefined: nowhere. */
  readonly dataDir?: string | undefined
  /** Gives the opening up. */
  readonly signal?: AbortSignal | undefined
  readonly connections?: number
  /** Milliseconds. */
  readonly statementTimeout?: number
  readonly slow?: SlowQueries | undefined
}

/** PostgreSQL with our tables in it. */
export interface Store extends Reader {
  /** For connections of one's own: the writer, the leader's lock. */
  readonly connection: ClientConfig
  /** `embedded`, or the host of DATABASE_URL; for people. */
  readonly what: string
  /** Resolves with a text when the embedded server ends although nobody asked for it. */
  readonly lost: Promise<string>
}

/** Starts or reaches the database and brings its tables up to date. */
export const openStore = async ({
  on,
  databaseUrl,
  dataDir,
  signal,
  connections = READERS,
  statementTimeout = 10_000,
  slow,
}: StoreOptions): Promise<Store> => {
  const database = on?.database ?? createDatabase({ databaseUrl, dataDir })
  const release = async (): Promise<void> => {
    if (on === undefined) await database.close()
  }
  try {
    const { connection, what, lost } = await database.open(on?.suffix, signal)
    signal?.throwIfAborted()
    await migrate(connection, undefined, signal)
    const reader = createReader(connection, { connections, statementTimeout, slow })
    return {
      ...reader,
      connection,
      what,
      lost,
      async close() {
        await reader.close()
        await release()
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}
