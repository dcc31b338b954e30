import { createDatabase } from '../../../server/store/postgres/database-server.ts'
import { openStore, type Store } from '../../../server/store/store.ts'

/** Opens a store on an embedded PostgreSQL of its own, which ends when the store is closed. Without a directory the database is temporary. */
export const openOwnStore = async ({
  dataDir,
  signal,
}: {
  readonly dataDir?: string | undefined
  readonly signal?: AbortSignal
} = {}): Promise<Store> => {
  const database = createDatabase({ databaseUrl: undefined, dataDir })
  try {
    const store = await openStore({ database, suffix: undefined, signal })
    return {
      ...store,
      async close() {
        await store.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}
