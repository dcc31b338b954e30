import type { Config } from '../config/settings.ts'
import { chooseNetwork } from './find-network.ts'
import type { Streams } from './streams.ts'
import { untilStopped } from './until-stopped.ts'

/** `tonway verify`: derives the rows of an index from the blocks again. Returns the exit code: 0 no differences, 1 differences, 2 nothing to verify. */
export const verify = async (config: Config, only: string | undefined, { print, printError, draw }: Streams): Promise<number> => {
  const network = chooseNetwork(config, only, printError)
  if (network === undefined) return 2
  const [{ runVerify }, { createLog }] = await Promise.all([import('../network/verify-index.ts'), import('../base/log.ts')])
  const database = network.databaseUrl === config.databaseUrl ? config : network
  try {
    return await untilStopped((signal) =>
      runVerify(network, database, { print, printError, draw, log: createLog(config.log, undefined, config.logFormat), signal }),
    )
  } catch (error) {
    printError(`tonway: cannot verify: ${(error as Error).message}`)
    return 2
  }
}
