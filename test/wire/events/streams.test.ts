import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSse } from '../../events/sse.ts'
import { until } from '../../kit/wait.ts'
import { get, post, requestOf } from '../../kit/wire/connection.ts'
import { openLine } from '../../kit/wire/line.ts'
import { startService, type WireService } from '../../kit/wire/service.ts'

/* Streams of events as bytes: SSE, streaming v2 over a WebSocket, and subscriptions of JSON-RPC. What the events say is tested in test/events. */

let service: WireService
beforeAll(async () => {
  service = await startService('--index', 'on')
  await until(async () => (await service.ask(get('/ready?for=v3'))).status === 200, 50)
})
afterAll(() => service?.stop())

const SSE = '/api/streaming/v2/sse'
let accounts = 0
const newAccount = (): string => `0:${(++accounts).toString(16).padStart(64, 'e')}`
const send = (to: string): Promise<unknown> =>
  service.rpc('local.sendInternal', { from: `0:${'f'.repeat(64)}`, to, amount: '1000000', bounce: false })

describe('SSE', () => {
  it('a stream has headers for proxies and browsers, a first frame, and events as they happen', async () => {
    const account = newAccount()
    const reader = await openSse(service.url + SSE, { types: ['transactions'], addresses: [account] })
    expect(reader.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'transfer-encoding': 'chunked',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    })
    // Nothing compresses a stream, although the client would take it.
    expect(reader.headers).not.toHaveProperty('content-encoding')
    await until(() => reader.frames.length > 0)
    expect(reader.frames[0]).toMatchObject({ event: 'connected', data: { status: 'subscribed' } })
    await send(account)
    await until(() => reader.frames.length > 1)
    expect(reader.frames[1]).toMatchObject({ data: { type: 'transactions', transactions: [{ account: account.toUpperCase() }] } })
    expect(reader.frames.every((frame) => !('id' in frame))).toBe(true)
    reader.close()
  })

  it('a stream by GET has an id in each frame, and Last-Event-ID resumes behind it', async () => {
    const account = newAccount()
    const path = `${SSE}?types=transactions&addresses=${account}`
    const first = await openSse(service.url + path)
    await until(() => first.frames.length > 0)
    const { id } = first.frames[0]!
    expect(first.frames[0]).toMatchObject({ event: 'connected', id: expect.stringMatching(/./) })
    first.close()
    await send(account)
    const second = await openSse(service.url + path, undefined, { 'Last-Event-ID': id! })
    await until(() => second.frames.length > 1)
    expect(second.frames[0]).toMatchObject({ event: 'connected', data: { resumed: true } })
    const missed = second.frames[1]!
    expect(missed).toMatchObject({
      id: expect.stringMatching(/./),
      data: { type: 'transactions', transactions: [{ account: account.toUpperCase() }] },
    })
    expect(missed.id).not.toBe(id)
    second.close()
  })

  it('the connection of a stream stays as its request wants it, and in HTTP/1.0 its end is the end of the stream', async () => {
    for (const [request, wanted] of [
      [get(`${SSE}?types=blocks`), 'keep-alive'],
      [get(`${SSE}?types=blocks`, 'Connection: close'), 'close'],
      [get(`${SSE}?types=blocks`, 'Connection: keep-alive').replace('HTTP/1.1', 'HTTP/1.0'), 'close'],
    ] as const) {
      const connection = await service.open()
      await connection.send(request)
      let head = ''
      while (!head.endsWith('\r\n\r\n')) head += String(await connection.take(1))
      expect(/^connection: (.*)\r$/im.exec(head)?.[1]).toBe(wanted)
      connection.destroy()
    }
  })

  it('names that a stream would keep are bounded', async () => {
    const names = Array.from({ length: 1_001 }, (_, i) => `type_${i}`)
    const refused = async (members: object): Promise<unknown> => (await service.ask(post(SSE, JSON.stringify(members)))).json
    for (const list of ['action_types', 'supported_action_types']) {
      expect(await refused({ types: ['blocks'], [list]: names })).toEqual({ error: `${list} list exceeds maximum length of 1000` })
      const long = { error: `${list} contains a value of over 100 characters` }
      expect(await refused({ types: ['blocks'], [list]: ['a'.repeat(101)] })).toEqual(long)
    }
    expect(await refused({ types: ['trace'], trace_external_hash_norms: ['a'.repeat(101)] })).toEqual({
      error: 'trace_external_hash_norms contains a value of over 100 characters',
    })
  })

  it.each([
    ['{', /^invalid subscription request: /],
    ['[]', 'invalid subscription request: an object is expected'],
    ['{}', 'types are required for subscription'],
    ['{"types":"blocks"}', 'invalid subscription request: types must be an array of strings'],
    ['{"types":["nothing"]}', 'invalid event type: nothing'],
    ['{"types":["transactions"]}', 'addresses are required for subscription'],
    ['{"types":["transactions"],"addresses":["nobody"]}', 'invalid address: nobody'],
    ['{"types":["blocks"],"min_finality":"soon"}', 'invalid subscription request: unknown finality state: soon'],
  ])('the subscription %s is refused with 400 and the reason', async (body, text) => {
    const { status, json } = await service.ask(post(SSE, body))
    expect([status, json]).toEqual([400, { error: typeof text === 'string' ? text : expect.stringMatching(text) }])
  })

  it('a refusal has the id of its request', async () => {
    const { status, json } = await service.ask(post(SSE, '{"id":"mine","types":["nothing"]}'))
    expect([status, json]).toEqual([400, { id: 'mine', error: 'invalid event type: nothing' }])
    const many = Array.from({ length: 1_001 }, (_, i) => `0:${i.toString(16).padStart(64, '0')}`)
    const tooMany = await service.ask(post(SSE, JSON.stringify({ types: ['transactions'], addresses: many })))
    expect([tooMany.status, tooMany.json]).toEqual([400, { error: 'too many addresses: 1001 > max 1000' }])
  })

  it('a stream that its client leaves is open no more, and the connection of a refusal goes on', async () => {
    const connection = await service.open()
    await connection.send(post(SSE, '{}') + get('/health'))
    expect((await connection.answer()).status).toBe(400)
    expect((await connection.answer()).status).toBe(200)
    await connection.send(requestOf('HEAD', SSE))
    expect((await connection.answer(true)).status).toBe(405)
    connection.destroy()
    expect((await service.ask(get('/api/streaming/healthz'))).json).toMatchObject({ ok: true })
  })
})

describe('streaming v2 over a WebSocket', () => {
  it('pings, subscriptions and errors are answered with the id, and an error does not close the socket', async () => {
    const account = newAccount()
    const { socket, messages, ask } = await openLine(service, '/api/streaming/v2/ws')
    expect(await ask({ operation: 'ping', id: 'p' })).toEqual({ id: 'p', status: 'pong' })
    expect(await ask({ operation: 'dance', id: 7 })).toEqual({ id: 7, error: 'unknown operation: dance' })
    expect(await ask('{')).toEqual({ error: expect.stringMatching(/^invalid request envelope: /) })
    expect(await ask({ operation: 'subscribe', id: 's', types: [] })).toEqual({ id: 's', error: 'types are required' })
    expect(await ask({ operation: 'subscribe', id: 's', types: ['transactions'], addresses: [account] })).toEqual({
      id: 's',
      status: 'subscribed',
    })
    const count = messages.length
    await send(account)
    await until(() => messages.length > count)
    expect(messages[count]).toMatchObject({ type: 'transactions' })
    expect(await ask({ operation: 'unsubscribe', id: 'u', addresses: [account] })).toEqual({ id: 'u', status: 'unsubscribed' })
    socket.close()
  })
})

describe('subscriptions of JSON-RPC', () => {
  it('a subscription is answered with its id, then notified, until it is ended', async () => {
    const account = newAccount()
    const { socket, messages, ask } = await openLine(service, '/jsonRPC')
    const call = (id: unknown, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params })
    const answer = await ask(call(1, 'subscribe', { types: ['transactions'], addresses: [account] }))
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: 1, result: expect.anything() })
    const subscription = JSON.stringify(answer['result']).match(/"?(\d+)"?/)![1]
    await until(() => messages.length > 1)
    expect(messages[1]).toMatchObject({ jsonrpc: '2.0', method: 'subscription', params: { subscription, result: { type: 'subscribed' } } })
    expect(messages[1]).not.toHaveProperty('id')
    await send(account)
    await until(() => messages.length > 2)
    expect(messages[2]).toMatchObject({ method: 'subscription', params: { subscription, result: { type: 'transactions' } } })
    const count = messages.length
    socket.send(JSON.stringify(call(2, 'unsubscribe', { subscription })))
    await until(() => messages.slice(count).some(({ id }) => id === 2))
    const ended = messages.length
    await send(account)
    expect(await ask(call(3, 'detectHash', { hash: '0'.repeat(64) }))).toMatchObject({ id: 3, result: { hex: '0'.repeat(64) } })
    expect(messages.length).toBe(ended + 1)
    socket.close()
  })

  it('a subscription over plain HTTP is refused', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"types":["blocks"]}}'
    expect((await service.ask(post('/jsonRPC', body))).json).toMatchObject({ id: 1, error: { code: expect.any(Number) } })
  })

  it('a connection has at most 100 subscriptions', async () => {
    const { socket, messages } = await openLine(service, '/jsonRPC')
    for (let id = 0; id <= 100; id++)
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'subscribe', params: { types: ['blocks'] } }))
    const answers = () => messages.filter(({ id }) => id !== undefined)
    await until(() => answers().length === 101)
    expect(answers().filter(({ error }) => error !== undefined)).toMatchObject([
      { error: { message: expect.stringContaining('subscription limit reached') } },
    ])
    socket.close()
  })
})
