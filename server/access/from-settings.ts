import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { NetworkConfig } from '../config/networks.ts'
import type { Config } from '../config/settings.ts'
import type { Refusal } from '../metrics/meter.ts'
import type { Database } from '../store/postgres/database-server.ts'
import { type Access, createAccess } from './access.ts'
import { createMemoryLimiter, type Limiter } from './limiter.ts'

export interface FromSettingsDeps {
  readonly database: Database
  readonly networks: readonly NetworkConfig[]
  readonly log: Log
  readonly clock: Clock
  readonly refused: (why: Refusal) => void
}

/**
 * Creates the access control from the settings. The process's database stores the keys. A temporary database cannot contain any, so it is only opened if
 * `keys` is `on`.
 */
export const accessFromSettings = async (config: Config, { database, clock, ...deps }: FromSettingsDeps): Promise<Access> => {
  const local = createMemoryLimiter(clock.ticks)
  const counting = async (): Promise<Limiter> => {
    if (config.redisUrl === undefined) return local
    const { createRedisLimiter } = await import('./redis-limiter.ts')
    return createRedisLimiter({ url: config.redisUrl, fail: config.limitsFail }, { log: deps.log, ticks: clock.ticks, local })
  }
  const hasDatabase = config.databaseUrl !== undefined || config.dataDir !== undefined
  const needsKeys = deps.networks.some(({ keys }) => keys === 'on')
  return createAccess({
    ...deps,
    limiter: await counting(),
    now: () => clock.now() * 1000,
    ticks: clock.ticks,
    trustedProxies: config.trustedProxies,
    open: hasDatabase || needsKeys ? (signal) => database.open(undefined, signal) : undefined,
  })
}
