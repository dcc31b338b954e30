import { once } from 'node:events'
import { Redis, type RedisOptions } from 'ioredis'
import { TonError } from '../../shared/errors.ts'
import { settledWithin } from '../base/abort.ts'
import { errorText } from '../base/error-text.ts'
import type { Log } from '../base/log.ts'
import { Lru } from '../base/memory/lru.ts'
import { oneAtATime } from '../base/promises/one-at-a-time.ts'
import type { LimitsTrouble } from '../metrics/figures.ts'
import type { Limiter } from './limiter.ts'
import { TAKE } from './redis-script.ts'
import { TICKS } from './window.ts'

export interface RedisLimiterOptions {
  readonly url: string
  /** While Redis is not reachable, `open` counts units in this process, and `closed` refuses calls with a limit. */
  readonly fail: 'open' | 'closed'
}

export interface RedisLimiterDeps {
  readonly log: Log
  readonly ticks: () => number
  /** Counts while Redis is not reachable. */
  readonly local: Limiter
}

/** Milliseconds. */
const TIMES = {
  /** Time for an answer. A caller waits no longer. */
  command: 500,
  connect: 2_000,
  /** Interval at which Redis is tried again after a failure. Until it is back, `fail` applies to all calls. */
  retry: 250,
  /** Time for the first connection. Afterwards the service starts, and counts without Redis. */
  start: 1_500,
}
const EFFECTS = {
  open: 'limits are counted by this process alone until Redis is back',
  closed: 'calls with a limit get 503 until Redis is back',
}
const PREFIX = 'tonway:limit:'
/** Bucket of no caller. */
const PROBE = 'probe'
const MAX_REFUSED = 20_000

const options: RedisOptions = {
  scripts: { takeUnits: { lua: TAKE, numberOfKeys: 1 } },
  enableOfflineQueue: false,
  enableAutoPipelining: true,
  maxRetriesPerRequest: 0,
  commandTimeout: TIMES.command,
  connectTimeout: TIMES.connect,
  connectionName: 'tonway',
  retryStrategy: (times) => Math.min(50 * times, 1_000),
  // A server that has become a replica refuses writes. A new connection may reach the primary.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
}

interface TakingRedis extends Redis {
  takeUnits(bucket: string, limit: number, weight: number, tick: string, done: string): Promise<number>
}

/** Resolves when Redis can be reached, or after a while without it. */
export const createRedisLimiter = async ({ url, fail }: RedisLimiterOptions, { log, ticks, local }: RedisLimiterDeps): Promise<Limiter> => {
  const redis = new Redis(url, options) as TakingRedis
  /** Until the oldest units of a bucket expire, no call of at least this weight fits. It is refused without asking Redis, which a flood would load. */
  const refused = new Lru<string, { readonly until: number; readonly limit: number; readonly weight: number }>({ max: MAX_REFUSED })
  let well = true
  let closed = false
  /** Why the last connection failed. */
  let fault: Error | undefined
  /** Why the last call on this connection failed. */
  let failure: string | undefined
  // The call that meets a failure logs it. Without this listener, ioredis would print the error.
  redis.on('error', (error) => {
    fault = error
  })
  redis.on('ready', () => {
    fault = undefined
    failure = undefined
    retry()
  })

  /** Logs when Redis becomes available or unavailable. Only the message of an error is logged, because its command may contain the password. */
  const report = (now: boolean, error?: unknown): void => {
    failure = now ? undefined : errorText(error)
    if (now === well || closed) return
    well = now
    if (now) log.info('limits.redis_restored')
    else log.error('limits.redis_lost', { fail, reason: failure })
  }

  /** Reads the connection too, because a service without calls would not notice that Redis is away, or back. */
  const trouble = (): LimitsTrouble | undefined => {
    const reason = redis.status === 'ready' ? failure : fault === undefined ? `Redis: ${redis.status}` : errorText(fault)
    return reason === undefined ? undefined : { effect: EFFECTS[fail], reason: `${reason} (REDIS_URL)` }
  }

  const without = (bucket: string, limit: number, weight: number): boolean | Promise<boolean> => {
    if (fail === 'open') return local.take(bucket, limit, weight)
    throw new TonError('UNAVAILABLE', 'limits cannot be counted at the moment', { retryAfter: 1 })
  }

  /** Runs the script in Redis. `done`: if it is not empty, the units are counted even if they exceed the limit. */
  const evaluate = async (bucket: string, limit: number, weight: number, done = ''): Promise<number> =>
    redis.takeUnits(PREFIX + bucket, limit, weight, '', done)

  const count = async (bucket: string, limit: number, weight: number): Promise<boolean> => {
    const sentAt = ticks()
    try {
      const wait = await evaluate(bucket, limit, weight)
      report(true)
      // `sentAt` is before the query, so the time is never too long.
      if (wait >= 0) refused.set(bucket, { until: sentAt + (wait * 1000) / TICKS, limit, weight })
      return wait < 0
    } catch (error) {
      report(false, error)
      return without(bucket, limit, weight)
    }
  }

  const take = (bucket: string, limit: number, weight: number): boolean | Promise<boolean> => {
    const refusal = refused.get(bucket)
    if (refusal && ticks() < refusal.until && limit === refusal.limit && weight >= refusal.weight) return false
    if (redis.status !== 'ready') report(false, fault ?? new Error(`Redis: ${redis.status}`))
    else if (well) return count(bucket, limit, weight)
    return without(bucket, limit, weight)
  }

  /** Charges units in Redis. While Redis is not reachable, and `fail` is `open`, charges them in this process. No caller awaits it. */
  const charge = async (bucket: string, limit: number, units: number): Promise<void> => {
    if (well && redis.status === 'ready') {
      try {
        await evaluate(bucket, limit, units, 'done')
        return
      } catch (error) {
        report(false, error)
      }
    }
    if (fail === 'open') local.charge(bucket, limit, units)
  }

  /** Asks by the script, because a Redis that answers PING may still refuse writes. One query is sent at a time, because it can take TIMES.command. */
  const retry = oneAtATime(async () => {
    if (well || redis.status !== 'ready') return
    await evaluate(PROBE, 1, 1).then(
      () => report(true),
      (error: unknown) => report(false, error),
    )
  })
  const retrying = setInterval(retry, TIMES.retry).unref()

  await settledWithin(once(redis, 'ready'), TIMES.start)
  return {
    take,
    charge: (bucket, limit, units) => void charge(bucket, limit, units),
    trouble,
    async close() {
      closed = true
      clearInterval(retrying)
      redis.disconnect()
      await local.close()
    },
  }
}
