import { parseBocRoot } from '../../server/cell/boc.ts'
import { emulatorConfig } from '../kit/tvm/emulator/forms.ts'
import { sleep } from '../kit/wait.ts'
import type { Bench } from './bench.ts'
import { createLeastCall, startLeast } from './least.ts'
import { dial, load, seqnoRequest } from './load.ts'
import { type Service, startService } from './service.ts'

const accountName = (i: number): string => `0:${(i + 1).toString(16).padStart(64, '0')}`
const p50 = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!

interface Wallet {
  address: string
  version: string
}

const CALLS = 2_000
/** A service of its own process is compiled by its own calls: it is at its speed after some thousands. */
const WARM = 4_000

const SERVED = 5_000

/** A wallet of the service, and what the emulator needs to run a get-method of it. */
const givenWallet = async (service: Service) => {
  const { address } = (await service.rpc<{ wallets: Wallet[] }>('local.wallets')).wallets[0]!
  const { code, data, balance } = await service.rpc<{ code: string; data: string; balance: string }>('getAddressInformation', { address })
  const all = await service.rpc<{ config: { bytes: string } }>('getConfigAll')
  const config = Buffer.from(emulatorConfig(parseBocRoot(Buffer.from(all.config.bytes, 'base64'))).slim).toString('base64')
  return { code, data, balance, config, address }
}

/** Milliseconds at p50 of a get-method through HTTP beyond those of the same without the service. */
const getMethod = (name: string, without: 'call' | 'least'): Bench => ({
  name,
  target: { atMost: 0.5, unit: 'ms at p50' },
  async measure() {
    const service = await startService()
    try {
      const given = await givenWallet(service)
      let i = 0
      const through = async (url: string) => {
        const line = await dial(url)
        return () => line.ask(Buffer.from(seqnoRequest(given.address, i++)))
      }
      const least = without === 'least' ? await startLeast('get-method', given) : undefined
      const kinds = [await through(service.url), least ? await through(least.url) : await createLeastCall(given)]
      const times = kinds.map((): number[] => [])
      // In turn, so that a machine that slows down favours none.
      for (let n = 0; n < WARM + CALLS; n++) {
        for (const [kind, run] of kinds.entries()) {
          const start = performance.now()
          await run()
          if (n >= WARM) times[kind]!.push(performance.now() - start)
        }
      }
      least?.stop()
      const [ours, yardstick] = times.map(p50) as [number, number]
      return { ours, yardstick, ratio: ours - yardstick, unit: 'ms' }
    } finally {
      await service.close()
    }
  },
})

/** How many get-methods are served in a time. */
const manyGetMethods: Bench = {
  name: 'get-methods through HTTP, 64 connections, against bare node:http with the emulator in a thread',
  target: { atLeast: 2 },
  basis: 'wall',
  async setup() {
    const service = await startService()
    const given = await givenWallet(service)
    const least = await startLeast('get-method', given)
    let i = 0
    const serve = (url: string) => load(url, () => seqnoRequest(given.address, i++), SERVED)
    return {
      ours: () => serve(service.url),
      yardstick: () => serve(least.url),
      async close() {
        least.stop()
        await service.close()
      },
    }
  },
}

/** Memory after 100,000 idle blocks against memory once chain, index and the engine's heap have warmed up. */
const idleBlocks: Bench = {
  name: '100,000 idle blocks: memory against 20,000 blocks',
  target: { atMost: 1.15 },
  async measure() {
    const service = await startService()
    try {
      const wallet = (await service.rpc<{ wallets: Wallet[] }>('local.wallets')).wallets[0]!
      for (let n = 0; n < 20; n++) await service.rpc('local.mine', { count: 1000 })
      const start = service.rss()
      for (let n = 0; n < 80; n++) await service.rpc('local.mine', { count: 1000 })
      const end = service.rss()
      const old = await service.rpc<{ block_id: { seqno: number } }>('getAddressInformation', { address: wallet.address, seqno: 10 })
      if (old.block_id.seqno !== 10) throw new Error('the account at block 10 was not answered')
      return { ours: end, yardstick: start, ratio: end / start, unit: 'MB' }
    } finally {
      await service.close()
    }
  },
}

/** Resident memory of a new process with so many accounts, MB, some time after one get-method in the pool and one block. */
const residentAtRest = async (accounts: number, restMs: number): Promise<number> => {
  const service = await startService()
  try {
    const wallet = (await service.rpc<{ wallets: Wallet[] }>('local.wallets')).wallets[0]!
    const { code, data } = await service.rpc<{ code: string; data: string }>('getAddressInformation', { address: wallet.address })
    for (let done = 0; done < accounts; done += 500)
      await service.batch(
        Array.from({ length: 500 }, (_, i) => ({
          method: 'local.setAccount',
          params: { address: accountName(done + i), balance: '1000000000', code, data },
        })),
      )
    // A traced run goes to a thread of the pool.
    await service.rpc('runGetMethod', { address: wallet.address, method: 'seqno', stack: [], trace: true })
    await service.rpc('local.mine')
    await sleep(restMs)
    return service.rss()
  } finally {
    await service.close()
  }
}

const memory = (name: string, accounts: number, limit: number, restMs: number, processes = 1): Bench => ({
  name,
  target: { atMost: limit, unit: 'MB' },
  async measure() {
    const figures: number[] = []
    for (let i = 0; i < processes; i++) figures.push(await residentAtRest(accounts, restMs))
    const rss = p50(figures)
    return { ours: rss, yardstick: limit, ratio: rss, unit: 'MB' }
  },
})

const AT_REST = 'memory at rest, after one get-method in the pool and one block'
/** When V8 collects differs by some MB from process to process: the median of several is told. */
const PROCESSES = 3

const getMethods: readonly Bench[] = [
  getMethod('get-method through HTTP, more than the emulator itself', 'call'),
  getMethod('get-method through HTTP, more than bare node:http with the emulator in a thread', 'least'),
  manyGetMethods,
]

export const benches: readonly Bench[] = [
  ...getMethods,
  idleBlocks,
  memory(`${AT_REST}, 10 s later (median of ${PROCESSES})`, 0, 150, 10_000, PROCESSES),
  memory(`${AT_REST}, 75 s later (median of ${PROCESSES})`, 0, 150, 75_000, PROCESSES),
  memory('memory with 100,000 accounts', 100_000, 450, 3_000),
]
