import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UNREAD_LIMITS } from '../../../server/base/writer/unread.ts'
import { LIMITS, TIMES } from '../../../server/http/limits.ts'
import { TonError } from '../../../shared/errors.ts'
import { type Line, openLine } from '../../kit/service/client.ts'
import { startTransport, type Transport } from '../../kit/service/test-transports.ts'
import { sleep } from '../../kit/wait.ts'
import { open, portOf, rawRequest } from '../raw.ts'

let server: Transport
beforeAll(async () => {
  server = await startTransport()
})
afterAll(() => server.close())

const openSocket = (url = server.wsUrl, headers: Record<string, string> = {}): Promise<Line> => openLine(url, headers)

const call = (id: unknown, method = 'getShards', params: object = { seqno: 7 }) => ({ jsonrpc: '2.0', id, method, params })
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'

describe('ws /jsonRPC', () => {
  it('the WebSocket answers single calls, batches, notifications and invalid messages', async () => {
    const client = await openSocket()
    client.send(call('a'))
    expect(await client.next()).toMatchObject({ jsonrpc: '2.0', id: 'a', result: { seqno: 7 } })
    client.send([call(1), null, call(2, 'getNothing')])
    expect(await client.next()).toMatchObject([{ id: 1, result: { seqno: 7 } }, { id: null }, { id: 2, error: { code: -32601 } }])
    client.send({ jsonrpc: '2.0', method: 'getShards', params: { seqno: 1 } })
    client.send(Buffer.from(JSON.stringify(call(3))))
    expect(await client.next()).toMatchObject({ id: 3 })
    for (const bad of ['{', '', '['.repeat(100_000), '\u0000']) {
      client.send(bad)
      expect(await client.next()).toMatchObject({ id: null, error: { code: -32700 } })
    }
    for (const bad of ['null', '1', '[]', '{}']) {
      client.send(bad)
      expect(await client.next()).toMatchObject({ id: null, error: { code: -32600 } })
    }
    client.send(Array.from({ length: 1001 }, (_, i) => call(i)))
    expect(await client.next()).toMatchObject({ id: null, error: { code: -32013 } })
    client.socket.close()
    expect((await client.closed).code).toBe(1005)
  })

  it('the WebSocket answers each call as soon as it is done', async () => {
    const client = await openSocket()
    client.send(call('slow', 'slow', { ms: 150 }))
    client.send(call('quick'))
    expect(await client.next()).toMatchObject({ id: 'quick' })
    expect(await client.next()).toMatchObject({ id: 'slow', result: 'slept 150' })
    client.socket.close()
  })

  it('a socket whose frame is over 1 MiB is closed with 1009', async () => {
    const client = await openSocket()
    client.send(`"${'x'.repeat(LIMITS.socketFrame)}"`)
    expect((await client.closed).code).toBe(1009)
  })

  it('a socket that sends broken frames or texts that are not UTF-8 is closed', async () => {
    for (const [bytes, code] of [
      [Buffer.from([0xff, 0xff, 0xff, 0xff]), 1002],
      [Buffer.from([0x81, 0x02, 0xc3, 0x28]), 1002],
    ] as const) {
      const client = await openSocket()
      ;(client.socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(bytes)
      expect((await client.closed).code).toBe(code)
    }
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })

  it('the calls of a closed socket are aborted', async () => {
    const before = server.aborted.length
    const client = await openSocket()
    client.send(call(1, 'slow', { ms: 1400 }))
    await expect.poll(() => server.peak.now).toBeGreaterThan(0)
    client.socket.terminate()
    await expect.poll(() => server.aborted.length).toBe(before + 1)
  })

  it('a bounded number of one socket’s calls run at once, and all of a flood are answered', async () => {
    server.peak.most = 0
    const client = await openSocket()
    const count = 3000
    for (let i = 0; i < count; i++) client.send(call(i, 'slow', { ms: 1 }))
    const seen = new Set<unknown>()
    while (seen.size < count) seen.add(((await client.next()) as { id: unknown }).id)
    expect(server.peak.most).toBeLessThanOrEqual(LIMITS.socketCalls)
    client.socket.close()
  })

  it('long messages of one socket are answered one after the other', async () => {
    const client = await openSocket()
    server.peak.most = 0
    for (let i = 0; i < 3; i++) client.send(JSON.stringify(call(i, 'slow', { ms: 30 })) + ' '.repeat(100_000))
    for (let i = 0; i < 3; i++) expect(await client.next()).toMatchObject({ id: i })
    expect(server.peak.most).toBe(1)
    client.socket.close()
  })

  it('a flood on one socket does not starve another', async () => {
    const flood = await openSocket()
    const text = JSON.stringify(call(1))
    for (let i = 0; i < 20_000; i++) flood.socket.send(text)
    const other = await openSocket()
    other.send(call('other'))
    expect(await other.next()).toMatchObject({ id: 'other' })
    flood.socket.terminate()
    other.socket.close()
  })

  it.each([
    ['lets too much wait', 80],
    ['takes nothing for a while', 20],
  ])('a reader that %s is closed with 1013', async (_what, answers) => {
    const strict = await startTransport({ unread: { ...UNREAD_LIMITS, patience: 300 } })
    const client = await openSocket(strict.wsUrl)
    const inner = (client.socket as unknown as { _socket: { pause(): void; resume(): void } })._socket
    inner.pause()
    client.send(Array.from({ length: answers }, (_, i) => call(i, 'echo', { size: 1 << 20 })).slice(0, 10))
    for (let i = 0; i < answers; i++) client.send(call(i, 'echo', { size: 1 << 20 }))
    await expect.poll(() => strict.http.sockets()).toBe(0)
    inner.resume()
    expect([1013, 1006]).toContain((await client.closed).code)
    await strict.close()
  })

  it('a peer that does not answer pings is dropped, and one that does is kept', async () => {
    const strict = await startTransport({ times: { ...TIMES, ping: 50 } })
    const [deaf, alive] = await Promise.all([openSocket(strict.wsUrl), openSocket(strict.wsUrl)])
    ;(deaf.socket as unknown as { _socket: { pause(): void } })._socket.pause()
    await expect.poll(() => strict.http.sockets()).toBe(1)
    alive.send(call(1))
    expect(await alive.next()).toMatchObject({ id: 1 })
    deaf.socket.terminate()
    await strict.close()
  })

  it('a reader gets a large amount of data completely', async () => {
    const client = await openSocket()
    for (let i = 0; i < 30; i++) client.send(call(i, 'echo', { size: 1 << 20 }))
    for (let i = 0; i < 30; i++) expect(((await client.next()) as { result: string }).result).toHaveLength(1 << 20)
    client.socket.close()
  })

  it('upgrades at other paths and broken handshakes are refused with JSON', async () => {
    const elsewhere = await rawRequest(server.url, `GET /ws HTTP/1.1\r\nHost: localhost\r\n${UPGRADE}\r\n`)
    expect(elsewhere.status).toBe(404)
    expect(JSON.parse(elsewhere.body)).toMatchObject({
      ok: false,
      code: 404,
      error: expect.stringContaining('WebSockets are at /jsonRPC, /api/v2/jsonRPC, /api/'),
    })
    const broken = await rawRequest(
      server.url,
      'GET /jsonRPC HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    )
    expect(broken.status).toBe(400)
    expect(JSON.parse(broken.body)).toMatchObject({ ok: false, code: 400 })
  })

  it('a client that is refused by a close frame cannot end the process with a broken frame', async () => {
    const admit = (): never => {
      throw new TonError('UNAUTHORIZED', 'API key does not exist')
    }
    const strict = await startTransport({ gate: { admit } })
    const socket = await open(strict.url)
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk
    })
    socket.write(`GET /jsonRPC HTTP/1.1\r\nHost: localhost\r\n${UPGRADE}\r\n`)
    await expect.poll(() => text).toContain('API key does not exist')
    const faults: Error[] = []
    const note = (error: Error): void => void faults.push(error)
    process.prependListener('uncaughtExceptionMonitor', note)
    socket.write(Buffer.from([0xff, 0xff]))
    await new Promise((closed) => socket.once('close', closed))
    process.off('uncaughtExceptionMonitor', note)
    expect(faults).toEqual([])
    await strict.close()
  })

  it('the path of the WebSocket may have a query', async () => {
    const client = await openSocket(`${server.wsUrl}?api_key=x`)
    client.send(call(1))
    expect(await client.next()).toMatchObject({ id: 1 })
    client.socket.close()
  })

  it('the server survives connections that are cut in the handshake', async () => {
    for (let i = 0; i < 20; i++) {
      const socket = connect(portOf(server.url), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(`GET /jsonRPC HTTP/1.1\r\nHost: localhost\r\n${UPGRADE}\r\n`)
      socket.destroy()
    }
    await sleep(50)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })
})

describe('the end of the server', () => {
  it('at its end the server lets running calls answer, closes sockets with 1001 and takes nothing new', async () => {
    const ending = await startTransport()
    const client = await openSocket(ending.wsUrl)
    client.send(call('late', 'slow', { ms: 200 }))
    const http = fetch(`${ending.url}/api/v2/slow?ms=200`)
    await expect.poll(() => ending.peak.now).toBe(2)
    const closed = ending.http.close(2000)
    expect(await client.next()).toMatchObject({ id: 'late', result: 'slept 200' })
    expect((await client.closed).code).toBe(1001)
    const answer = await http
    expect(await answer.json()).toMatchObject({ ok: true, result: 'slept 200' })
    await closed
    await expect(fetch(`${ending.url}/health`)).rejects.toThrow()
  })

  it('the end of the server does not wait for calls beyond its patience', async () => {
    const ending = await startTransport()
    const client = await openSocket(ending.wsUrl)
    client.send(call(1, 'slow', { ms: 1400 }))
    const http = fetch(`${ending.url}/api/v2/slow?ms=1400`).catch((error: Error) => error)
    await expect.poll(() => ending.peak.now).toBe(2)
    await ending.http.close(100)
    expect((await client.closed).code).toBe(1001)
    expect(await http).toBeInstanceOf(Error)
    await expect.poll(() => ending.aborted.length).toBe(2)
  })
})
