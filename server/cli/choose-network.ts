import { UserError } from '../base/user-error.ts'
import { isIndexed, type NetworkConfig, networkConfigs } from '../config/networks.ts'
import type { Config } from '../config/settings.ts'

/** Finds the network that a flag names; without the flag, the first network. Throws UserError if the settings do not have it. */
export const chooseNetwork = (config: Config, only: string | undefined): NetworkConfig => {
  const network = networkConfigs(config).find(({ name }) => only === undefined || name === only)
  if (network === undefined) throw new UserError(`network ${only} is not among the networks: ${config.network.join(', ')}`)
  return network
}

/** Throws UserError if there is no index. */
export const indexedNetworks = (config: Config): readonly [NetworkConfig, ...NetworkConfig[]] => {
  const [first, ...others] = networkConfigs(config).filter(isIndexed)
  if (first === undefined) throw new UserError(`there is nothing to index: the index of ${config.network.join(', ')} is off`)
  return [first, ...others]
}

/** Settings of the database of a network: the common one, or its own. */
export const databaseOf = (network: NetworkConfig, config: Config): Config | NetworkConfig =>
  network.databaseUrl === config.databaseUrl ? config : network
