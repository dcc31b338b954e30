import { createLog } from '../base/log.ts'
import { runVerify } from '../network/verify-index.ts'
import { chooseNetwork, databaseOf } from './choose-network.ts'
import type { Given, Streams } from './streams.ts'
import { untilStopped } from './until-stopped.ts'

/** `tonway verify`: derives the rows of an index from the blocks again. Returns the exit code: 0 no differences, 1 differences, 2 nothing to verify. */
export const verify = async ({ config, flags }: Given, streams: Streams): Promise<number> => {
  const network = chooseNetwork(config, flags['only'], streams)
  if (network === undefined) return 2
  const log = createLog(config.log, undefined, config.logFormat)
  return await untilStopped('verify', 2, streams, (signal) => runVerify(network, databaseOf(network, config), { ...streams, log, signal }))
}
