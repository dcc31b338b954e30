import { networkConfigs } from '../config/networks.ts'
import type { Config } from '../config/settings.ts'
import type { Streams } from './streams.ts'
import { untilStopped } from './until-stopped.ts'

/** `tonway verify`: returns the exit code. */
export const verify = async (config: Config, only: string | undefined, { print, complain, draw }: Streams): Promise<number> => {
  const network = networkConfigs(config).find(({ name }) => only === undefined || name === only)
  if (network === undefined) {
    complain(`tonway: network ${only} is not among the networks: ${config.network.join(', ')}`)
    return 2
  }
  const [{ runVerify }, { createLog }] = await Promise.all([import('../network/verify-index.ts'), import('../base/log.ts')])
  const database = network.databaseUrl === config.databaseUrl ? config : network
  try {
    return await untilStopped((signal) =>
      runVerify(network, database, { print, complain, draw, log: createLog(config.log, undefined, config.logFormat), signal }),
    )
  } catch (error) {
    complain(`tonway: cannot verify: ${(error as Error).message}`)
    return 2
  }
}
