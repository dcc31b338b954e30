import { type Address, Cell, internal } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Contract, signerOf } from '../emulate/scene.ts'
import { startTestServer, urlOf } from '../kit/index/database.ts'
import { ask, askAlone, type RpcReply, resultOf, rpcRequest } from '../kit/service/client.ts'
import { builtService, childrenOf, type Started } from '../kit/service/process.ts'
import { redisMissing, startRedis, type TestRedis } from '../kit/service/redis.ts'
import { startTonway } from '../kit/service/tonway.ts'
import { until } from '../kit/wait.ts'
import { rawOf } from '../v3/scene.ts'
import { type Event, stranger } from './kit.ts'
import { openStream, type StreamReader } from './stream.ts'

/* Pending traces where a message and its reader are at different processes: workers of one service, and several services with a Redis. */

let server: Awaited<ReturnType<typeof startTestServer>>
const running: Started[] = []
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL')
    await ended
  }
  await server?.close()
})

const start = async (
  argv: readonly string[],
  env: Record<string, string> = {},
): Promise<{ readonly url: string; readonly pid: number }> => {
  const database = urlOf(await server.database())
  const common = ['--port', '0', '--block-time', '0', '--tvm-workers', '1', '--log', 'warn', '--anonymous-rps', 'unlimited']
  const started = builtService.start([...common, '--liteserver-port', '0', ...argv], { env: { ...env, DATABASE_URL: database } })
  running.push(started)
  return { url: await started.ready, pid: started.child.pid! }
}

/** A call on a connection of its own, so that it may come to any worker. */
const call = async <T>(url: string, method: string, params: object = {}): Promise<T> => {
  const { body } = await askAlone<RpcReply<T>>(`${url}/jsonRPC`, { method: 'POST', body: JSON.stringify(rpcRequest(method, params)) })
  return resultOf(body)
}

const workersOf = (pid: number): number[] => childrenOf(pid, 'main.js')

interface Wallet {
  order(to: Address): string
}
const walletOf = async (url: string): Promise<Wallet> => {
  const { wallets } = await call<{ wallets: { version: string; mnemonic: string[] }[] }>(url, 'local.wallets')
  const keys = await mnemonicToPrivateKey(wallets.find(({ version }) => version === 'v4R2')!.mnemonic)
  const wallet = signerOf(WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }) as unknown as Contract, keys)
  let seqno = 0
  return { order: (to) => wallet.order(seqno++, [internal({ to, value: '1', bounce: false, body: 'hi' })]) }
}

const tracesOf = async (url: string, boc: string): Promise<unknown[]> =>
  (await call<{ traces: unknown[] }>(url, 'v3.pendingTraces', { ext_msg_hash: [Cell.fromBase64(boc).hash().toString('base64')] })).traces
const watch = async (url: string, to: Address): Promise<StreamReader> => {
  const reader = await openStream(`${url.replace('http', 'ws')}/api/streaming/v2/ws`)
  const types = ['transactions', 'trace']
  expect(await reader.op({ operation: 'subscribe', types, addresses: [rawOf(to)], min_finality: 'pending' })).toMatchObject({
    status: 'subscribed',
  })
  return reader
}
const pendingOf = (events: readonly Event[]): number =>
  events.filter(({ type, finality }) => type === 'trace' && finality === 'pending').length
const statusOf = async (
  url: string,
): Promise<{ pending?: { traces: number; of: string }; index?: { seqno: number }; head?: { seqno: number } }> =>
  (await ask<never>(`${url}/status`)).body
const indexed = (url: string, seqno: number): Promise<void> => until(async () => ((await statusOf(url)).index?.seqno ?? -1) >= seqno, 20)

describe.skipIf(redisMissing !== undefined)('pending traces of several services', { timeout: 240_000 }, () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis?.close())

  it('pending traces are told by every worker, and stay when the worker that sent them is killed', async () => {
    await using maker = await startTonway({ blockTime: 0, liteserverPort: 0 })
    const wallet = await walletOf(maker.url)
    await call(maker.url, 'local.mine', { count: 2 })
    await call(maker.url, 'local.setAutomine', { automine: false })
    const argv = ['--network', 'copy', '--global-config', `${maker.url}/global.config.json`, '--workers', '2']
    const { url, pid } = await start(argv, { REDIS_URL: redis.url })
    await until(() => workersOf(pid).length === 2)
    await indexed(url, 1)
    const to = stranger()
    const readers = await Promise.all(Array.from({ length: 6 }, () => watch(url, to)))
    const boc = wallet.order(to)
    await call(url, 'sendBoc', { boc })
    await until(() => readers.every(({ events }) => pendingOf(events) === 1))
    const isToldByAll = async (): Promise<boolean> =>
      (await Promise.all(Array.from({ length: 16 }, () => tracesOf(url, boc).catch(() => [])))).every(({ length }) => length === 1)
    // Each worker follows it by itself.
    await until(isToldByAll, 50)
    expect((await statusOf(url)).pending).toMatchObject({ traces: 1, of: 'all with this Redis' })

    const before = workersOf(pid)
    process.kill(before[1]!, 'SIGKILL')
    await until(() => workersOf(pid).some((each) => !before.includes(each)))
    // The other one tells at once, the new one when it serves.
    await until(isToldByAll, 50)
    const left = readers.filter(({ line }) => line.socket.readyState === line.socket.OPEN)
    const again = await watch(url, to)
    const next = wallet.order(to)
    await call(url, 'sendBoc', { boc: next })
    await until(() => left.every(({ events }) => pendingOf(events) === 2) && pendingOf(again.events) === 1)
    await call(maker.url, 'local.mine', { count: 1 })
    const isFinal = ({ type, finality }: Event): boolean => type === 'trace' && finality === 'finalized'
    await until(() => [...left, again].every(({ events }) => events.filter(isFinal).length === 2))
    for (const each of readers) each.close()
    again.close()
  })

  it('pending traces are told by all services that share a Redis, also by one that starts later, and by each alone without it', async () => {
    await using maker = await startTonway({ blockTime: 0, liteserverPort: 0 })
    const wallet = await walletOf(maker.url)
    await call(maker.url, 'local.mine', { count: 2 })
    await call(maker.url, 'local.setAutomine', { automine: false })
    const argv = ['--network', 'copy', '--global-config', `${maker.url}/global.config.json`]
    const shared = { REDIS_URL: redis.url }
    const [one, two, alone] = await Promise.all([start(argv, shared), start(argv, shared), start(argv)])
    for (const { url } of [one, two, alone]) await indexed(url, 1)
    const to = stranger()
    const [atTwo, atAlone] = [await watch(two.url, to), await watch(alone.url, to)]
    const boc = wallet.order(to)
    await call(one.url, 'sendBoc', { boc })
    await until(() => pendingOf(atTwo.events) === 1)
    expect(await tracesOf(two.url, boc)).toHaveLength(1)
    expect(await tracesOf(alone.url, boc)).toEqual([])
    expect(atAlone.events).toEqual([])
    expect((await statusOf(two.url)).pending).toMatchObject({ traces: 1, of: 'all with this Redis' })
    expect((await statusOf(alone.url)).pending).toMatchObject({ traces: 0, of: 'this service' })

    // In a block, so that the next message of the wallet is understood without it.
    await call(maker.url, 'local.mine', { count: 1 })
    await until(() => atTwo.events.some(({ type, finality }) => type === 'trace' && finality === 'finalized'))

    // While Redis is away each tells its own; what was sent meanwhile is shared when it is back.
    await redis.kill()
    await until(async () => (await statusOf(two.url)).pending?.of === 'Redis is away', 50)
    const second = wallet.order(to)
    await call(two.url, 'sendBoc', { boc: second })
    expect(await tracesOf(two.url, second)).toHaveLength(1)
    await redis.start()
    await until(async () => (await tracesOf(one.url, second)).length === 1, 50)

    const later = await start(argv, shared)
    await indexed(later.url, 1)
    // Redis keeps nothing here, so it knows the second message alone.
    await until(async () => (await tracesOf(later.url, second)).length === 1, 50)
    await call(maker.url, 'local.mine', { count: 1 })
    await until(() => atTwo.events.filter(({ type, finality }) => type === 'trace' && finality === 'finalized').length === 2)
    expect(atTwo.events.map(({ type }) => type)).not.toContain('trace_invalidated')
    for (const each of [atTwo, atAlone]) each.close()
  })
})
