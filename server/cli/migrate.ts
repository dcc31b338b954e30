import { isIndexed, networkConfigs } from '../config/networks.ts'
import type { Config } from '../config/settings.ts'
import type { Streams } from './streams.ts'
import { untilStopped } from './until-stopped.ts'

/** `tonway migrate`: migrates the tables of the keys and of all indexes to this release. Returns the exit code. */
export const migrateTables = async (config: Config, { print, printError }: Pick<Streams, 'print' | 'printError'>): Promise<number> => {
  const indexed = networkConfigs(config).filter(isIndexed)
  const embedded = [config, ...indexed].some(({ databaseUrl }) => databaseUrl === undefined)
  if (embedded) {
    printError('tonway: migrate needs DATABASE_URL; the service itself brings the tables of an embedded PostgreSQL up to date')
    return 2
  }
  const [{ createDatabase }, { migrate }, { ACCESS_MIGRATIONS }] = await Promise.all([
    import('../store/postgres/database-server.ts'),
    import('../store/migrate.ts'),
    import('../access/migrations.ts'),
  ])
  const connectionOf = async (databaseUrl: string | undefined, suffix: string | undefined, signal: AbortSignal) =>
    (await createDatabase({ databaseUrl, dataDir: undefined }).open(suffix, signal)).connection
  try {
    await untilStopped(async (signal) => {
      await migrate(await connectionOf(config.databaseUrl, undefined, signal), ACCESS_MIGRATIONS, signal)
      print('the tables of the keys are of this release')
      for (const { name, databaseUrl, database } of indexed) {
        await migrate(await connectionOf(databaseUrl, database, signal), undefined, signal)
        print(`${name}: the tables of the index are of this release`)
      }
    })
    return 0
  } catch (error) {
    printError(`tonway: cannot migrate: ${(error as Error).message}`)
    return 1
  }
}
