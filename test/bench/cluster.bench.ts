import { readdirSync } from 'node:fs'
import { startRedis } from '../kit/service/redis.ts'
import type { Bench } from './bench.ts'
import { dial, getRequest } from './load.ts'
import { processorMs, type Service, startService, statOf } from './service.ts'

const REQUESTS = 4_000
const WARM = 6_000
const CONNECTIONS = 16
const CHAIN = { TONWAY_BLOCK_TIME: '0', TONWAY_INDEX: 'off', TONWAY_LITESERVER_PORT: '0' }

/** Reads of accounts that nobody asked for before: each is read from the chain, proven and decoded. */
const createReader = (url: string): ((requests: number) => Promise<void>) => {
  let account = 1
  return async (requests) => {
    let sent = 0
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        const line = await dial(url)
        while (sent++ < requests) {
          const address = `0:${(account++).toString(16).padStart(64, '0')}`
          await line.ask(Buffer.from(getRequest(`/api/v2/getAddressInformation?address=${address}`)))
        }
        line.close()
      }),
    )
  }
}

/** A service's processes: the one that was started, and its workers. */
const processesOf = ({ child }: Service): number[] => {
  const children = readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && statOf(name)[1] === String(child.pid)
    } catch {
      return false
    }
  })
  return [child.pid!, ...children.map(Number)]
}

/** CPU microseconds of a request in each process, when the code is warm. The chain is that of another service, whose time does not count. */
const costOf = async (workers: number): Promise<number[]> => {
  const [chain, redis] = await Promise.all([startService(CHAIN), startRedis()])
  const service = await startService({
    TONWAY_NETWORK: 'copy',
    TONWAY_GLOBAL_CONFIG: `${chain.url}/global.config.json`,
    TONWAY_INDEX: 'off',
    TONWAY_ANONYMOUS_RPS: 'unlimited',
    REDIS_URL: redis.url,
    TONWAY_WORKERS: String(workers),
  })
  try {
    const read = createReader(service.url)
    await read(WARM * workers)
    const pids = processesOf(service)
    const before = pids.map(processorMs)
    await read(REQUESTS)
    return pids.map((pid, i) => ((processorMs(pid) - before[i]!) * 1000) / REQUESTS)
  } finally {
    await service.close()
    await Promise.all([chain.close(), redis.close()])
  }
}

/**
 * On a machine that is also under the load it makes, the wall says little: what counts is how long a request keeps two free cores busy, which is half
 * of the CPU time of all processes, or all of that of the busiest one.
 */
const workers: Bench = {
  name: 'two workers against one process, uncached reads: CPU time of a request on two free cores',
  target: { atLeast: 1.5 },
  async measure() {
    const [one = 0] = await costOf(1)
    const several = await costOf(2)
    const ours = Math.max(several.reduce((sum, cost) => sum + cost, 0) / 2, ...several)
    return { ours, yardstick: one, ratio: one / ours, unit: 'us' }
  },
}

export const benches: readonly Bench[] = [workers]
