import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { get, post, requestOf, rpcText } from '../kit/wire/connection.ts'
import { largeBatch, makeLarge } from '../kit/wire/large.ts'
import { expectRefusal, startService, type WireService } from '../kit/wire/service.ts'

/* Requests for another protocol: handshakes of WebSockets, and wishes that are not granted. */

let service: WireService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

const KEY = 'dGhlIHNhbXBsZSBub25jZQ=='
const handshake = ({ version = '13', key = KEY, more = [] as readonly string[] } = {}): readonly string[] => [
  ...more,
  'Connection: Upgrade',
  'Upgrade: websocket',
  ...(version === '' ? [] : [`Sec-WebSocket-Version: ${version}`]),
  ...(key === '' ? [] : [`Sec-WebSocket-Key: ${key}`]),
]
const CALL = rpcText('getMasterchainInfo')
const H2C = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__']

describe('handshakes of WebSockets', () => {
  it.each([
    '/jsonRPC',
    '/jsonRPC?api_key=x',
    '/local/jsonRPC',
    'http://localhost/jsonRPC',
    '/api/streaming/v2/ws',
  ])('a handshake at %s is accepted', async (path) => {
    const { status, headers } = await service.ask(get(path, ...handshake()))
    const accept = createHash('sha1').update(`${KEY}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
    expect(status).toBe(101)
    expect(headers).toMatchObject({ upgrade: 'websocket', connection: 'Upgrade', 'sec-websocket-accept': accept })
  })

  it('a handshake is not answered with an extension', async () => {
    const wishes = handshake({ more: ['Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits, constructor'] })
    const { status, headers } = await service.ask(get('/jsonRPC', ...wishes))
    expect([status, headers['sec-websocket-extensions']]).toEqual([101, undefined])
  })

  it.each([
    '/ws',
    '/',
    '/other/jsonRPC',
    '/jsonRPC/',
    '/jsonrpc',
    '/api/v2/getMasterchainInfo',
    '/api/streaming/v2/sse',
  ])('a handshake at %s is refused with 404 and the paths of WebSockets', async (path) => {
    const connection = await service.open()
    await connection.send(get(path, ...handshake()) + get('/health'))
    const [refusal, ...more] = await connection.answers()
    expect(expectRefusal(refusal!, 404)).toBe('Not Found; WebSockets are at /jsonRPC, /api/v2/jsonRPC, /api/streaming/v2/ws')
    expect(refusal!.headers['connection']).toBe('close')
    expect(more).toEqual([])
  })

  it.each([
    ['no version', handshake({ version: '' })],
    ['a version that is none', handshake({ version: '-1' })],
    ['another version', handshake({ version: '14' })],
    ['no key', handshake({ key: '' })],
    ['a key that is too short', handshake({ key: 'a' })],
    ['a key that is not base64', handshake({ key: '?'.repeat(24) })],
  ])('a handshake with %s is refused with 400 and the version that is spoken', async (_what, lines) => {
    const answer = await service.ask(get('/jsonRPC', ...lines))
    expect(expectRefusal(answer, 400)).toMatch(/^Missing or invalid Sec-WebSocket-(Version|Key) header$/)
    expect(answer.headers).toMatchObject({ connection: 'close', 'sec-websocket-version': '13' })
  })

  it('a handshake by POST or in HTTP/1.0, with two Hosts or without one is refused with 400', async () => {
    const [, ...old] = requestOf('GET', '/jsonRPC', ...handshake()).split('\r\n')
    for (const bytes of [
      post('/jsonRPC', CALL, ...handshake()),
      ['GET /jsonRPC HTTP/1.0', ...old].join('\r\n'),
      get('/jsonRPC', ...handshake({ more: ['Host: localhost'] })),
      get('/jsonRPC', ...handshake()).replace('Host: localhost\r\n', ''),
    ])
      expectRefusal(await service.ask(bytes), 400)
  })

  it('a handshake with too many header lines is refused with 431', async () => {
    const lines = Array.from({ length: 2_001 }, (_, i) => `a${i}: `)
    expectRefusal(await service.ask(get('/jsonRPC', ...lines, ...handshake())), 431)
  })

  it('bytes that follow a handshake are read as frames', async () => {
    const connection = await service.open()
    await connection.send(get('/jsonRPC', ...handshake()) + CALL)
    expect((await connection.answer()).status).toBe(101)
    await connection.closed
    // A close frame with the code of a broken protocol.
    expect(connection.left().subarray(0, 4)).toEqual(Buffer.from([0x88, connection.left()[1]!, 0x03, 0xea]))
  })

  it('a path of WebSockets that is asked without an upgrade says so', async () => {
    const { status, headers } = await service.ask(get('/api/streaming/v2/ws'))
    expect([status, headers['upgrade']]).toEqual([426, 'websocket'])
    expect((await service.ask(get('/jsonRPC', 'Upgrade: websocket'))).status).toBe(405)
  })

  it('connections that are cut in their handshake do no harm', async () => {
    for (let i = 0; i < 20; i++) {
      const connection = await service.open()
      void connection.send(get('/jsonRPC', ...handshake()))
      connection.destroy()
    }
    await expect.poll(async () => (await service.status()).sockets).toBe(0)
  })
})

describe('wishes for other protocols', () => {
  it('a wish for another protocol is ignored: the request is answered, and the connection goes on', async () => {
    const connection = await service.open()
    await connection.send(get('/health', ...H2C))
    expect((await connection.answer()).json).toEqual({ ok: true, result: 'OK' })
    await connection.send(post('/jsonRPC', CALL, 'Connection: upgrade', 'Upgrade: foo'))
    expect((await connection.answer()).json).toMatchObject({ id: 1, ok: true })
    const chunked = requestOf('POST', '/jsonRPC', ...H2C, 'Transfer-Encoding: chunked')
    await connection.send(`${chunked}${CALL.length.toString(16)}\r\n${CALL}\r\n0\r\n\r\n`)
    expect((await connection.answer()).json).toMatchObject({ id: 1, ok: true })
    await connection.send(get('/health'))
    expect((await connection.answer()).status).toBe(200)
    connection.destroy()
  })

  it('a wish behind requests that are not answered yet ends the connection after an answer', async () => {
    for (const last of [get('/health', ...H2C), get('/jsonRPC', ...handshake())]) {
      const connection = await service.open()
      await connection.send(post('/jsonRPC', rpcText('local.mine', { count: 5 }, 'before')) + last)
      const answers = await connection.answers()
      expect(answers.map(({ status, json }) => [status, json])).toEqual([[200, expect.objectContaining({ id: 'before', ok: true })]])
    }
  })

  it.each([
    ['a wish', get('/health', ...H2C)],
    ['a handshake', get('/jsonRPC', ...handshake())],
    ['a CONNECT', 'CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ])('%s behind a long answer that is read slowly leaves the answer whole, and the connection ends', async (_what, last) => {
    await makeLarge(service, 900_000)
    const connection = await service.open()
    await connection.send(largeBatch(20) + last)
    await expect.poll(async () => (await service.status()).unread_bytes.http).toBeGreaterThan(8 << 20)
    const [answer, ...more] = await connection.answers()
    expect([answer!.status, answer!.json, more]).toEqual([200, expect.objectContaining({ length: 20 }), []])
  })

  it('a client that goes away behind a wish frees what its answer holds', async () => {
    await makeLarge(service, 900_000)
    const connection = await service.open()
    await connection.send(largeBatch(20) + get('/health', ...H2C))
    await expect.poll(async () => (await service.status()).unread_bytes.http).toBeGreaterThan(8 << 20)
    connection.socket.resetAndDestroy()
    await expect.poll(async () => (await service.status()).unread_bytes.http).toBe(0)
  })
})
