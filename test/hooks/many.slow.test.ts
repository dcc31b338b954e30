import { afterAll, beforeAll, expect, it } from 'vitest'
import { collectGarbage } from '../kit/gc.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { type Guarded, startGuarded } from '../kit/service/access.ts'
import { post, type RpcReply, rpcRequest } from '../kit/service/client.ts'
import { until } from '../kit/wait.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/* One key that makes hooks without end. */

const ATTEMPTS = 1_000
const AT_ONCE = 50

/** MB in use. */
const heap = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1e6
}

let server: TestServer
let service: Guarded
let receiver: Receiver
beforeAll(async () => {
  server = await startTestServer()
  service = await startGuarded(urlOf(await server.database()), { index: true, hooksAllow: ['127.0.0.1'] })
  await service.store.setPlan({ name: 'fast', network: '*', rps: 100_000, servers: undefined, limits: {} })
  await until(async () => (await fetch(`${service.url}/ready`)).ok)
  receiver = await startReceiver()
})
afterAll(async () => {
  await service?.close()
  await server?.close()
  await receiver?.close()
})

const call = async (method: string, params: object, key: string) =>
  (
    await post<RpcReply<{ readonly hooks: readonly object[] }>>(`${service.url}/jsonRPC`, rpcRequest(method, params), {
      'X-API-Key': key,
    })
  ).body

it('a thousand attempts of one key make 100 hooks, while others are answered and memory does not grow', async () => {
  const { key } = await service.key({ plan: 'fast' })
  const other = await service.key({ plan: 'fast' })
  const outcomes = new Map<string, number>()
  const waits: number[] = []
  const heaps: number[] = []
  for (let i = 0; i < ATTEMPTS; i += AT_ONCE) {
    const tries = Array.from({ length: AT_ONCE }, () => call('hooks.create', { url: `${receiver.url}/`, types: ['blocks'] }, key))
    const began = performance.now()
    expect((await call('hooks.list', {}, other.key)).result?.hooks).toEqual([])
    waits.push(performance.now() - began)
    for (const { error } of await Promise.all(tries)) {
      const outcome = error?.message ?? 'made'
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    service.clock.pass(1_000)
    if (i % 200 === 0) heaps.push(heap())
  }
  const limit = 'hook limit reached: max 100 of an owner, fewer if all hooks have too many addresses'
  expect(Object.fromEntries(outcomes)).toEqual({ made: 100, [limit]: ATTEMPTS - 100 })
  expect((await call('hooks.list', {}, key)).result!.hooks).toHaveLength(100)
  expect(Math.max(...waits)).toBeLessThan(5_000)
  expect(heaps.at(-1)! - heaps[1]!).toBeLessThan(8)
})
