import type { ClientConfig } from 'pg'
import { migrate } from './migrate.ts'
import { READERS } from './postgres/connection-budget.ts'
import { createDatabase, type Database } from './postgres/database-server.ts'
import { createReader, type Reader } from './postgres/reader.ts'
import type { SlowQueries } from './postgres/slow-statements.ts'

export interface StoreOptions {
  /**
   * An existing PostgreSQL server, and the suffix of the database on it. The server stays open when the store closes. By default the store opens a server
   * of its own.
   */
  readonly on?: { readonly database: Database; readonly suffix: string | undefined } | undefined
  readonly databaseUrl?: string | undefined
  readonly dataDir?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly connections?: number
  readonly slow?: SlowQueries | undefined
}

export interface Store extends Reader {
  /** Settings for additional connections, such as those of the writer and of the leader's lock. */
  readonly connection: ClientConfig
  readonly what: string
  readonly lost: Promise<string>
}

export const openStore = async ({ on, databaseUrl, dataDir, signal, connections = READERS, slow }: StoreOptions): Promise<Store> => {
  const database = on?.database ?? createDatabase({ databaseUrl, dataDir })
  const release = async (): Promise<void> => {
    if (on === undefined) await database.close()
  }
  try {
    const { connection, what, lost } = await database.open(on?.suffix, signal)
    signal?.throwIfAborted()
    await migrate(connection, undefined, signal)
    const reader = createReader(connection, { connections, slow })
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
