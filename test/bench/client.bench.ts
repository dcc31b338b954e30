import { http as viemHttp } from 'viem'
import { createClient } from '../../client/index.ts'
import { browserSize } from '../client/size.ts'
import type { Bench, Rig } from './bench.ts'
import { startService } from './service.ts'

/* The client beside what a frontend developer would take otherwise; the service runs in a process of its own and is the same for both. */

/** No idle blocks: after the first run every answer comes from the cache, so that what is measured is how calls travel. */
const STILL = { TONWAY_BLOCK_TIME: '0' }
const CONCURRENT = 1_000
const ROUNDS = 5
/** Different reads, so that nothing is asked once for several. */
const addresses = Array.from({ length: CONCURRENT }, (_, i) => `0:${(i + 1).toString(16).padStart(64, '0')}`)
const together = async (read: (address: string, i: number) => Promise<unknown>): Promise<void> => {
  const balances = await Promise.all(addresses.map(read))
  if (balances.some((balance) => balance !== '0')) throw new Error('a balance that is none')
}

const againstViem: Bench = {
  name: `${CONCURRENT} concurrent reads in batches, against viem's http with batch: true`,
  target: { atLeast: 1 },
  basis: 'wall',
  pairs: 9,
  async setup(): Promise<Rig> {
    const service = await startService(STILL)
    const ton = createClient({ url: service.url })
    const viem = viemHttp(`${service.url}/jsonRPC`, { batch: true })({ retryCount: 0 })
    return {
      async ours() {
        for (let round = 0; round < ROUNDS; round++) await together((address) => ton.getAddressBalance({ address }))
      },
      async yardstick() {
        for (let round = 0; round < ROUNDS; round++)
          await together((address) => viem.request({ method: 'getAddressBalance', params: { address } } as never))
      },
      close: service.close,
    }
  },
}

const bare = async (url: string, id: number, address: string): Promise<unknown> => {
  const response = await fetch(`${url}/jsonRPC`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'getAddressBalance', params: { address } }),
  })
  return ((await response.json()) as { result: unknown }).result
}

const againstFetch: Bench = {
  name: `${CONCURRENT} concurrent reads in batches, against ${CONCURRENT} bare fetch calls`,
  target: { atLeast: 8 },
  basis: 'wall',
  async setup(): Promise<Rig> {
    const service = await startService(STILL)
    const ton = createClient({ url: service.url })
    return {
      ours: () => together((address) => ton.getAddressBalance({ address })),
      yardstick: () => together((address, i) => bare(service.url, i, address)),
      close: service.close,
    }
  },
}

const LONE = 2_000
const overhead: Bench = {
  name: 'CPU of one call beyond that of a bare fetch',
  target: { atMost: 30, unit: 'us' },
  async measure() {
    const service = await startService(STILL)
    const ton = createClient({ url: service.url })
    const cpu = async (read: (address: string, i: number) => Promise<unknown>): Promise<number> => {
      globalThis.gc?.()
      const before = process.cpuUsage()
      for (let i = 0; i < LONE; i++) await read(addresses[i % CONCURRENT]!, i)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / LONE
    }
    const ours: number[] = []
    const yardstick: number[] = []
    for (let pair = 0; pair < 8; pair++) {
      ours.push(await cpu((address) => ton.getAddressBalance({ address })))
      yardstick.push(await cpu((address, i) => bare(service.url, i, address)))
    }
    await service.close()
    // The first pair warms up.
    const median = (values: number[]): number => values.slice(1).sort((a, b) => a - b)[3]!
    const differences = ours.map((value, i) => value - yardstick[i]!)
    return { ours: median(ours), yardstick: median(yardstick), ratio: median(differences), unit: 'us cpu' }
  },
}

const CLIENT = './client/index.ts'
const KB = 1000

const size = (name: string, own: string, theirs: string, target: Bench['target']): Bench => ({
  name,
  target,
  async measure() {
    const [ours, yardstick] = await Promise.all([browserSize(own), browserSize(theirs)])
    const ratio = 'unit' in target ? ours.gzipped / KB : ours.gzipped / yardstick.gzipped
    return { ours: ours.gzipped / KB, yardstick: yardstick.gzipped / KB, ratio, unit: 'KB gz' }
  },
})
const core = `export { createClient } from '${CLIENT}'`
const whole = `export { createClient, webSocket, fallback } from '${CLIENT}'`
const viemCore = `export { http } from 'viem'`

export const benches: readonly Bench[] = [
  againstViem,
  againstFetch,
  overhead,
  size("size of createClient with HTTP, beside viem's http", core, viemCore, { atMost: 8.5, unit: 'KB gz' }),
  size('size with WebSocket and fallback, beside the same of viem', whole, `export { http, webSocket, fallback } from 'viem'`, {
    atMost: 11,
    unit: 'KB gz',
  }),
  size("size of createClient with HTTP, beside tRPC's batch link", core, `export { createTRPCClient, httpBatchLink } from '@trpc/client'`, {
    named: true,
  }),
  size('size of createClient with HTTP, against TonClient', core, `export { TonClient } from '@ton/ton'`, { atMost: 0.1 }),
]
