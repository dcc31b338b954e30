import type { Config } from '../config.ts'
import { isIndexed, networkConfigs } from '../network-config.ts'
import { onFaults, onSignals } from '../shutdown.ts'
import { VERSION } from '../version.ts'
import { showProgress } from './serve.ts'
import type { Streams } from './streams.ts'

/** `tonway index`: follows the networks and keeps their index until a signal ends it. Gives an exit code where there is nothing to do. */
export const indexOnly = async (config: Config, streams: Streams): Promise<number | undefined> => {
  const configs = networkConfigs(config).filter(isIndexed)
  if (configs.length === 0) {
    streams.complain(`tonway: there is nothing to index: the index of ${config.network.join(', ')} is off`)
    return 2
  }
  const [{ openNetworks }, { createLog }] = await Promise.all([import('../open-networks.ts'), import('../log.ts')])
  const log = createLog(config.log)
  const exit = (code: number): never => process.exit(code)
  let stop: () => Promise<void> = async () => {}
  onSignals({ log, close: () => stop(), exit })
  onFaults({ log, exit })
  const networks = openNetworks(config, configs, { log })
  stop = networks.close
  try {
    await networks.started()
  } catch (error) {
    streams.complain(`tonway: cannot start: ${(error as Error).message}`)
    await networks.close()
    return 1
  }
  streams.print(`tonway ${VERSION}, indexing ${networks.rooms.map((room) => room.config.name).join(', ')}`)
  await showProgress(networks.rooms, streams)
  return undefined
}
