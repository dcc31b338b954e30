import { runMove } from '../network/move-database.ts'
import type { Given, Streams } from './streams.ts'
import { untilStopped } from './until-stopped.ts'

export const move = async ({ config }: Pick<Given, 'config'>, streams: Pick<Streams, 'print' | 'printError' | 'draw'>): Promise<number> => {
  const { dataDir, databaseUrl } = config
  if (dataDir === undefined || databaseUrl === undefined) {
    streams.printError(
      'tonway: move needs both: --data-dir, whose embedded database is copied, and --database-url (DATABASE_URL), where it is copied to',
    )
    return 2
  }
  return await untilStopped('move', 1, streams, (signal) => runMove(config, { dataDir, databaseUrl }, { ...streams, signal }))
}
