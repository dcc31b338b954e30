import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createRandom, seed } from '../kit/random.ts'
import { get, post, rpcText } from '../kit/wire/connection.ts'
import { frame, openFrames } from '../kit/wire/frames.ts'
import { startService, type WireService } from '../kit/wire/service.ts'

const random = createRandom(seed)
const noise = (length: number) => Buffer.from([...random.bytes(length)])

/* What has brought down servers of this kind before: ws, node's parser, proxies in front. After each the next caller gets his answer. */

let service: WireService
beforeAll(async () => {
  service = await startService()
})
afterEach(async () => {
  expect((await service.ask(post('/jsonRPC', rpcText('getMasterchainInfo', {}, 'after')))).json).toMatchObject({ ok: true, id: 'after' })
})
afterAll(() => service?.stop())

const noSockets = (): Promise<void> => expect.poll(async () => (await service.status()).sockets).toBe(0)

/** Sends bytes, says that nothing more will come, and reads until the service has hung up: answers that are more than asked for show. */
const exchange = async (...parts: readonly (string | Buffer)[]): Promise<{ statuses: readonly number[]; text: string }> => {
  const connection = await service.open()
  for (const part of parts) if (!connection.socket.destroyed) void connection.send(part)
  connection.end()
  const chunks: Buffer[] = []
  connection.socket.on('data', (chunk) => chunks.push(chunk))
  await connection.closed
  const text = Buffer.concat(chunks).toString('latin1')
  return { text, statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)) }
}

/** A request with these header lines. */
const request = (line: string, headers: readonly string[] = [], body = ''): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', ...headers, '', body].join('\r\n')

const HANDSHAKE = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']

describe('handshakes', () => {
  it.each([
    ['more headers than node counts (CVE-2024-37890)', Array.from({ length: 2_001 }, (_, i) => `a${i}:`), [431]],
    ['the same with the Upgrade header last', [...Array.from({ length: 2_001 }, (_, i) => `a${i}:`), 'Upgrade: websocket'], [431]],
    ['extensions named as members of objects', ['Sec-WebSocket-Extensions: constructor, __proto__; toString=1'], [101]],
    ['an extension without end', [`Sec-WebSocket-Extensions: ${'a;'.repeat(5_000)}`], [101, 400]],
    [
      'permessage-deflate with windows that are none',
      ['Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99999999999'],
      [101, 400],
    ],
    ['a protocol list of spaces (CVE-2021-32640)', [`Sec-WebSocket-Protocol: b${' '.repeat(40_000)}x`], [101, 400]],
    ['a thousand protocols', [`Sec-WebSocket-Protocol: ${Array.from({ length: 1_000 }, (_, i) => `p${i}`).join(',')}`], [101, 400]],
    ['an Origin without end', [`Origin: http://${'a'.repeat(40_000)}`], [101, 400]],
  ])('a handshake with %s gets a proper answer', async (_what, headers, statuses) => {
    expect(statuses).toContain((await service.ask(get('/jsonRPC', ...headers, ...HANDSHAKE))).status)
  })

  it.each([
    ['no key', ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']],
    ['a key that is too short', [...HANDSHAKE.slice(0, 3), 'Sec-WebSocket-Key: a']],
    ['a version that is none', ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: -1', HANDSHAKE[3]!]],
    ['a POST', HANDSHAKE],
  ])('a handshake with %s is refused', async (what, headers) => {
    const { statuses } = await exchange(request(`${what === 'a POST' ? 'POST' : 'GET'} /jsonRPC`, headers))
    expect(statuses).toHaveLength(1)
    expect(statuses[0]).toBeGreaterThanOrEqual(400)
  })
})

describe('frames', () => {
  it.each([
    ['a length of 2^63', Buffer.from([0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
    ['a length of 2^53', Buffer.from([0x81, 0xff, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
    ['no mask', frame(0x81, Buffer.from('{}'), false)],
    ['a reserved opcode', frame(0x83)],
    ['reserved bits', frame(0xf1, Buffer.from('{}'))],
    ['compression that was not agreed on', frame(0xc1, noise(20))],
    ['a control frame in pieces', frame(0x09)],
    ['a control frame that is too long', frame(0x89, Buffer.alloc(126))],
    ['a continuation of nothing', frame(0x80)],
    ['a message inside a message', Buffer.concat([frame(0x01, Buffer.from('a')), frame(0x81, Buffer.from('b'))])],
    ['a close code that is none', frame(0x88, Buffer.from([0x03, 0xee]))],
    ['a close of one byte', frame(0x88, Buffer.from([0x03]))],
    ['noise', noise(2_000)],
  ])('after the frame %s only its socket is closed', async (_what, bytes) => {
    const { connection: socket } = await openFrames(service)
    void socket.send(bytes)
    await socket.closed
    await noSockets()
  })

  it.each([
    ['of a byte', Buffer.from(' ')],
    ['of nothing', Buffer.alloc(0)],
  ])('a message in pieces %s, each of which costs more than its bytes, is ended after a thousand', async (_what, piece) => {
    const { connection: socket } = await openFrames(service)
    void socket.send(frame(0x01, piece))
    void socket.send(Buffer.concat(Array.from({ length: 1_000 }, () => frame(0x00, piece))))
    await service.ask(get('/health'))
    expect((await service.status()).sockets).toBe(1)
    void socket.send(Buffer.concat(Array.from({ length: 100 }, () => frame(0x00, piece))))
    await socket.closed
    await noSockets()
  })

  it('pings without end are answered or dropped, and nobody else waits', async () => {
    const { connection: socket } = await openFrames(service)
    const pings = Buffer.concat(Array.from({ length: 5_000 }, () => frame(0x89, Buffer.alloc(100))))
    for (let i = 0; i < 10; i++) void socket.send(pings)
    await service.ask(get('/health'))
    socket.destroy()
    await noSockets()
  })

  it('a thousand sockets that come and go leave nothing behind', async () => {
    for (let round = 0; round < 5; round++) {
      const sockets = Array.from({ length: 60 }, () => new WebSocket(`${service.url.replace('http', 'ws')}/jsonRPC`))
      await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('open', resolve))))
      for (const [i, socket] of sockets.entries()) i % 2 === 0 ? socket.terminate() : socket.close()
    }
    await noSockets()
  })
})

const POST = 'POST /jsonRPC'
const INNER = 'GET /api/v2/getMasterchainInfo HTTP/1.1\r\nHost: localhost\r\nX-Smuggled: 1\r\n\r\n'

describe('requests that two servers read differently', () => {
  it.each([
    ['both lengths (CL.TE)', request(POST, ['Content-Length: 6', 'Transfer-Encoding: chunked'], `0\r\n\r\n${INNER}`)],
    [
      'both lengths, the other way (TE.CL)',
      request(POST, ['Transfer-Encoding: chunked', 'Content-Length: 4'], `5c\r\n${INNER}\r\n0\r\n\r\n`),
    ],
    ['two encodings', request(POST, ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], `0\r\n\r\n${INNER}`)],
    ['an encoding that is none', request(POST, ['Transfer-Encoding: xchunked'], `0\r\n\r\n${INNER}`)],
    ['an encoding behind another', request(POST, ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${INNER}`)],
    ['an encoding with a tab before it', request(POST, ['Transfer-Encoding:\tchunked', 'Content-Length: 3'], `0\r\n\r\n${INNER}`)],
    ['a space before the colon', request(POST, ['Transfer-Encoding : chunked', 'Content-Length: 5'], `0\r\n\r\n${INNER}`)],
    ['two different lengths', request(POST, ['Content-Length: 2', `Content-Length: ${2 + INNER.length}`], `{}${INNER}`)],
    ['two lengths in a line', request(POST, ['Content-Length: 2, 2'], `{}${INNER}`)],
    ['a length with a sign', request(POST, ['Content-Length: +2'], `{}${INNER}`)],
    ['a negative length', request(POST, ['Content-Length: -1'], INNER)],
    ['a hexadecimal length', request(POST, ['Content-Length: 0x2'], `{}${INNER}`)],
    ['a length beyond numbers', request(POST, ['Content-Length: 18446744073709551617'], INNER)],
    ['a line that goes on in the next', request(POST, ['Transfer-Encoding:', ' chunked', 'Content-Length: 5'], `0\r\n\r\n${INNER}`)],
    ['bare newlines', `POST /jsonRPC HTTP/1.1\nHost: localhost\nContent-Length: 2\n\n{}${INNER}`],
    ['bare carriage returns', `POST /jsonRPC HTTP/1.1\rHost: localhost\r\r${INNER}`],
    ['a NUL in a name', request(POST, ['Transfer-\0Encoding: chunked', 'Content-Length: 2'], `{}${INNER}`)],
    ['a chunk size with a sign', request(POST, ['Transfer-Encoding: chunked'], `-1\r\n${INNER}`)],
    ['a chunk size beyond numbers', request(POST, ['Transfer-Encoding: chunked'], `ffffffffffffffffff\r\n${INNER}`)],
    ['a chunk size that is none', request(POST, ['Transfer-Encoding: chunked'], `zz\r\n${INNER}`)],
    ['a chunk without its end', request(POST, ['Transfer-Encoding: chunked'], `2\r\n{}x${INNER}`)],
    ['a chunk extension with a bare newline', request(POST, ['Transfer-Encoding: chunked'], `2;\nxx\r\n{}\r\n0\r\n\r\n${INNER}`)],
    ['a chunk extension without end', request(POST, ['Transfer-Encoding: chunked'], `2;${'a'.repeat(100_000)}`)],
    ['trailers without end', request(POST, ['Transfer-Encoding: chunked'], `0\r\n${'X-A: b\r\n'.repeat(20_000)}`)],
    ['a GET with a chunked body', request('GET /health', ['Transfer-Encoding: chunked'], `0\r\n\r\n${INNER}`)],
    ['a tab in the request line', `GET\t/jsonRPC\tHTTP/1.1\r\nHost: localhost\r\n\r\n${INNER}`],
    ['two request lines', `GET /health HTTP/1.1 GET /jsonRPC HTTP/1.1\r\nHost: localhost\r\n\r\n${INNER}`],
    ['a version that is none', `GET /health HTTP/1.10\r\nHost: localhost\r\n\r\n${INNER}`],
  ])('%s: no smuggled request is answered', async (_what, bytes) => {
    const { statuses } = await exchange(bytes)
    expect(statuses.length).toBeLessThanOrEqual(1)
    expect(statuses.filter((status) => status !== 400 && status !== 413 && status !== 431)).toEqual([])
  })

  it('a GET with a body is one request, and its body is none', async () => {
    const { statuses, text } = await exchange(request('GET /health', [`Content-Length: ${INNER.length}`, 'Connection: close'], INNER))
    expect(statuses).toEqual([200])
    expect(text).not.toContain('masterchainInfo')
  })

  it.each([
    ['another', 'Host: evil.example'],
    ['the same again', 'Host: localhost'],
    ['in capitals', 'HOST: evil.example'],
  ])('two Hosts, %s, are refused', async (_what, line) => {
    const { statuses } = await exchange(request('GET /health', [line, 'Connection: close']))
    expect(statuses).toEqual([400])
  })
})

describe('other protocols and floods', () => {
  it.each([
    ['HTTP/2 by its preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', [400, 505]],
    ['HTTP/0.9', 'GET /health\r\n\r\n', [505]],
    ['TLS', Buffer.concat([Buffer.from([0x16, 0x03, 0x01, 0x02, 0]), noise(512)]), [400]],
    ['SSH', 'SSH-2.0-OpenSSH_9.6\r\n', [400]],
    ['Redis', '*1\r\n$4\r\nPING\r\n', [400]],
    ['SMTP', 'EHLO x\r\n', [400]],
    ['nothing', '', []],
    ['blank lines', '\r\n'.repeat(10_000), []],
  ])('the bytes of %s get a proper end', async (_what, bytes, allowed) => {
    const { statuses } = await exchange(bytes)
    for (const status of statuses) expect(allowed).toContain(status)
  })

  it('HTTP/2 by upgrade is answered in HTTP/1.1, once', async () => {
    const { statuses } = await exchange(
      request('GET /health', ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA']),
    )
    expect(statuses).toEqual([200])
  })

  it.each([
    ['2,500 lines', Array.from({ length: 2_500 }, (_, i) => `h${i}: v`)],
    ['one name 2,500 times', Array.from({ length: 2_500 }, () => 'x: y')],
    ['a cookie of 60 KB', [`Cookie: ${'a=b; '.repeat(12_000)}`]],
    ['names of every object', ['__proto__: 1', 'constructor: 1', 'toString: 1', 'hasOwnProperty: 1']],
  ])('a request with the headers %s gets a proper answer', async (_what, headers) => {
    const { statuses } = await exchange(request('GET /health', [...headers, 'Connection: close']))
    expect(statuses).toHaveLength(1)
    expect([200, 431]).toContain(statuses[0])
  })

  it('two thousand requests in one write are answered in turn, each once', async () => {
    const { statuses } = await exchange(request('GET /health').repeat(1_999) + request('GET /health', ['Connection: close']))
    expect(statuses).toHaveLength(2_000)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('Expect: 100-continue works with a body that comes early, and with one that never comes', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"getMasterchainInfo"}'
    const head = ['Expect: 100-continue', `Content-Length: ${body.length}`, 'Connection: close']
    expect((await exchange(request(POST, head, body))).statuses.at(-1)).toBe(200)
    const odd = await exchange(request(POST, ['Expect: 200-ok', `Content-Length: ${body.length}`, 'Connection: close'], body))
    expect(odd.statuses).toEqual([417])
  })

  it('five hundred connections that only open do not delay others', async () => {
    const sockets = await Promise.all(Array.from({ length: 500 }, () => service.open()))
    await service.ask(get('/health'))
    for (const connection of sockets) connection.destroy()
  })
})
