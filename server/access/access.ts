import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { anonymousLimit, checksKeys, type NetworkConfig } from '../config/networks.ts'
import type { Config } from '../config/settings.ts'
import type { AccessFigures } from '../metrics/figures.ts'
import type { Refusal } from '../metrics/meter.ts'
import type { Database } from '../store/postgres/database-server.ts'
import { createClientAddress } from './client-address.ts'
import { createGate, type NetworkRules } from './gate.ts'
import { createMemoryLimiter, type Limiter } from './limiter.ts'

export interface AccessDeps {
  readonly database: Database
  readonly networks: readonly NetworkConfig[]
  readonly log: Log
  readonly clock: Clock
  readonly refused: (why: Refusal) => void
}

const KEYS_AWAY =
  'keys cannot be checked until their database is back: those in use are valid for a minute, and calls with any other get 503'

const rulesOf = (network: NetworkConfig): NetworkRules => ({ anonymous: anonymousLimit(network), keys: checksKeys(network) })

const createLimiter = async ({ redisUrl, limitsFail }: Config, { log, clock: { ticks } }: AccessDeps): Promise<Limiter> => {
  const local = createMemoryLimiter(ticks)
  if (redisUrl === undefined) return local
  const { createRedisLimiter } = await import('./redis-limiter.ts')
  return createRedisLimiter({ url: redisUrl, fail: limitsFail }, { log, ticks, local })
}

/** Creates the access control from the settings. The process's database stores the keys. */
export const createAccess = async (config: Config, deps: AccessDeps) => {
  const { database, networks, log, clock, refused } = deps
  const now = (): number => clock.now() * 1000
  const rules = new Map(networks.map((network) => [network.name, rulesOf(network)]))
  const limiter = await createLimiter(config, deps)
  // A temporary database cannot contain keys, so it is opened only if a setting demands keys.
  const canHaveKeys = config.databaseUrl !== undefined || config.dataDir !== undefined || networks.some(({ keys }) => keys === 'on')
  const needsKeys = [...rules.values()].some(({ keys }) => keys)
  const open = (signal: AbortSignal) => database.open(undefined, signal)
  // Imported only here, with the PostgreSQL driver, because most embedded chains have no keys.
  const keys = canHaveKeys && needsKeys ? (await import('./key-database.ts')).createKeyDatabase({ open, log, clock }) : undefined
  const clientAddress = createClientAddress(config.trustedProxies)
  return {
    gate: createGate({ rules, directory: keys?.directory, limiter, clientAddress, now, refused }),
    clientAddress,
    /** undefined if no keys are checked. */
    store: keys?.store,
    /**
     * Resolves with those of the owners that have a valid key of a network. Rejects while the key database is not reachable. undefined if no keys are checked.
     */
    owners: keys && (async (network: string, of: readonly string[]) => (await keys.store()).ownersOf(network, of)),
    figures(): AccessFigures {
      const trouble = limiter.trouble?.()
      const state = keys === undefined ? 'none' : keys.well() ? 'ready' : 'away'
      return {
        keys: state,
        keys_trouble: state === 'away' ? KEYS_AWAY : undefined,
        known_keys: keys?.directory.size() ?? 0,
        limits: config.redisUrl === undefined ? 'memory' : trouble === undefined ? 'redis' : 'redis away',
        limits_trouble: trouble,
      }
    },
    async close(): Promise<void> {
      await Promise.all([keys?.close(), limiter.close()])
    },
  }
}
