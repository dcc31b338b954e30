import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createClient, watch, webSocket } from '../../client/index.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { type Guarded, startGuarded } from '../kit/service/access.ts'
import { ask, openLine, post, rpcRequest } from '../kit/service/client.ts'

/* The error table of access-service.md, by every door; the first lines are a new user's way through it. */

const RPC = '/jsonRPC'
const DIALECT = '/api/v2/jsonRPC'
const REST = '/api/v2/getMasterchainInfo'
const V3 = '/api/v3/addressInformation'

const TABLE = [
  { status: 401, text: 'API key does not exist', rpc: -32001, kind: 'UNAUTHORIZED' },
  { status: 403, text: 'Network not allowed', rpc: -32003, kind: 'FORBIDDEN' },
  { status: 429, text: 'Ratelimit exceeded', rpc: -32029, kind: 'RATE_LIMITED' },
] as const

describe('access', () => {
  let server: TestServer
  let service: Guarded
  beforeAll(async () => {
    server = await startTestServer()
    service = await startGuarded(urlOf(await server.database()), { trustedProxies: ['loopback'] })
  })
  afterAll(async () => {
    await service?.close()
    await server?.close()
  })

  let client = 0
  /** An address that has not called yet. */
  const stranger = (): Record<string, string> => ({ 'X-Forwarded-For': `203.0.${client >> 8}.${client++ & 255}` })

  /** Headers that lead to each line of the table. */
  const provoke: Record<number, () => Promise<Record<string, string>>> = {
    401: async () => ({ 'X-API-Key': `tw_${'x'.repeat(12)}_${'y'.repeat(40)}` }),
    403: async () => ({ 'X-API-Key': (await service.key({ network: 'testnet' })).key }),
    429: async () => {
      const headers = stranger()
      expect((await ask(service.url + REST, { headers })).status).toBe(200)
      return headers
    },
  }

  for (const { status, text, rpc, kind } of TABLE) {
    const retry = status === 429 ? '1' : null
    it(`REST v2 answers ${status} in its own form`, async () => {
      const answer = await ask(service.url + REST, { headers: await provoke[status]!() })
      expect(answer).toMatchObject({ status, body: { ok: false, error: text, code: status }, retryAfter: retry })
    })
    it(`REST v3 answers ${status} in its own form`, async () => {
      const answer = await ask(service.url + V3, { headers: await provoke[status]!() })
      expect(answer).toMatchObject({ status, body: { error: text, code: status }, retryAfter: retry })
      expect(answer.body).not.toHaveProperty('ok')
    })
    it(`TON Center's JSON-RPC answers ${status} in its own form`, async () => {
      const answer = await post(service.url + DIALECT, rpcRequest('getMasterchainInfo'), await provoke[status]!())
      expect(answer).toMatchObject({ status, body: { ok: false, error: text, code: status }, retryAfter: retry })
    })
    it(`strict JSON-RPC answers ${status} in its own form`, async () => {
      const answer = await post(service.url + RPC, rpcRequest('getMasterchainInfo'), await provoke[status]!())
      expect(answer).toMatchObject({
        status,
        body: { jsonrpc: '2.0', error: { code: rpc, message: text, data: { kind } } },
        retryAfter: retry,
      })
    })
  }

  it('scripts of other origins may read Retry-After', async () => {
    const answer = await ask(service.url + REST, { headers: await provoke[429]!() })
    expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('one second after a refusal there is room again', async () => {
    const headers = await provoke[429]!()
    expect((await ask(service.url + REST, { headers })).status).toBe(429)
    service.clock.pass(1000)
    expect((await ask(service.url + REST, { headers })).status).toBe(429)
    service.clock.pass(0.1)
    expect((await ask(service.url + REST, { headers })).status).toBe(200)
  })

  it('a batch that does not fit is refused call by call', async () => {
    const items = [1, 2, 3].map((id) => rpcRequest('getMasterchainInfo', {}, id))
    for (const path of [RPC, DIALECT]) {
      const answer = await post(service.url + path, items, stranger())
      expect(answer.status).toBe(200)
      const [first, ...others] = answer.body as { id: number; result?: unknown; error?: { code: number; message: string; data: object } }[]
      expect(first).toMatchObject({ id: 1, result: { '@type': 'blocks.masterchainInfo' } })
      for (const other of others)
        expect(other.error).toEqual({ code: -32029, message: 'Ratelimit exceeded', data: { kind: 'RATE_LIMITED', retryAfter: 1 } })
    }
  })

  it('a batch costs the sum of its calls', async () => {
    const { key } = await service.key({ plan: 'free' })
    const headers = { 'X-API-Key': key }
    const items = Array.from({ length: 12 }, (_, id) => rpcRequest('getMasterchainInfo', {}, id))
    const { body } = await post(service.url + RPC, items, headers)
    expect((body as object[]).filter((item) => 'result' in item)).toHaveLength(10)
    expect((await ask(service.url + REST, { headers })).status).toBe(429)
  })

  it('a WebSocket is refused with the status, its messages one by one', async () => {
    await expect(openLine(service.wsUrl, await provoke[401]!())).rejects.toMatchObject({
      status: 401,
      body: { error: { code: -32001, message: 'API key does not exist' } },
    })
    await expect(openLine(service.wsUrl, await provoke[403]!())).rejects.toMatchObject({
      status: 403,
      body: { error: { code: -32003, message: 'Network not allowed' } },
    })
    const line = await openLine(service.wsUrl, stranger())
    expect(await line.ask(rpcRequest('getMasterchainInfo'))).toHaveProperty('result')
    expect(await line.ask(rpcRequest('getMasterchainInfo'))).toMatchObject({ error: { code: -32029, message: 'Ratelimit exceeded' } })
    expect(await line.ask('no json')).toMatchObject({ error: { code: -32029 } })
    line.socket.close()
  })

  it('a WebSocket that shows its key in the URL is closed with the reason, so that a client ends', async () => {
    const foreign = (await provoke[403]!())['X-API-Key']!
    const line = await openLine(`${service.wsUrl}?api_key=${foreign}`)
    expect(await line.closed).toEqual({ code: 1008, reason: 'Network not allowed' })
    const wrong = (await provoke[401]!())['X-API-Key']!
    const ton = createClient({ transport: webSocket({ url: service.url, key: wrong, WebSocket: WebSocket as never }) })
    const refusal = { kind: 'UNAUTHORIZED', message: expect.stringMatching(/API key does not exist$/) }
    await expect(ton.getMasterchainInfo()).rejects.toMatchObject(refusal)
    await expect(watch(ton, { types: ['blocks'] }).next()).rejects.toMatchObject(refusal)
    const stream = service.wsUrl.replace('/jsonRPC', '/api/streaming/v2/ws')
    await expect(openLine(`${stream}?api_key=${wrong}`)).rejects.toMatchObject({ status: 401 })
  })

  it('header and query are equivalent at every door', async () => {
    const { key } = await service.key()
    // Without an index v3 is not served, which is for known callers to hear.
    for (const [path, status] of [
      [REST, 200],
      [V3, 501],
    ] as const) {
      for (const name of ['api_key', 'api%5Fkey', 'api_key=&api_key', 'x=1&api_key'])
        expect((await ask(`${service.url}${path}?${name}=${key}`)).status).toBe(status)
      expect((await ask(service.url + path, { headers: { 'x-api-key': key } })).status).toBe(status)
    }
    for (const path of [RPC, DIALECT]) {
      expect((await post(`${service.url}${path}?api_key=${key}`, rpcRequest('getMasterchainInfo'))).status).toBe(200)
      expect((await post(service.url + path, rpcRequest('getMasterchainInfo'), { 'X-Api-Key': key })).status).toBe(200)
    }
    const line = await openLine(`${service.wsUrl}?api_key=${key}`)
    for (let i = 0; i < 3; i++) expect(await line.ask(rpcRequest('getMasterchainInfo'))).toHaveProperty('result')
    line.socket.close()
  })

  it('the key of the header wins over the one in the query', async () => {
    const { key } = await service.key()
    const wrong = (await provoke[401]!())['X-API-Key']!
    expect((await ask(`${service.url}${REST}?api_key=${wrong}`, { headers: { 'X-API-Key': key } })).status).toBe(200)
    expect((await ask(`${service.url}${REST}?api_key=${key}`, { headers: { 'X-API-Key': wrong } })).status).toBe(401)
    // An empty header is none.
    expect((await ask(`${service.url}${REST}?api_key=${wrong}`, { headers: { 'X-API-Key': '' } })).status).toBe(401)
    expect((await ask(`${service.url}${REST}?api_key=${key}`, { headers: { 'X-API-Key': '' } })).status).toBe(200)
  })

  it('neither preflights nor health checks are counted or asked for a key', async () => {
    const headers = await provoke[401]!()
    for (let i = 0; i < 3; i++) {
      for (const path of ['/health', '/healthcheck', '/api/v2/healthcheck', '/ready', '/status', '/'])
        expect([200, 503]).toContain((await ask(service.url + path, { headers })).status)
      const preflight = await ask(service.url + REST, {
        method: 'OPTIONS',
        headers: {
          ...headers,
          Origin: 'https://dapp.example',
          'Access-Control-Request-Method': 'GET',
          'Access-Control-Request-Headers': 'x-api-key',
        },
      })
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-headers')).toContain('x-api-key')
    }
  })
})
