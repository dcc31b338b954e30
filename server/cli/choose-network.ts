import { type NetworkConfig, networkConfigs } from '../config/networks.ts'
import type { Config } from '../config/settings.ts'
import type { Streams } from './streams.ts'

/** Finds the network of `--only`; without `--only`, the first network. Prints an error and returns undefined if the settings do not have it. */
export const chooseNetwork = (
  config: Config,
  only: string | undefined,
  { printError }: Pick<Streams, 'printError'>,
): NetworkConfig | undefined => {
  const network = networkConfigs(config).find(({ name }) => only === undefined || name === only)
  if (network === undefined) printError(`tonway: network ${only} is not among the networks: ${config.network.join(', ')}`)
  return network
}

/** Settings of the database of a network: the common one, or its own. */
export const databaseOf = (network: NetworkConfig, config: Config): Config | NetworkConfig =>
  network.databaseUrl === config.databaseUrl ? config : network
