import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call, EventSocket } from '../../server/base/call.ts'
import { CALLER_LIMITS } from '../../server/base/limits/caller-limits.ts'
import { silentLog } from '../../server/base/log.ts'
import { createUnread } from '../../server/base/writer/unread.ts'
import { createWriter } from '../../server/base/writer/writer.ts'
import { subscriptionHandlers } from '../../server/v3/event-subscriptions.ts'
import { ownWallet } from '../kit/chain/own-wallet.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { type Guarded, startGuarded } from '../kit/service/access.ts'
import { ask, type Line, openLine, post, type RpcReply, rpcRequest } from '../kit/service/client.ts'
import { until } from '../kit/wait.ts'
import { rawOf } from '../v3/scene.ts'
import { type FakeIndex, startFakeHub } from './fake-chain.ts'
import { stranger } from './kit.ts'
import { openSse } from './sse.ts'

/* Limits on events, emulations and messages by the plan of a key. */

let server: TestServer
let service: Guarded
const lines: Line[] = []
beforeAll(async () => {
  server = await startTestServer()
  service = await startGuarded(urlOf(await server.database()), { index: true })
  const limits = { sockets: 2, subscriptions: 2, addresses: 5, replays: 1, emulations: 2, sends: 2 }
  await service.store.setPlan({ name: 'small', network: '*', rps: 1_000, servers: undefined, limits })
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
let lastId = 0

/** The id of a subscription, or the text of the refusal. Notifications are left out. */
const subscribe = async (line: Line, count: number): Promise<string> => {
  const asked = ++lastId
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
    await service.store.setPlan({ ...plan, limits: { addresses: -1 } })
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

describe('limits on emulations and messages by plan', () => {
  it('emulations are limited by the plan, over REST and JSON-RPC together, and what is known already costs none', async () => {
    const { key } = await service.key({ plan: 'small' })
    const headers = { 'X-API-Key': key }
    const boc = Buffer.from(ownWallet(9_001).transfer(0, ownWallet(9_002).id, 1n)).toString('base64')
    const emulate = async (now: number) => {
      const { status, body } = await post<{ error?: string }>(`${service.url}/api/emulate/v1/emulateTrace`, { boc, now }, headers)
      return [status, body.error]
    }
    const LIMIT = 'emulation limit reached: max 2 in a second'
    // No such account: the refusal is an answer of the emulation.
    const [refused] = await Promise.all([emulate(2_000_000_001), emulate(2_000_000_001), emulate(2_000_000_001)])
    expect(refused[0]).toBe(422)
    expect((await emulate(2_000_000_002))[0]).toBe(422)
    expect(await emulate(2_000_000_003)).toEqual([429, LIMIT])
    expect(await emulate(2_000_000_001)).toEqual(refused)
    const { error } = (await post<RpcReply>(`${service.url}/jsonRPC`, rpcRequest('emulate.trace', { boc, now: 2_000_000_004 }), headers))
      .body
    expect([error?.data?.kind, error?.message]).toEqual(['RATE_LIMITED', LIMIT])
    service.clock.pass(1_100)
    expect((await emulate(2_000_000_003))[0]).toBe(422)
  })

  it('messages to one account are limited by the plan, not those to another, and not without a plan that says so', async () => {
    const send = async (key: string, n: number, seqno: number) => {
      const boc = Buffer.from(ownWallet(n).transfer(seqno, ownWallet(9_002).id, 1n)).toString('base64')
      const { error } = (await post<RpcReply>(`${service.url}/jsonRPC`, rpcRequest('sendBoc', { boc }), { 'X-API-Key': key })).body
      return error?.data?.kind
    }
    const { key: small } = await service.key({ plan: 'small' })
    // The chain refuses messages to an account that does not exist. They count all the same.
    expect([await send(small, 9_003, 0), await send(small, 9_003, 1), await send(small, 9_003, 2)]).toEqual([
      'CHAIN',
      'CHAIN',
      'RATE_LIMITED',
    ])
    expect(await send(small, 9_004, 0)).toBe('CHAIN')
    service.clock.pass(1_100)
    expect(await send(small, 9_003, 2)).toBe('CHAIN')
    const { key: plain } = await service.key()
    for (let seqno = 0; seqno < 30; seqno++) expect(await send(plain, 9_003, seqno)).toBe('CHAIN')
  })
})

describe('a subscription whose call has passed its deadline', () => {
  it('a subscription whose call has passed its deadline is closed at the server, and takes no place', async () => {
    const index: FakeIndex = { first: 1, names: Array.from({ length: 50 }, () => 'a'), states: 0, gate: Promise.resolve() }
    const hub = startFakeHub(index)
    const written: string[] = []
    const socket: EventSocket = {
      writer: createWriter({ unread: createUnread(), write: (pieces) => written.push(pieces.join('')), slow: () => {} }),
      subscriptions: new Map(),
      limits: CALLER_LIMITS,
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
    await until(() => written.length > 0)
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
    void hub.close()
  })
})
