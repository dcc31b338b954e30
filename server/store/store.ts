import { migrate } from './migrate.ts'
import { READERS } from './postgres/connection-budget.ts'
import type { Database, OpenDatabase } from './postgres/database-server.ts'
import { createReader, type Reader } from './postgres/reader.ts'
import type { SlowQueries } from './postgres/slow-statements.ts'

export interface StoreOptions {
  /** The PostgreSQL server, which stays open when the store closes, and the suffix of the network's database on it. */
  readonly database: Pick<Database, 'open'>
  readonly suffix: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly connections?: number
  readonly slow?: SlowQueries | undefined
}

export type Store = Reader & OpenDatabase

export const openStore = async ({ database, suffix, signal, connections = READERS, slow }: StoreOptions): Promise<Store> => {
  const opened = await database.open(suffix, signal)
  signal?.throwIfAborted()
  await migrate(opened.connection, undefined, signal)
  return { ...createReader(opened.connection, { connections, slow }), ...opened }
}
