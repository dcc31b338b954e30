import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call, EventSocket } from '../../server/base/call.ts'
import { silentLog } from '../../server/base/log.ts'
import { EVENT_LIMITS } from '../../server/base/outlet/event-limits.ts'
import { createOutlets } from '../../server/base/outlet/outlet.ts'
import { subscriptionHandlers } from '../../server/v3/subscriptions.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { type Guarded, startGuarded } from '../kit/service/access.ts'
import { ask, type Line, openLine, rpcRequest } from '../kit/service/client.ts'
import { until } from '../kit/wait.ts'
import { rawOf } from '../v3/scene.ts'
import { type FakeIndex, startFakeHub } from './fake-chain.ts'
import { stranger } from './kit.ts'
import { openSse } from './sse.ts'

/* Limits on events by the plan of a key. */

let server: TestServer
let service: Guarded
const lines: Line[] = []
beforeAll(async () => {
  server = await startTestServer()
  service = await startGuarded(urlOf(await server.database()), { index: true })
  const events = { sockets: 2, subscriptions: 2, addresses: 5, replays: 1 }
  await service.store.setPlan({ name: 'small', network: '*', rps: 1_000, servers: undefined, events })
  const { index, chain } = service.app.network
  await index!.reached(chain.head().id.seqno, AbortSignal.timeout(120_000))
})
afterAll(async () => {
  for (const { socket } of lines) socket.terminate()
  await service?.close()
  await server?.close()
})

const names = (count: number): string[] => Array.from({ length: count }, () => rawOf(stranger()))
const open = async (url: string): Promise<Line> => {
  const line = await openLine(url)
  lines.push(line)
  return line
}
/** The id of a subscription, or the text of the refusal. Notifications are left out. */
const subscribe = async (line: Line, count: number): Promise<string> => {
  const asked = Math.random()
  line.send(rpcRequest('subscribe', { types: ['transactions'], addresses: names(count) }, asked))
  for (;;) {
    const { id, result, error } = (await line.next()) as { id?: number; result?: string; error?: { message: string } }
    if (id === asked) return error?.message ?? result!
  }
}

describe('limits on events by plan', () => {
  it('limits on events are those of the plan, over JSON-RPC, WebSocket and SSE, and refusals name them', async () => {
    const { key } = await service.key({ plan: 'small' })
    const first = await open(`${service.wsUrl}?api_key=${key}`)
    expect(await subscribe(first, 3)).toBe('1')
    expect(await subscribe(first, 3)).toBe('address limit exceeded: current 3 + new 3 > max 5 of a socket')
    expect(await subscribe(first, 2)).toBe('2')
    expect(await subscribe(first, 1)).toBe('subscription limit reached: 2 on this socket, max 2')

    const sse = `${service.url}/api/streaming/v2/sse`
    const body = (count: number) => ({ types: ['transactions'], addresses: names(count) })
    const headers = { 'X-API-Key': key }
    const wide = await ask(sse, { method: 'POST', headers, body: JSON.stringify(body(6)) })
    expect([wide.status, wide.body]).toEqual([400, { error: 'too many addresses: 6 > max 5' }])
    const second = await openSse(sse, body(5), headers)
    const third = await ask(sse, { method: 'POST', headers, body: JSON.stringify(body(1)) })
    expect([third.status, third.body]).toEqual([429, { error: 'connection limit reached: 2 active connections' }])
    const fourth = await open(`${service.wsUrl}?api_key=${key}`)
    expect(await subscribe(fourth, 1)).toBe('connection limit reached: 2 active connections')
    second.close()
    expect(await subscribe(fourth, 1)).toBe('1')
    const stream = await open(`${service.url.replace('http', 'ws')}/api/streaming/v2/ws?api_key=${key}`)
    expect(await stream.next()).toEqual({ error: 'connection limit reached: 2 active connections' })
    expect((await stream.closed).code).toBe(1013)
    fourth.socket.terminate()
    const again = await open(`${service.url.replace('http', 'ws')}/api/streaming/v2/ws?api_key=${key}`)
    again.send({ operation: 'subscribe', id: '1', ...body(6) })
    expect(await again.next()).toEqual({ id: '1', error: 'address limit exceeded: current 0 + new 6 > max 5' })
  })

  it('limits on events follow a change of the plan at once, and are the common ones if the plan has none', async () => {
    const { key } = await service.key({ plan: 'advanced' })
    const line = await open(`${service.wsUrl}?api_key=${key}`)
    expect(await subscribe(line, 600)).toBe('1')
    expect(await subscribe(line, 600)).toBe('address limit exceeded: current 600 + new 600 > max 1000 of a socket')
    const plan = (await service.store.plans()).find(({ name }) => name === 'advanced')!
    await service.store.setPlan({ ...plan, events: { addresses: -1 } })
    await until(async () => (await subscribe(line, 600)) === '2')

    // Ten thousand addresses in one request, of which one is told.
    const many = names(10_000)
    const stream = await open(`${service.url.replace('http', 'ws')}/api/streaming/v2/ws?api_key=${key}`)
    stream.send({ operation: 'subscribe', id: 'all', types: ['account_state_change'], addresses: many })
    expect(await stream.next()).toEqual({ id: 'all', status: 'subscribed' })
    line.send(rpcRequest('local.fund', { address: many[9_876]!, amount: '5' }))
    expect(await stream.next()).toMatchObject({ type: 'account_state_change', account: many[9_876] })
  })
})

describe('a subscription whose call has passed its deadline', () => {
  it('a subscription whose call has passed its deadline is closed at the server, and takes no place', async () => {
    const index: FakeIndex = { first: 1, names: Array.from({ length: 50 }, () => 'a'), states: 0, gate: Promise.resolve() }
    const hub = startFakeHub(index)
    const outlets = createOutlets()
    const written: string[] = []
    const socket: EventSocket = {
      outlet: outlets.create({ write: (pieces) => written.push(pieces.join('')), slow: () => {} }),
      subscriptions: new Map(),
      limits: EVENT_LIMITS,
      enter: async () => {},
      nextId: () => '1',
      onAnswered: (begin) => begin(),
      fail: () => {},
    }
    const handlers = subscriptionHandlers(hub)
    const call = (signal: AbortSignal): Call => ({
      ...{ network: 'local', signal, requestId: '1', log: silentLog, localAllowed: false, client: 'one', events: socket },
    })
    await handlers.subscribe({ types: ['blocks'] }, call(new AbortController().signal))
    const cursor = /"cursor":"([^"]+)"/.exec(written[0]!)![1]!
    socket.subscriptions.get('1')!.close()
    socket.subscriptions.clear()
    index.names.push('a')
    index.gate = new Promise(() => {})
    const deadline = new AbortController()
    const asked = handlers.subscribe({ types: ['blocks'], since: cursor }, call(deadline.signal))
    await until(() => hub.count() === 1)
    deadline.abort(new Error('too late'))
    await expect(asked).rejects.toThrow()
    expect(hub.count()).toBe(0)
    expect(socket.subscriptions.size).toBe(0)
    outlets.close()
    void hub.close()
  })
})
