import { formatRaw } from '../../../shared/fields/address.ts'
import { ownWallet } from '../../kit/chain/own-wallet.ts'
import { startTestServer, urlOf } from '../../kit/index/database.ts'
import { sleep } from '../../kit/wait.ts'
import type { Bench } from '../bench.ts'
import { startService } from '../service.ts'
import { callAll, listen, openRpc, placing, untilThere } from './pending.bench.ts'

/* How soon a payment from anybody is confirmed: a service makes the chain and holds its shard blocks back, another one follows it over ADNL. */

/** Payments that are counted, those before them, and those that are held back at a time. */
const PAYMENTS = { warmUp: 200, counted: 200, atOnce: 10 } as const
const FRIEND = { workchain: 0, hash: new Uint8Array(32).fill(0x11) }

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!

const withServices = async <T>(
  run: (maker: Awaited<ReturnType<typeof startService>>, follower: typeof maker) => Promise<T>,
): Promise<T> => {
  const server = await startTestServer()
  const common = { TONWAY_ANONYMOUS_RPS: 'unlimited' }
  const maker = await startService({ ...common, TONWAY_BLOCK_TIME: '0', TONWAY_INDEX: 'off', TONWAY_LITESERVER_PORT: '0' })
  await maker.rpc('local.mine', { count: 2 })
  const follower = await startService({
    ...common,
    DATABASE_URL: urlOf(await server.database()),
    TONWAY_NETWORK: 'copy',
    TONWAY_GLOBAL_CONFIG: `${maker.url}/global.config.json`,
  })
  try {
    while ((await follower.rpc('v3.masterchainInfo').catch(() => undefined)) === undefined) await sleep(50)
    return await run(maker, follower)
  } finally {
    await follower.close()
    await maker.close()
    await server.close()
  }
}

const confirmed: Bench = {
  name: 'signed block listed by a lite-server to its payment confirmed on a stream, p50',
  target: { atMost: 100, unit: 'ms' },
  measure: () =>
    withServices(async (maker, follower) => {
      const wallets = Array.from({ length: PAYMENTS.warmUp + PAYMENTS.counted }, (_, n) => ownWallet(5_000 + n))
      await callAll(maker, wallets.map(placing))
      await maker.rpc('local.mine', { count: 1 })
      const told = new Map<string, number>()
      const names = wallets.map(({ id }) => formatRaw(id, 'upper'))
      const onAccount = (account: string): void => {
        if (!told.has(account)) told.set(account, performance.now())
      }
      const socket = await listen(follower, names, onAccount, 'confirmed')
      const { call, close } = await openRpc(maker.url)
      const held = async (): Promise<number> => (await call<{ blocks: number }>('local.holdShardBlocks', {})).blocks
      const times: number[] = []
      for (const [n, wallet] of wallets.entries()) {
        if (n % PAYMENTS.atOnce === 0) {
          await call('local.holdShardBlocks', { hold: false })
          await call('local.holdShardBlocks', { hold: true })
        }
        // The follower looks ten times a second, at no time that is known here.
        await sleep((n * 37) % 100)
        await call('sendBoc', { boc: base64(wallet.transfer(0, FRIEND, 1_000_000n)) })
        await untilThere(`payment ${n} is in no block`, async () => (await held()) > n % PAYMENTS.atOnce)
        const listed = performance.now()
        await untilThere(`payment ${n} was not told on the stream`, () => told.has(names[n]!))
        if (n >= PAYMENTS.warmUp) times.push(told.get(names[n]!)! - listed)
      }
      socket.terminate()
      close()
      const ours = median(times)
      const slow = [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!
      console.error(`p99: ${slow.toFixed(1)} ms; longest: ${Math.max(...times).toFixed(1)} ms`)
      return { ours, yardstick: 0, ratio: ours, unit: 'ms' }
    }),
}

export const benches: readonly Bench[] = [confirmed]
