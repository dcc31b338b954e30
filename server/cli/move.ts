import type { Config } from '../config/settings.ts'
import type { Streams } from './streams.ts'
import { untilStopped } from './until-stopped.ts'

export const move = async (config: Config, streams: Pick<Streams, 'print' | 'printError' | 'draw'>): Promise<number> => {
  const { dataDir, databaseUrl } = config
  if (dataDir === undefined || databaseUrl === undefined) {
    streams.printError(
      'tonway: move needs both: --data-dir, whose embedded database is copied, and --database-url (DATABASE_URL), where it is copied to',
    )
    return 2
  }
  const { runMove } = await import('../network/move-database.ts')
  try {
    return await untilStopped((signal) => runMove(config, { dataDir, databaseUrl }, { ...streams, signal }))
  } catch (error) {
    streams.printError(`tonway: cannot move: ${(error as Error).message}`)
    return 1
  }
}
