import { sleep } from '../kit/wait.ts'
import type { Bench } from './bench.ts'
import { dial, getRequest, load, postRequest, rpcRequest } from './load.ts'
import { type Service, startService } from './service.ts'

/* What watching costs, and what a long day looks like. */

const CACHED = getRequest('/api/v2/getMasterchainInfo')
const COUNT = 20_000

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!

/** Fresh pairs of services: processes of one program differ for as long as they live. */
const SERVICES = 5
const PAIRS = 5

/** CPU milliseconds of runs of the same cached reads by two services, alternately. */
const pairsOfServices = async (on: Service, off: Service): Promise<readonly (readonly [number, number])[]> => {
  const time = async (service: Service): Promise<number> => {
    const before = service.cpu()
    await load(service.url, CACHED, COUNT)
    return service.cpu() - before
  }
  for (const service of [on, off, on, off]) await time(service)
  const pairs: (readonly [number, number])[] = []
  for (let pair = 0; pair < PAIRS; pair++) {
    // The side that goes first changes, so that a machine that slows down favours neither.
    const first = pair % 2 === 0
    const a = await time(first ? on : off)
    const b = await time(first ? off : on)
    pairs.push(first ? [a, b] : [b, a])
  }
  return pairs
}

/** Cached reads while calls are counted and Prometheus comes by every second, against a service that counts nothing: CPU of the service itself. */
const metrics: Bench = {
  name: 'cached reads with metrics on and scraped, against off',
  target: { atLeast: 0.95 },
  async measure() {
    const pairs: (readonly [number, number])[] = []
    for (let i = 0; i < SERVICES; i++) {
      const [on, off] = await Promise.all([startService({ TONWAY_METRICS: 'local' }), startService({ TONWAY_METRICS: 'off' })])
      const scraping = setInterval(() => {
        fetch(`${on.url}/metrics`).then(
          (answer) => answer.text(),
          () => {},
        )
      }, 1_000)
      try {
        pairs.push(...(await pairsOfServices(on, off)))
      } finally {
        clearInterval(scraping)
        await Promise.all([on.close(), off.close()])
      }
    }
    const ratio = median(pairs.map(([ours, bare]) => bare / ours))
    return { ours: median(pairs.map(([ours]) => ours)), yardstick: median(pairs.map(([, bare]) => bare)), ratio, unit: 'ms cpu' }
  },
}

/** Seconds of the long line: 30 in a run of everything, `npm run bench -- saturation --soak=600` for ten minutes. */
const SOAK = Number(process.argv.find((arg) => arg.startsWith('--soak='))?.slice('--soak='.length) ?? 30)
const LINES = 16
const WARM_BLOCKS = 2_500

const rpc = (method: string, params: object): Buffer => Buffer.from(rpcRequest(method, params))

/** What clients ask, mostly again and again: cached, per account, run by the TVM, from the index, in batches. */
const createMix = async (service: Service): Promise<(n: number) => Buffer> => {
  const { wallets } = await service.rpc<{ wallets: { address: string }[] }>('local.wallets')
  const account = (n: number): string =>
    n % 3 === 0 ? wallets[n % wallets.length]!.address : `0:${(n % 500).toString(16).padStart(64, '0')}`
  return (n) => {
    const kind = n % 20
    if (kind < 11) return Buffer.from(CACHED)
    if (kind < 16) return rpc('getAddressInformation', { address: account(n) })
    if (kind === 16) return rpc('runGetMethod', { address: wallets[0]!.address, method: 'seqno', stack: [['num', String(n)]] })
    if (kind === 17) return Buffer.from(getRequest('/api/v3/transactions?limit=5'))
    if (kind === 18) return rpc('getTransactions', { address: wallets[0]!.address, limit: 5 })
    const calls = Array.from({ length: 10 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'getAddressBalance',
      params: { address: account(n + id) },
    }))
    return Buffer.from(postRequest('/jsonRPC', JSON.stringify(calls)))
  }
}

/** Requests a second over some time, at most `most` of them. Any answer but 200 fails (load.ts). */
const drive = async (service: Service, next: () => Buffer, seconds: number, most = Number.POSITIVE_INFINITY): Promise<number> => {
  const start = performance.now()
  const elapsed = (): number => (performance.now() - start) / 1000
  let sent = 0
  await Promise.all(
    Array.from({ length: LINES }, async () => {
      const line = await dial(service.url)
      while (elapsed() < seconds) {
        const ahead = sent / most - elapsed()
        if (ahead > 0) await sleep(Math.min(ahead * 1000, 50))
        else {
          sent++
          await line.ask(next())
        }
      }
      line.close()
    }),
  )
  return sent / elapsed()
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

const soak: Bench = {
  name: `${SOAK} s at 80 % of saturation: memory at the end against after warming up, and no 5xx`,
  target: { atMost: 1.05 },
  async measure() {
    const service = await startService()
    try {
      const mix = await createMix(service)
      let n = 0
      const next = (): Buffer => mix(n++)
      // The index has its first block, the engine its code.
      for (let ready = false; !ready; ready = (await fetch(`${service.url}/ready`)).ok) await sleep(200)
      // What is kept of recent blocks is bounded, and full after some 2,000 of them; the engine settles on its heap while it is driven.
      for (let mined = 0; mined < WARM_BLOCKS; mined += 100) await service.rpc('local.mine', { count: 100 })
      await drive(service, next, Math.max(10, SOAK / 6))
      const saturation = await drive(service, next, 5)
      const memory: number[] = []
      const sampling = setInterval(() => memory.push(service.rss()), 250)
      await drive(service, next, SOAK, saturation * 0.8)
      clearInterval(sampling)
      const failed = [
        ...(await (await fetch(`${service.url}/metrics`)).text()).matchAll(/^tonway_calls_total\{.*status="(5\d\d)"\} (\d+)$/gm),
      ]
      if (failed.length > 0) throw new Error(`calls failed: ${failed.map(([line]) => line).join(', ')}`)
      const fifth = Math.floor(memory.length / 5)
      const [begin, end] = [mean(memory.slice(0, fifth)), mean(memory.slice(-fifth))]
      return { ours: end, yardstick: begin, ratio: end / begin, unit: `MB at ${Math.round(saturation * 0.8)}/s` }
    } finally {
      await service.close()
    }
  },
}

export const benches: readonly Bench[] = [metrics, soak]
