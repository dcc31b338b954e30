import { setTimeout as sleep } from 'node:timers/promises'
import { Address, Cell as CoreCell } from '@ton/core'
import { Executor } from '@ton/sandbox/dist/executor/Executor.js'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { makeTvmConfig } from '../../server/tvm/config.ts'
import type { Bench } from './bench.ts'
import { dial, postRequest } from './load.ts'
import { startService } from './service.ts'

const accountName = (i: number): string => `0:${(i + 1).toString(16).padStart(64, '0')}`
const p50 = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!

interface Wallet {
  address: string
  version: string
}

/** What HTTP, dispatch, the verified account and the pool add to the emulator's own get-method call, milliseconds at p50. */
const getMethod: Bench = {
  name: 'get-method through HTTP, more than the emulator itself',
  target: { atMost: 0.5, unit: 'ms at p50' },
  async measure() {
    const service = await startService()
    try {
      const wallet = (await service.rpc<{ wallets: Wallet[] }>('local.wallets')).wallets[0]!
      const state = await service.rpc<{ code: string; data: string; balance: string }>('getAddressInformation', { address: wallet.address })
      const all = await service.rpc<{ config: { bytes: string } }>('getConfigAll')
      const config = Buffer.from(makeTvmConfig(parseBocRoot(Buffer.from(all.config.bytes, 'base64'))).slim).toString('base64')
      const executor = await Executor.create()
      const code = CoreCell.fromBase64(state.code)
      const data = CoreCell.fromBase64(state.data)
      const own = async (): Promise<void> => {
        await executor.runGetMethod({
          code,
          data,
          methodId: 85143,
          stack: [],
          config,
          verbosity: 'short',
          address: Address.parse(wallet.address),
          unixTime: 1_800_000_000,
          balance: BigInt(state.balance),
          randomSeed: Buffer.alloc(32, 1),
          gasLimit: 1_000_000n,
          debugEnabled: false,
        })
      }
      // The stack differs in each call, so that no cache answers.
      let i = 0
      const line = await dial(service.url)
      const through = () => {
        const params = { address: wallet.address, method: 'seqno', stack: [['num', String(i++)]] }
        return line.ask(Buffer.from(postRequest('/jsonRPC', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'runGetMethod', params }))))
      }
      const timed = async (run: () => Promise<unknown>): Promise<number> => {
        const start = performance.now()
        await run()
        return performance.now() - start
      }
      for (let warm = 0; warm < 200; warm++) {
        await own()
        await through()
      }
      const ours: number[] = []
      const bare: number[] = []
      for (let n = 0; n < 1000; n++) {
        bare.push(await timed(own))
        ours.push(await timed(through))
      }
      line.close()
      const [a, b] = [p50(ours), p50(bare)]
      return { ours: a, yardstick: b, ratio: a - b, unit: 'ms' }
    } finally {
      await service.close()
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

const memory = (accounts: number, limit: number): Bench => ({
  name: accounts ? `memory with ${accounts.toLocaleString('en')} accounts` : 'memory at rest, two TVM workers',
  target: { atMost: limit, unit: 'MB' },
  async measure() {
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
      await sleep(3000)
      const rss = service.rss()
      return { ours: rss, yardstick: limit, ratio: rss, unit: 'MB' }
    } finally {
      await service.close()
    }
  },
})

export const benches: readonly Bench[] = [getMethod, idleBlocks, memory(0, 260), memory(100_000, 450)]
