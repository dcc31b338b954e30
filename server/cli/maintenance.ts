import { ACCESS_MIGRATIONS } from '../access/migrations.ts'
import { createLog } from '../base/log.ts'
import { UserError } from '../base/user-error.ts'
import { isIndexed, networkConfigs } from '../config/networks.ts'
import { runMove } from '../network/move-database.ts'
import { runVerify } from '../network/verify-index.ts'
import { migrate } from '../store/migrate.ts'
import { createDatabase } from '../store/postgres/database-server.ts'
import { chooseNetwork, databaseOf } from './choose-network.ts'
import type { Given, Streams } from './streams.ts'
import { untilStopped } from './until-stopped.ts'

/* Commands for the databases of a service that does not run. */

/** `tonway verify`: derives the rows of an index from the blocks again. Returns the exit code: 0 no differences, 1 differences. */
export const verify = async ({ config, flags }: Given, streams: Streams): Promise<number> => {
  const network = chooseNetwork(config, flags['only'])
  const log = createLog(config.log, undefined, config.logFormat)
  return await untilStopped('verify', 2, (signal) => runVerify(network, databaseOf(network, config), { ...streams, log, signal }))
}

/** `tonway move`: copies the embedded database to a PostgreSQL of the operator. Returns the exit code. */
export const move = async ({ config }: Pick<Given, 'config'>, streams: Pick<Streams, 'print' | 'draw'>): Promise<number> => {
  const { dataDir, databaseUrl } = config
  if (dataDir === undefined || databaseUrl === undefined)
    throw new UserError(
      'move needs both: --data-dir, whose embedded database is copied, and --database-url (DATABASE_URL), where it is copied to',
    )
  return await untilStopped('move', 1, (signal) => runMove(config, { dataDir, databaseUrl }, { ...streams, signal }))
}

/** `tonway migrate`: migrates the tables of the keys and of all indexes to this release. Returns the exit code. */
export const migrateTables = async ({ config }: Pick<Given, 'config'>, { print }: Pick<Streams, 'print'>): Promise<number> => {
  const indexed = networkConfigs(config).filter(isIndexed)
  if ([config, ...indexed].some(({ databaseUrl }) => databaseUrl === undefined))
    throw new UserError('migrate needs DATABASE_URL; the service itself brings the tables of an embedded PostgreSQL up to date')
  const connectionOf = async (databaseUrl: string | undefined, suffix: string | undefined, signal: AbortSignal) =>
    (await createDatabase({ databaseUrl, dataDir: undefined }).open(suffix, signal)).connection
  return await untilStopped('migrate', 1, async (signal) => {
    await migrate(await connectionOf(config.databaseUrl, undefined, signal), ACCESS_MIGRATIONS, signal)
    print('the tables of the keys are of this release')
    for (const { name, databaseUrl, database } of indexed) {
      await migrate(await connectionOf(databaseUrl, database, signal), undefined, signal)
      print(`${name}: the tables of the index are of this release`)
    }
    return 0
  })
}
