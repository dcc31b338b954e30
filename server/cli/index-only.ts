import { onFaults, onSignals } from '../base/shutdown.ts'
import { watchStalls } from '../base/stalls/watch.ts'
import { startTracing } from '../base/tracing/tracer.ts'
import { VERSION } from '../base/version.ts'
import { isIndexed, type NetworkConfig, networkConfigs } from '../config/networks.ts'
import type { Config } from '../config/settings.ts'
import type { Networks } from '../network/networks.ts'
import { indexRange, readRange } from './index-range.ts'
import { showProgress } from './serve.ts'
import type { Streams } from './streams.ts'

/** Why an index would be lost when the command ends; undefined if it is stored. */
const lossOf = ({ name, local, dataDir, databaseUrl }: NetworkConfig): string | undefined => {
  if (databaseUrl === undefined && dataDir === undefined)
    return `index needs a place that keeps the index of ${name}: --data-dir, or --database-url (DATABASE_URL) for a PostgreSQL of yours`
  return local && dataDir === undefined ? `index needs a --data-dir that keeps the embedded chain of ${name}` : undefined
}

/**
 * `tonway index`: follows the networks and indexes them until a signal arrives; resolves with undefined once they run. With `--to`, resolves with an exit
 * code once that block is indexed. Also resolves with an exit code if it cannot start.
 */
export const indexOnly = async (
  config: Config,
  flags: { readonly from: string | undefined; readonly to: string | undefined },
  streams: Streams,
): Promise<number | undefined> => {
  const indexed = networkConfigs(config).filter(isIndexed)
  if (indexed.length === 0) {
    streams.printError(`tonway: there is nothing to index: the index of ${config.network.join(', ')} is off`)
    return 2
  }
  const problems: string[] = []
  const { from, to } = readRange(flags, indexed, problems)
  problems.push(...indexed.map(lossOf).filter((loss) => loss !== undefined))
  for (const problem of problems) streams.printError(`tonway: ${problem}`)
  if (problems.length > 0) return 2
  const configs = from === undefined ? indexed : indexed.map((each) => ({ ...each, indexFrom: from }))
  if (to !== undefined) return indexRange(config, configs[0]!, to, streams)
  const [{ openNetworks }, { createLog }] = await Promise.all([import('../network/open-networks.ts'), import('../base/log.ts')])
  const log = createLog(config.log, undefined, config.logFormat)
  const exit = (code: number): never => process.exit(code)
  let stop: () => Promise<void> = async () => {}
  onSignals({ log, close: () => stop(), exit })
  onFaults({ log, exit })
  watchStalls(config)
  let networks: Networks | undefined
  try {
    const stopTracing = await startTracing(config.otlpEndpoint, (reason) => log.warn('tracing.trouble', { reason }))
    const opened = openNetworks(config, configs, { log })
    networks = opened
    stop = async () => {
      await opened.close()
      await stopTracing()
    }
    await networks.started()
  } catch (error) {
    streams.printError(`tonway: cannot start: ${(error as Error).message}`)
    await networks?.close()
    return 1
  }
  streams.print(`tonway ${VERSION}, indexing ${networks.supervisors.map((supervisor) => supervisor.config.name).join(', ')}`)
  await showProgress(networks.supervisors, streams)
  return undefined
}
