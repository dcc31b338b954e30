import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS, TIMES } from '../../server/http/limits.ts'
import { startTransport, type Transport } from '../kit/service/test-transports.ts'
import { sleep } from '../kit/wait.ts'
import { open, rawPost, rawRequest, readAnswer } from './raw.ts'

let server: Transport
/** Less patience than the real one, in the same proportions. */
const times = { ...TIMES, headers: 300, request: 900, keepAlive: 10_000, linger: 100, check: 50 }
beforeAll(async () => {
  server = await startTransport({ times })
})
afterAll(() => server.close())

const GET = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`

describe('headers', () => {
  it('every answer carries version, request id and CORS', async () => {
    const ids = new Set<string>()
    for (const path of [
      '/',
      '/health',
      '/status',
      '/ready',
      '/openapi.json',
      '/nothing',
      '/api/v2/getMasterchainInfo',
      '/api/v2/sendBoc',
      '/api/v2/fail?how=unknown',
    ]) {
      const { headers } = await fetch(`${server.url}${path}`)
      expect(headers.get('x-api-version')).toMatch(/^2\.2\.\d+$/)
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-expose-headers')).toBe(
        'X-API-Version, X-Request-Id, X-Unknown-Params, X-Index-Seqno, X-Index-First, X-Next-Cursor, X-Fork, X-Tvm-Version, Retry-After',
      )
      ids.add(headers.get('x-request-id')!)
    }
    expect(ids.size).toBe(9)
  })

  it('a preflight is answered with 204, and the requested headers are echoed', async () => {
    for (const path of ['/jsonRPC', '/api/v2/jsonRPC', '/api/v2/getMasterchainInfo', '/nothing']) {
      const answer = await fetch(`${server.url}${path}`, {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://dapp.example',
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'content-type,x-api-key,x-ton-client-version',
        },
      })
      expect(answer.status).toBe(204)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-allow-methods')).toBe('GET,HEAD,POST,OPTIONS')
      expect(answer.headers.get('access-control-allow-headers')).toBe('content-type,x-api-key,x-ton-client-version')
      expect(await answer.text()).toBe('')
    }
  })

  it('any other OPTIONS is answered with 204 and Allow', async () => {
    const answer = await fetch(`${server.url}/api/v2/getMasterchainInfo`, { method: 'OPTIONS' })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('allow')).toContain('POST')
  })

  it('a request id that fits into a header is kept, any other is replaced', async () => {
    const idFor = async (id: string): Promise<string | null> =>
      (await fetch(`${server.url}/health`, { headers: { 'X-Request-Id': id } })).headers.get('x-request-id')
    expect(await idFor('abc-1.2:3')).toBe('abc-1.2:3')
    for (const bad of ['a b', 'x'.repeat(65), 'a"b']) expect(await idFor(bad)).not.toBe(bad)
  })

  it('long answers are compressed for clients that ask for it, and only for those', async () => {
    const long = `/api/v2/echo?size=${LIMITS.compress}`
    // Short ones at once, longer ones by a stream, and the longest in parts.
    for (const size of [LIMITS.compress, 40_000, LIMITS.long + 1]) {
      const answer = await fetch(`${server.url}/api/v2/echo?size=${size}`, { headers: { 'Accept-Encoding': 'gzip' } })
      expect(answer.headers.get('content-encoding')).toBe('gzip')
      expect(answer.headers.get('vary')).toContain('Accept-Encoding')
      expect((await answer.json()).result).toHaveLength(size)
    }
    const plain = await rawRequest(server.url, GET(long))
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(JSON.parse(plain.body).result).toHaveLength(LIMITS.compress)
    const short = await rawRequest(server.url, GET('/api/v2/echo?size=5', 'Accept-Encoding: gzip\r\n'))
    expect(short.headers['content-encoding']).toBeUndefined()
  })
})

describe('connections', () => {
  it('connections stay open between requests, past the time that headers may take', async () => {
    const socket = await open(server.url)
    const ask = async (): Promise<number> => {
      const answer = readAnswer(socket)
      socket.write(GET('/health'))
      const { status, headers } = await answer
      expect(headers['connection']).toBe('keep-alive')
      expect(headers['keep-alive']).toBe(`timeout=${times.keepAlive / 1000}`)
      return status
    }
    expect(await ask()).toBe(200)
    await sleep(times.request + 2 * times.check)
    expect(await ask()).toBe(200)
    socket.destroy()
  })

  it('connections answer pipelined requests in their order', async () => {
    const socket = await open(server.url)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.write(GET('/api/v2/slow?ms=60') + GET('/api/v2/echo?size=1') + GET('/nothing', 'Connection: close\r\n'))
    await new Promise((closed) => socket.once('close', closed))
    const [slow, echo, nothing] = [text.indexOf('slept 60'), text.indexOf('"result":"x"'), text.indexOf('Not Found",')]
    expect(slow).toBeGreaterThan(0)
    expect(echo).toBeGreaterThan(slow)
    expect(nothing).toBeGreaterThan(echo)
  })

  it('connections that never finish their headers are answered with 408', async () => {
    const socket = await open(server.url)
    const answer = readAnswer(socket)
    socket.write('GET /health HTTP/1.1\r\nHost: loc')
    const { status, headers, body } = await answer
    expect(status).toBe(408)
    expect(headers['content-type']).toContain('application/json')
    expect(JSON.parse(body)).toEqual({ ok: false, error: expect.any(String), code: 408, '@extra': '_' })
  })

  it('connections that do not end after the 408 are cut', async () => {
    const own = await startTransport({ times })
    const connections = (): Promise<number> =>
      new Promise((resolve, reject) => own.http.server.getConnections((error, count) => (error ? reject(error) : resolve(count))))
    const socket = await open(own.url)
    // Nothing is read, so this side does not see the end of the connection.
    socket.pause().write('GET /health HTTP/1.1\r\nHost: loc')
    await expect.poll(connections).toBe(1)
    await expect.poll(connections).toBe(0)
    socket.destroy()
    await own.close()
  })

  it('connections whose body never ends are answered with 408', async () => {
    const socket = await open(server.url)
    const answer = readAnswer(socket)
    socket.write(rawPost('/jsonRPC', 'x'.repeat(100)).slice(0, -50))
    expect((await answer).status).toBe(408)
  })

  it('a connection that ends aborts its call', async () => {
    const before = server.aborted.length
    const socket = await open(server.url)
    socket.write(GET('/api/v2/slow?ms=1400'))
    await expect.poll(() => server.peak.now).toBeGreaterThan(0)
    socket.destroy()
    await expect.poll(() => server.aborted.length).toBe(before + 1)
  })

  it('requests for an unknown protocol are served without it', async () => {
    const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'
    const got = await rawRequest(server.url, GET('/api/v2/echo?size=2', upgrade))
    expect(got.status).toBe(200)
    expect(JSON.parse(got.body).result).toBe('xx')
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'echo', params: { size: 2 } })
    const posted = await rawRequest(
      server.url,
      rawPost('/jsonRPC', body, { Connection: 'Upgrade', Upgrade: 'h2c', 'Content-Type': 'application/json' }),
    )
    expect(JSON.parse(posted.body)).toMatchObject({ id: 1, result: 'xx' })
  })
})

describe('what is too much', () => {
  it('a URL over 8 KiB is answered with 414', async () => {
    const { status, body } = await rawRequest(server.url, GET(`/api/v2/getMasterchainInfo?x=${'y'.repeat(LIMITS.url)}`))
    expect(status).toBe(414)
    expect(JSON.parse(body)).toMatchObject({ ok: false, code: 414 })
  })

  it('headers over 64 KiB are answered with 431', async () => {
    const { status, body } = await rawRequest(server.url, GET('/health', `X-Long: ${'y'.repeat(LIMITS.headers)}\r\n`))
    expect(status).toBe(431)
    expect(JSON.parse(body)).toMatchObject({ ok: false, code: 431 })
  })

  it('bytes that are no HTTP are answered with 400', async () => {
    for (const bytes of [
      'nonsense\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n`,
      'GET / HTTP/1.1\r\n\r\n',
    ]) {
      const { status, body } = await rawRequest(server.url, bytes)
      expect(status).toBe(400)
      expect(JSON.parse(body)).toMatchObject({ ok: false, code: 400 })
    }
  })

  it.each(['/jsonRPC', '/api/v2/jsonRPC', '/api/v2/getMasterchainInfo'])('a body over 1 MiB at %s is answered with 413', async (path) => {
    const fits = await fetch(`${server.url}${path}`, { method: 'POST', body: ' '.repeat(LIMITS.body) })
    expect(fits.status).not.toBe(413)
    await fits.text()
    for (const size of [LIMITS.body + 1, 4 << 20]) {
      const answer = await fetch(`${server.url}${path}`, { method: 'POST', body: ' '.repeat(size) })
      expect(answer.status).toBe(413)
      const body = await answer.json()
      if (path === '/jsonRPC') expect(body).toEqual({ jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32013 }) })
      else expect(body).toMatchObject({ ok: false, code: 413 })
    }
  })

  it('a body that is announced as endless is refused at once', async () => {
    const socket = await open(server.url)
    const answer = readAnswer(socket)
    socket.write('POST /jsonRPC HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n')
    expect((await answer).status).toBe(413)
    // Its sender is not waited for longer than for any other.
    await new Promise((closed) => socket.once('close', closed))
  })

  it('an endless chunked body is refused while it is being sent, and then cut off', async () => {
    const socket = await open(server.url)
    const answer = readAnswer(socket)
    socket.write('POST /jsonRPC HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n')
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const sending = setInterval(() => socket.writableLength < 1 << 20 && socket.write(chunk), 1)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    expect((await answer).status).toBe(413)
    await closed
    clearInterval(sending)
  })

  it('a connection goes on after an oversized body that did end', async () => {
    const socket = await open(server.url)
    const refused = readAnswer(socket)
    socket.write(rawPost('/jsonRPC', ' '.repeat(LIMITS.body + 1)))
    expect((await refused).status).toBe(413)
    const served = readAnswer(socket)
    socket.write(GET('/health'))
    expect((await served).status).toBe(200)
    socket.destroy()
  })
})

describe('documents and health', () => {
  it.each(['/health', '/healthcheck', '/api/v2/healthcheck'])('%s says that the process answers', async (path) => {
    expect(await (await fetch(`${server.url}${path}`)).json()).toEqual({ ok: true, result: 'OK' })
  })

  it.each(['/openapi.json', '/api/v2/openapi.json'])('the document is at %s', async (path) => {
    const answer = await fetch(`${server.url}${path}`)
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(await answer.json()).toMatchObject({ openapi: '3.1.0' })
  })

  it('/ready and /status tell the head', async () => {
    expect(await (await fetch(`${server.url}/ready`)).json()).toEqual({
      ok: true,
      phase: 'ready',
      seqno: 1,
      utime: expect.any(Number),
      troubles: [],
      v2: { ok: true, troubles: [] },
      v3: { ok: false, troubles: ['v3 is not served: the index is off'] },
    })
    expect(await (await fetch(`${server.url}/status`)).json()).toMatchObject({ ok: true, phase: 'ready', head: { seqno: 1 }, sockets: 0 })
  })

  it('an Accept or Accept-Encoding of over 1 KB counts as none', async () => {
    for (const [accept, isRead] of [
      ['a/b,'.repeat(250), true],
      [`"${',""'.repeat(400)}`, false],
    ] as const) {
      const headers = { Accept: `text/html,${accept}`, 'Accept-Encoding': `gzip;q=0.9,${accept}` }
      const page = await fetch(server.url, { headers })
      expect(page.headers.get('content-type')).toContain(isRead ? 'text/html' : 'application/json')
      const echo = await fetch(`${server.url}/api/v2/echo?size=5000`, { headers })
      expect(echo.headers.get('content-encoding')).toBe(isRead ? 'gzip' : null)
    }
    // Koa writes HTML into a redirect, unless the client accepts none.
    const { headers } = await rawRequest(server.url, GET('/docs', `Accept: text/plain,${'a/b,'.repeat(300)}\r\n`))
    expect(headers['content-type']).toContain('text/html')
  })

  it('/ is a page for browsers and JSON for others', async () => {
    const page = await fetch(server.url, { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(await page.text()).toContain('<title>tonway')
    expect(await (await fetch(server.url)).json()).toMatchObject({ ok: true, result: { name: 'tonway' } })
  })
})
