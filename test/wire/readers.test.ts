import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../kit/wait.ts'
import { type Connection, post, rpcText } from '../kit/wire/connection.ts'
import { frame, openFrames } from '../kit/wire/frames.ts'
import { LARGE, largeBatch, makeLarge } from '../kit/wire/large.ts'
import { expectRefusal, startService, type WireService } from '../kit/wire/service.ts'

/* Answers that nobody reads: how many bytes wait, what is refused, and who is cut off. */

const MiB = 1 << 20
/** Characters of one answer about the account, and how many of them a batch has. */
const SIZE = 900_000
const ITEMS = 16
const BATCH = SIZE * ITEMS

let service: WireService
const connections: Connection[] = []
beforeAll(async () => {
  service = await startService()
  await makeLarge(service, SIZE)
})
afterEach(async () => {
  for (const connection of connections.splice(0)) connection.destroy()
  await until(async () => (await unread()) === 0)
})
afterAll(() => service?.stop())

/** Asks and does not read. */
const askAndLeave = async (bytes: string): Promise<Connection> => {
  const connection = await service.open()
  connections.push(connection)
  await connection.send(bytes)
  return connection
}
const unread = async (): Promise<number> => (await service.status()).unread_bytes.http

describe('HTTP answers that nobody reads', () => {
  it('a connection has at most 64 MiB of them: further answers are refused with 503 until it reads', async () => {
    const connection = await askAndLeave(largeBatch(ITEMS).repeat(8))
    await until(async () => (await unread()) > 3 * BATCH)
    let most = 0
    for (let i = 0; i < 10; i++) most = Math.max(most, await unread())
    expect(most).toBeLessThanOrEqual(64 * MiB)
    // Others are answered meanwhile.
    expect((await service.ask(post('/jsonRPC', rpcText('getMasterchainInfo')))).json).toMatchObject({ ok: true })
    const answers = []
    for (let i = 0; i < 8; i++) answers.push(await connection.answer())
    const served = answers.filter(({ status }) => status === 200)
    expect(served.length).toBeGreaterThanOrEqual(3)
    for (const { json } of served) expect(json).toHaveLength(ITEMS)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThanOrEqual(1)
    for (const { status, headers, json } of refused)
      expect([status, headers['retry-after'], json]).toEqual([
        503,
        '1',
        {
          jsonrpc: '2.0',
          id: null,
          error: {
            code: -32053,
            message: 'too many bytes of earlier answers are not read yet',
            data: { kind: 'UNAVAILABLE', retryAfter: 1 },
          },
        },
      ])
    await until(async () => (await unread()) === 0)
    await connection.send(largeBatch(ITEMS))
    expect((await connection.answer()).status).toBe(200)
  })

  it('what waits for a client that leaves is free at once', async () => {
    const connection = await askAndLeave(largeBatch(ITEMS))
    await until(async () => (await unread()) > BATCH / 2)
    connection.destroy()
    await until(async () => (await unread()) === 0)
  })

  it('an answer that is refused has the form of its endpoint', async () => {
    const connection = await askAndLeave(
      largeBatch(ITEMS).repeat(8) + post('/api/v2/jsonRPC', rpcText('getAddressInformation', { address: LARGE })).repeat(2),
    )
    await until(async () => (await unread()) > 3 * BATCH)
    const answers = []
    for (let i = 0; i < 10; i++) answers.push(await connection.answer())
    for (const answer of answers.slice(8)) if (answer.status !== 200) expect(expectRefusal(answer, 503)).toMatch(/are not read yet/)
    expect(answers.map(({ status }) => status)).toContain(503)
  })
})

describe('answers of WebSockets that nobody reads', () => {
  it('a socket has at most 64 MiB of them: beyond it the socket is closed with 1013', async () => {
    const { connection, next } = await openFrames(service)
    connections.push(connection)
    connection.socket.pause()
    const text = `[${Array.from({ length: ITEMS }, (_, id) => rpcText('getAddressInformation', { address: LARGE }, id)).join(',')}]`
    for (let i = 0; i < 8; i++) await connection.send(frame(0x81, Buffer.from(text)))
    let most = 0
    await until(async () => {
      const { sockets, unread_bytes } = await service.status()
      most = Math.max(most, unread_bytes.websocket)
      return sockets === 0
    })
    expect(most).toBeLessThanOrEqual(64 * MiB)
    expect((await service.status()).unread_bytes.websocket).toBe(0)
    connection.socket.resume()
    // What was sent before is whole; after it comes the close frame, if the client was quick enough.
    for (;;) {
      const read = await next().catch(() => undefined)
      if (read === undefined) break
      if (read.opcode === 8)
        expect([read.payload.readUInt16BE(0), String(read.payload.subarray(2))]).toEqual([1_013, 'answers are read too slowly'])
      else expect(JSON.parse(String(read.payload))).toHaveLength(ITEMS)
    }
  })

  it('a socket whose client reads gets everything', async () => {
    const { connection, next } = await openFrames(service)
    connections.push(connection)
    for (let id = 0; id < 40; id++)
      await connection.send(frame(0x81, Buffer.from(rpcText('getAddressInformation', { address: LARGE }, id))))
    const ids = new Set<number>()
    while (ids.size < 40) {
      const { id, result } = JSON.parse(String((await next()).payload)) as { id: number; result: { data: string } }
      expect(result.data.length).toBeGreaterThan(SIZE / 2)
      ids.add(id)
    }
  })
})
