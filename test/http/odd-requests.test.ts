import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS, TIMES } from '../../server/http/limits.ts'
import { startTransport, type Transport } from '../kit/service/test-transports.ts'
import { sleep } from '../kit/wait.ts'
import { open, type RawAnswer, rawPost, rawRequest, readAnswer } from './raw.ts'

/* Requests that HTTP allows, or nearly, and that no ordinary client sends. */

let server: Transport
const times = { ...TIMES, headers: 300, request: 700, linger: 100, check: 50 }
beforeAll(async () => {
  server = await startTransport({ times, networks: ['local', 'testnet'] })
})
afterAll(() => server.close())

const GET = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
const connections = (of: Transport): Promise<number> =>
  new Promise((resolve, reject) => of.http.server.getConnections((error, count) => (error ? reject(error) : resolve(count))))

/** A refusal that any client can read: JSON, open to pages, with a request id. */
const expectRefusal = ({ status, headers, body }: RawAnswer, expected: number): void => {
  expect(status).toBe(expected)
  expect(headers['content-type']).toContain('application/json')
  expect(headers['access-control-allow-origin']).toBe('*')
  expect(headers['x-request-id']).toMatch(/^[\w.:-]+$/)
  expect(JSON.parse(body)).toMatchObject({ ok: false, code: expected, error: expect.any(String) })
}

describe('Accept-Encoding', () => {
  it.each([
    '*;q=0',
    'identity;q=0',
    'gzip;q=0, deflate;q=0, identity;q=0',
    'br;q=1, *;q=0',
    'gzip;q=0, *;q=0',
    'nonsense;;q=,',
  ])('Accept-Encoding %s gets long answers uncompressed or compressed', async (encoding) => {
    for (const path of [`/api/v2/echo?size=${LIMITS.compress}`, '/openapi.json', '/openrpc.json', '/']) {
      const { status, headers, body } = await rawRequest(server.url, GET(path, `Accept-Encoding: ${encoding}\r\n`))
      expect(status).toBe(200)
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers['x-request-id']).toBeDefined()
      expect(headers['content-encoding']).toBeUndefined()
      expect(body.length).toBeGreaterThan(5)
    }
  })
})

describe('a request target', () => {
  it.each([
    'http://[',
    'http://',
    'http://a b/',
    'http://user:secret@localhost/health',
    'ftp://localhost/health',
    'http://localhost:99999/health',
    'localhost:80',
  ])('the request target %s is refused with 400 as JSON', async (target) => {
    expectRefusal(await rawRequest(server.url, GET(target)), 400)
  })

  it('a request target with a scheme and a host means its path', async () => {
    expect((await rawRequest(server.url, GET('http://localhost/health'))).status).toBe(200)
    const named = await rawRequest(server.url, GET(`http://localhost/testnet/api/v2/getAddressBalance?address=0:${'0'.repeat(64)}`))
    expect(JSON.parse(named.body)).toMatchObject({ ok: true, result: '1500000000' })
    expect(server.calls.get('getAddressBalance')!.network).toBe('testnet')
    const bare = await rawRequest(server.url, GET('http://localhost?x=1', 'Accept: application/json\r\n'))
    expect(JSON.parse(bare.body)).toMatchObject({ ok: true, result: { name: 'tonway' } })
  })

  it('the host in a request target counts as the Host header', async () => {
    const byHost = GET(`http://testnet.example/api/v2/getAddressBalance?address=0:${'1'.repeat(64)}`)
    expect((await rawRequest(server.url, byHost)).status).toBe(200)
    expect(server.calls.get('getAddressBalance')!).toMatchObject({ network: 'testnet', localAllowed: false })
  })
})

describe('expectations and methods', () => {
  it('an unknown expectation is refused with 417 as JSON', async () => {
    expectRefusal(await rawRequest(server.url, GET('/health', 'Expect: 200-ok\r\n')), 417)
    expectRefusal(await rawRequest(server.url, rawPost('/api/v2/echo', '{"size":1}', { Expect: 'something' })), 417)
  })

  it('Expect: 100-continue is answered with 100 Continue', async () => {
    const socket = await open(server.url)
    const answer = readAnswer(socket)
    socket.write('POST /api/v2/echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n')
    expect((await answer).status).toBe(100)
    const result = readAnswer(socket)
    socket.write('{"size":4}')
    expect(JSON.parse((await result).body)).toMatchObject({ result: 'xxxx' })
    socket.destroy()
  })

  it('CONNECT is refused with 405 as JSON, and opens no tunnel', async () => {
    let reached = false
    const target = createServer(() => {
      reached = true
    })
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
    const { port } = target.address() as { port: number }
    const answer = await rawRequest(server.url, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
    expectRefusal(answer, 405)
    expect(answer.headers['allow']).toBe('GET, HEAD, POST, OPTIONS')
    expect(reached).toBe(false)
    target.close()
  })

  it('OPTIONS * is answered like any OPTIONS', async () => {
    expect((await rawRequest(server.url, 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n')).status).toBe(204)
  })
})

describe('a head that HTTP forbids', () => {
  it.each([
    ['two Host lines', 'Host: localhost\r\nHost: evil.example\r\n'],
    ['the same Host twice', 'Host: localhost\r\nhOST: localhost\r\n'],
    ['a Host with a path', 'Host: localhost/health\r\n'],
    ['a Host with a user', 'Host: me@localhost\r\n'],
    ['a Host of two words', 'Host: localhost evil.example\r\n'],
    ['a Host whose port is none', 'Host: localhost:http\r\n'],
    ['no Host', ''],
  ])('a head with %s is refused with 400 as JSON, before an upgrade too', async (_what, lines) => {
    expectRefusal(await rawRequest(server.url, `GET /health HTTP/1.1\r\n${lines}\r\n`), 400)
    expectRefusal(await rawRequest(server.url, `GET /jsonRPC HTTP/1.1\r\n${lines}${UPGRADE}\r\n`), 400)
    expectRefusal(await rawRequest(server.url, `GET http://localhost/health HTTP/1.1\r\n${lines}\r\n`), 400)
  })

  it.each(['localhost', '127.0.0.1:8081', '[::1]:8081', 'my_service.local.', ''])('a Host of %j is refused', async (host) => {
    expect((await rawRequest(server.url, `GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).status).toBe(200)
  })

  it.each(['0.9', '2.0'])('HTTP/%s is refused with 505 as JSON', async (version) => {
    expectRefusal(await rawRequest(server.url, `GET /health HTTP/${version}\r\nHost: localhost\r\n\r\n`), 505)
  })

  it('a compressed body is refused with 415 as JSON', async () => {
    expectRefusal(await rawRequest(server.url, rawPost('/api/v2/echo', '{"size":1}', { 'Content-Encoding': 'gzip' })), 415)
    expect((await rawRequest(server.url, rawPost('/api/v2/echo', '{"size":1}', { 'Content-Encoding': 'identity' }))).status).toBe(200)
  })

  it('a WebSocket handshake in HTTP/1.0 is refused with 400 as JSON', async () => {
    expectRefusal(await rawRequest(server.url, `GET /jsonRPC HTTP/1.0\r\nHost: localhost\r\n${UPGRADE}\r\n`), 400)
  })
})

describe('a wish for another protocol', () => {
  const h2c = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'

  it('an upgrade to another protocol is ignored: the request is answered, and the connection goes on', async () => {
    const socket = await open(server.url)
    const first = readAnswer(socket)
    socket.write(GET('/api/v2/echo?size=2', h2c))
    expect(JSON.parse((await first).body)).toMatchObject({ result: 'xx' })
    const second = readAnswer(socket)
    socket.write(rawPost('/api/v2/echo', '{"size":3}', { Upgrade: 'foo', Connection: 'upgrade' }))
    expect(JSON.parse((await second).body)).toMatchObject({ result: 'xxx' })
    const third = readAnswer(socket)
    socket.write(GET('/health'))
    expect((await third).status).toBe(200)
    socket.destroy()
  })

  it('an upgrade to another protocol is ignored with a chunked body too', async () => {
    const head = `POST /api/v2/echo HTTP/1.1\r\nHost: localhost\r\n${h2c}Transfer-Encoding: chunked\r\n\r\n`
    const { status, body } = await rawRequest(server.url, `${head}5\r\n{"siz\r\n5\r\ne":4}\r\n0\r\n\r\n`)
    expect(status).toBe(200)
    expect(JSON.parse(body)).toMatchObject({ result: 'xxxx' })
  })

  it.each(['h2c', 'anything'])('an upgrade with %s keeps the time limit of the request', async (protocol) => {
    const socket = await open(server.url)
    const answer = readAnswer(socket)
    socket.write(
      `POST /api/v2/echo HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\nContent-Length: 100\r\n\r\n{`,
    )
    // A byte now and then does not make it longer.
    const drip = setInterval(() => socket.write(' '), 100)
    expectRefusal(await answer, 408)
    clearInterval(drip)
    socket.destroy()
  })

  it('an upgrade behind requests that are not answered yet ends the connection after an answer', async () => {
    const socket = await open(server.url)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.write(GET('/api/v2/slow?ms=60') + GET('/health', h2c))
    await new Promise((closed) => socket.once('close', closed))
    expect(text).toContain('slept 60')
  })
})

describe('the end of the service', () => {
  it.each([
    [
      'a half-sent request with a wish for another protocol',
      `POST /x HTTP/1.1\r\nHost: l\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 9\r\n\r\n{`,
    ],
    ['a half-sent WebSocket handshake', 'GET /jsonRPC HTTP/1.1\r\nHost: l\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'],
    ['a request whose answer is not read', GET('/api/v2/echo?size=30000000')],
  ])('the end of the service does not wait for %s', async (_, bytes) => {
    // Patience as it is in earnest: what ends the connection is the end of the service.
    const own = await startTransport()
    const socket = await open(own.url)
    socket.on('error', () => {})
    socket.pause().write(bytes)
    await expect.poll(() => connections(own)).toBe(1)
    await sleep(100)
    const began = performance.now()
    await own.close()
    expect(performance.now() - began).toBeLessThan(4_000)
    await expect.poll(() => connections(own)).toBe(0)
    socket.destroy()
  })
})
