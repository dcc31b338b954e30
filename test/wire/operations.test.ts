import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { get, post, requestOf, rpcText } from '../kit/wire/connection.ts'
import { expectRefusal, startService, type WireService } from '../kit/wire/service.ts'

/* Paths for operators: what they say, and to whom. */

let service: WireService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

/** A caller on another machine, as the service sees one. */
const OUTSIDE = ['X-Forwarded-For: 203.0.113.7']
const FOREIGN_HOST = 'GET /metrics HTTP/1.1\r\nHost: ton.example\r\n\r\n'

describe('/health and /ready', () => {
  it.each([
    '/health',
    '/healthcheck',
    '/api/v2/healthcheck',
    '/local/health',
    '/health?x=1',
  ])('%s says that the process answers', async (path) => {
    const { status, json } = await service.ask(get(path))
    expect([status, json]).toEqual([200, { ok: true, result: 'OK' }])
  })

  it('/ready tells of both interfaces, and with `for` its status is about one of them', async () => {
    const both = await service.ask(get('/ready'))
    const ready = { phase: 'ready', seqno: expect.any(Number), utime: expect.any(Number), troubles: [] }
    const v3 = { ok: false, troubles: ['v3 is not served: the index is off'] }
    expect([both.status, both.json]).toEqual([200, { ok: true, ...ready, v2: { ok: true, troubles: [] }, v3 }])
    const v2 = await service.ask(get('/ready?for=v2'))
    expect([v2.status, v2.json]).toMatchObject([200, { ok: true, phase: 'ready' }])
    const notServed = await service.ask(get('/ready?for=v3'))
    expect([notServed.status, notServed.headers['retry-after'], notServed.json]).toMatchObject([
      503,
      '1',
      { ok: false, troubles: v3.troubles },
    ])
  })

  it.each(['v4', '', 'v2&for=v3', 'V2'])('/ready for %j is refused with 400 and what may stand there', async (api) => {
    expect(expectRefusal(await service.ask(get(`/ready?for=${api}`)), 400)).toBe('for must be v2 or v3; /ready without it is about both')
  })

  it('the health of streams is about chain and index', async () => {
    const { status, json } = await service.ask(get('/api/streaming/healthz'))
    expect([status, json]).toMatchObject([
      503,
      { ok: false, components: { chain: { ok: true }, index: { ok: false }, service: { ok: true } } },
    ])
  })
})

describe('/status', () => {
  it('/status tells of the network and of the process', async () => {
    const { status, json } = await service.ask(get('/status'))
    expect([status, json]).toMatchObject([
      200,
      {
        ok: true,
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        network: 'local',
        phase: 'ready',
        head: { seqno: expect.any(Number) },
        sockets: 0,
        unread_bytes: { http: 0, websocket: 0, events: 0 },
        batch_bytes: 0,
        unfinished_bytes: 0,
        networks: [{ network: 'local', phase: 'ready', troubles: [] }],
      },
    ])
  })

  it('the head in it is the one that calls are answered from', async () => {
    await service.rpc('local.mine')
    const { last } = await service.rpc<{ last: { seqno: number } }>('getMasterchainInfo')
    expect((await service.status()).head.seqno).toBe(last.seqno)
  })
})

describe('/metrics', () => {
  it('/metrics is for callers on this machine', async () => {
    const { status, headers, text } = await service.ask(get('/metrics'))
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')])
    expect(text).toMatch(/^tonway_unread_bytes\{transport="http"\} 0$/m)
    expect(text).toMatch(/^tonway_unfinished_bytes 0$/m)
    for (const bytes of [
      get('/metrics', ...OUTSIDE),
      get('/metrics', 'Via: 1.1 proxy'),
      get('/metrics', 'Origin: https://evil.example'),
      FOREIGN_HOST,
    ])
      expect(expectRefusal(await service.ask(bytes), 403)).toBe('metrics are for callers on this machine; TONWAY_METRICS opens them')
  })

  it('/metrics counts requests by the door that they came through, the status and the method, and never by path, key or address', async () => {
    const secret = 'tw_secretpart_0123456789'
    await service.ask(get(`/api/v2/nothing-${secret}?api_key=${secret}`))
    await service.ask(post('/jsonRPC', rpcText(`nothing-${secret}`)))
    await service.ask(get(`/api/v2/detectHash?hash=${secret}`))
    const { text } = await service.ask(get('/metrics'))
    expect(text).not.toContain('secretpart')
    expect(text).toMatch(/method="unknown"/)
    expect(text).toMatch(/method="detectHash"/)
  })

  it('/metrics may be open to all', async () => {
    const own = await startService('--metrics', 'all')
    expect((await own.ask(FOREIGN_HOST)).status).toBe(200)
    await own.stop()
  })

  it('/metrics may be off', async () => {
    const own = await startService('--metrics', 'off')
    for (const verb of ['GET', 'POST']) expect(expectRefusal(await own.ask(requestOf(verb, '/metrics')), 404)).toBe('Not Found')
    await own.stop()
  })

  it('/metrics may have a port of its own, which serves nothing else', async () => {
    const port = await freePort()
    const own = await startService('--metrics', String(port))
    expect(expectRefusal(await own.ask(get('/metrics')), 404)).toBe('Not Found')
    const apart = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect([apart.status, (await apart.text()).includes('tonway_unread_bytes')]).toEqual([200, true])
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(404)
    const posted = await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    await own.stop()
  })
})

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

describe('paths for operators, and other verbs', () => {
  it.each([
    '/health',
    '/healthcheck',
    '/api/v2/healthcheck',
    '/ready',
    '/status',
    '/metrics',
    '/openapi.json',
    '/api/v2/openapi.json',
    '/openrpc.json',
    '/asyncapi.json',
    '/llms.txt',
    '/global.config.json',
    '/docs',
    '/favicon.ico',
    '/api/streaming/healthz',
  ])('%s is answered to GET and HEAD, and to others with 405 and Allow', async (path) => {
    for (const verb of ['POST', 'PUT', 'DELETE', 'PROPFIND']) {
      const answer = await service.ask(requestOf(verb, path))
      expect([expectRefusal(answer, 405), answer.headers['allow']]).toEqual([`unsupported http method: ${verb}`, 'GET, HEAD'])
    }
  })

  it('paths that are also posted to say so, and paths that mean nothing are answered with 404 whatever the verb', async () => {
    const root = await service.ask(requestOf('PUT', '/'))
    expect([root.status, root.headers['allow']]).toEqual([405, 'GET, HEAD, POST'])
    for (const path of ['/nothing', '/api/v2/nothing', '/page'])
      for (const verb of ['POST', 'PUT']) {
        const { status, headers } = await service.ask(requestOf(verb, path))
        expect([status, headers['allow']]).toEqual([404, undefined])
      }
  })
})
