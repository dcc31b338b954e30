import { ACCESS_MIGRATIONS } from '../access/migrations.ts'
import { isIndexed, networkConfigs } from '../config/networks.ts'
import { migrate } from '../store/migrate.ts'
import { createDatabase } from '../store/postgres/database-server.ts'
import type { Given, Streams } from './streams.ts'
import { untilStopped } from './until-stopped.ts'

/** `tonway migrate`: migrates the tables of the keys and of all indexes to this release. Returns the exit code. */
export const migrateTables = async ({ config }: Pick<Given, 'config'>, streams: Pick<Streams, 'print' | 'printError'>): Promise<number> => {
  const indexed = networkConfigs(config).filter(isIndexed)
  if ([config, ...indexed].some(({ databaseUrl }) => databaseUrl === undefined)) {
    streams.printError('tonway: migrate needs DATABASE_URL; the service itself brings the tables of an embedded PostgreSQL up to date')
    return 2
  }
  const connectionOf = async (databaseUrl: string | undefined, suffix: string | undefined, signal: AbortSignal) =>
    (await createDatabase({ databaseUrl, dataDir: undefined }).open(suffix, signal)).connection
  return await untilStopped('migrate', 1, streams, async (signal) => {
    await migrate(await connectionOf(config.databaseUrl, undefined, signal), ACCESS_MIGRATIONS, signal)
    streams.print('the tables of the keys are of this release')
    for (const { name, databaseUrl, database } of indexed) {
      await migrate(await connectionOf(databaseUrl, database, signal), undefined, signal)
      streams.print(`${name}: the tables of the index are of this release`)
    }
    return 0
  })
}
