import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../kit/wait.ts'
import { type Connection, get, post, requestOf, rpcText } from '../kit/wire/connection.ts'
import { openFrames } from '../kit/wire/frames.ts'
import { startService, type WireService } from '../kit/wire/service.ts'

/* Requests and messages whose ends do not come: they have 64 MiB together, and what held most for longest gives way. */

const MiB = 1 << 20
let service: WireService
const connections: Connection[] = []
beforeAll(async () => {
  service = await startService()
})
afterEach(async () => {
  for (const connection of connections.splice(0)) connection.destroy()
  await until(async () => (await unfinished()) === 0)
})
afterAll(() => service?.stop())

const open = async (): Promise<Connection> => {
  const connection = await service.open()
  connections.push(connection)
  return connection
}
const unfinished = async (): Promise<number> => (await service.status()).unfinished_bytes

/** Sends a body of 1 MiB but for its last byte. */
const sendMost = async (path: string): Promise<Connection> => {
  const connection = await open()
  await connection.send(requestOf('POST', path, `Content-Length: ${MiB}`) + ' '.repeat(MiB - 1))
  return connection
}

describe('bodies whose ends do not come', () => {
  it.each([
    ['/jsonRPC', { jsonrpc: '2.0', id: null, error: { code: -32053, data: { kind: 'UNAVAILABLE', retryAfter: 1 } } }],
    ['/api/v2/jsonRPC', { ok: false, code: 503, '@extra': '_' }],
    ['/api/v3/decode', { code: 503 }],
  ])('bodies to %s have 64 MiB together: the first of them is refused with 503, and its connection goes on', async (path, refusal) => {
    const first = await sendMost(path)
    const refused = first.answer()
    await until(async () => (await unfinished()) >= MiB - 1)
    let isRefused = false
    void refused.then(() => {
      isRefused = true
    })
    let most = 0
    for (let i = 0; i < 70 && !isRefused; i++) {
      await sendMost(path)
      most = Math.max(most, await unfinished())
    }
    const { status, headers, json } = await refused
    expect([status, headers['retry-after'], json]).toMatchObject([503, '1', refusal])
    expect(JSON.stringify(json)).toContain('too many request bodies are arriving, and this one took longest; try again')
    expect(most).toBeGreaterThan(40 * MiB)
    expect(most).toBeLessThanOrEqual(64 * MiB)
    await first.send(` ${get('/health')}`)
    expect((await first.answer()).json).toEqual({ ok: true, result: 'OK' })
    for (const connection of connections.splice(0)) connection.destroy()
    await until(async () => (await unfinished()) === 0)
  })

  it('a small body over a slow line stays, and so does every body that ends', async () => {
    const slow = await open()
    const call = rpcText('getMasterchainInfo')
    await slow.send(post('/jsonRPC', call).slice(0, -10))
    await until(async () => (await unfinished()) > 0)
    for (let i = 0; i < 70; i++) {
      await sendMost('/jsonRPC')
      if (i % 10 === 0) expect((await service.ask(post('/jsonRPC', call.padEnd(MiB)))).json).toMatchObject({ id: 1, ok: true })
    }
    await slow.send(call.slice(-10))
    expect((await slow.answer()).json).toMatchObject({ id: 1, ok: true })
  })

  it('a body of single bytes by chunked encoding counts with what its pieces cost', async () => {
    const PIECES = 900
    const connection = await open()
    await connection.send(requestOf('POST', '/jsonRPC', 'Transfer-Encoding: chunked') + '1\r\n \r\n'.repeat(PIECES))
    await until(async () => (await unfinished()) > PIECES * 200)
    await connection.send('0\r\n\r\n')
    expect((await connection.answer()).json).toMatchObject({ error: { code: -32700 } })
    expect(await unfinished()).toBe(0)
  })
})

describe('messages of WebSockets whose ends do not come', () => {
  it('unfinished messages count for the same bound, and the socket that held most for longest is closed with 1013', async () => {
    const { connection, next } = await openFrames(service)
    connections.push(connection)
    const head = Buffer.alloc(14)
    head[0] = 0x81
    head[1] = 0x80 | 127
    head.writeUInt32BE(MiB, 6)
    const closing = next()
    await connection.send(Buffer.concat([head, Buffer.alloc(MiB - 1, 0x20)]))
    await until(async () => (await unfinished()) >= MiB)
    let isClosed = false
    void closing.then(() => {
      isClosed = true
    })
    for (let i = 0; i < 70 && !isClosed; i++) await sendMost('/jsonRPC')
    const { opcode, payload } = await closing
    expect([opcode, payload.readUInt16BE(0), String(payload.subarray(2))]).toEqual([8, 1_013, 'too many messages are arriving'])
    expect(await unfinished()).toBeLessThanOrEqual(64 * MiB)
  })
})
