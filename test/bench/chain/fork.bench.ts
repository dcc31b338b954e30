import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTonway } from '../../../server/start/start.ts'
import type { Tonway } from '../../../server/start/types.ts'
import { freePort } from '../../kit/free-port.ts'
import type { Bench } from '../bench.ts'
import { startService } from '../service.ts'

/* A fork of a service of its own process, over ADNL. */

const ACCOUNTS = 2_000
const WARM_UPS = 500

const genesis = {
  accounts: Array.from({ length: ACCOUNTS }, (_, i) => ({
    // Spread over the dictionary, as accounts of a network are.
    address: `0:${((i * 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')}${(i + 1).toString(16).padStart(56, '0')}`,
    balance: '1000000000',
  })),
}
const addresses = genesis.accounts.map(({ address }) => address)

/** A service with accounts, and a fork of it in this process. */
const startFork = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonway-bench-'))
  const file = join(folder, 'genesis.json')
  writeFileSync(file, JSON.stringify(genesis))
  const remote = await startService({ TONWAY_GENESIS: file, TONWAY_INDEX: 'off', TONWAY_LITESERVER_PORT: String(await freePort()) })
  const fork = await startTonway({ port: 'off', fork: `${remote.url}/global.config.json` })
  return {
    fork,
    async close() {
      await fork.close()
      await remote.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const readAll = async ({ client }: Tonway): Promise<void> => {
  for (const address of addresses) await client.getAddressBalance({ address })
}

/** Median milliseconds of a read of an account that was not read before. */
const firstReads = async (): Promise<number> => {
  const { fork, close } = await startFork()
  const times: number[] = []
  for (const address of addresses) {
    const began = performance.now()
    await fork.client.getAddressBalance({ address })
    times.push(performance.now() - began)
  }
  await close()
  return times.slice(WARM_UPS).sort((a, b) => a - b)[(ACCOUNTS - WARM_UPS) >> 1]!
}

export const benches: readonly Bench[] = [
  {
    name: 'a forked account: its first read, over ADNL on this machine, p50',
    target: { atMost: 5, unit: 'ms' },
    async measure() {
      const ours = await firstReads()
      return { ours, yardstick: 5, ratio: ours, unit: 'ms' }
    },
  },
  {
    name: `a forked account: the next read of ${ACCOUNTS}, beside those of a chain that is no fork`,
    target: { atLeast: 0.9 },
    async setup() {
      const { fork, close } = await startFork()
      const plain = await startTonway({ port: 'off', genesis })
      await readAll(fork)
      return {
        // Answers are kept until the next block.
        ready: async (side) => void (await (side === 'ours' ? fork : plain).client.local.mine({ count: 1 })),
        ours: () => readAll(fork),
        yardstick: () => readAll(plain),
        async close() {
          await plain.close()
          await close()
        },
      }
    },
  },
]
