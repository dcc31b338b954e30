import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openSse } from '../events/sse.ts'
import { sleep, until } from '../kit/wait.ts'
import { type Connection, get, requestOf, rpcText } from '../kit/wire/connection.ts'
import { frame, openFrames } from '../kit/wire/frames.ts'
import { LARGE, makeLarge } from '../kit/wire/large.ts'
import { expectRefusal, startService, type WireService } from '../kit/wire/service.ts'

/* The time that clients have, as it is in earnest: 5 s for headers, 15 s for a request, 65 s between requests. All of them wait at the same time. */

let service: WireService
beforeAll(async () => {
  service = await startService('--index', 'on')
  await makeLarge(service, 900_000)
  await until(async () => (await service.ask(get('/ready?for=v3'))).status === 200, 50)
})
afterAll(() => service?.stop())

/** The answer to an unfinished request, and the seconds that it took. Bytes that come now and then do not make it longer. */
const timed = async (bytes: string, drip: string): Promise<{ seconds: number; text: string; connection: Connection }> => {
  const connection = await service.open()
  const began = performance.now()
  await connection.send(bytes)
  const dripping = setInterval(() => {
    if (!connection.socket.destroyed) void connection.send(drip)
  }, 400)
  const answer = await connection.answer()
  clearInterval(dripping)
  const seconds = (performance.now() - began) / 1_000
  const text = expectRefusal(answer, 408)
  expect(answer.headers['connection']).toBe('close')
  await connection.closed
  return { seconds, text, connection }
}

describe.concurrent('clients that take long', () => {
  it('headers have five seconds', async () => {
    const { seconds, text } = await timed('GET /health HTTP/1.1\r\nHost: localhost\r\n', 'X-A: 1\r\n')
    expect(text).toBe('the request took too long to arrive')
    expect(seconds).toBeGreaterThan(4.5)
    expect(seconds).toBeLessThan(14)
  })

  it.each([
    ['a length', ['Content-Length: 5000'], ' '],
    ['chunks', ['Transfer-Encoding: chunked'], '1\r\n \r\n'],
    ['a wish for another protocol', ['Connection: Upgrade', 'Upgrade: h2c', 'Content-Length: 5000'], ' '],
  ])('a body with %s has fifteen seconds', async (_what, lines, drip) => {
    const { seconds, text } = await timed(requestOf('POST', '/jsonRPC', ...lines), drip)
    expect(text).toBe('the request took too long to arrive')
    expect(seconds).toBeGreaterThan(14)
    expect(seconds).toBeLessThan(60)
  })

  it('a connection that says nothing is ended', async () => {
    const connection = await service.open()
    const began = performance.now()
    const statuses = (await connection.answers()).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 408)).toEqual([])
    expect(performance.now() - began).toBeLessThan(60_000)
  })

  it('a connection between requests stays for 65 seconds', async () => {
    const connection = await service.open()
    await connection.send(get('/health'))
    expect((await connection.answer()).headers['keep-alive']).toBe('timeout=65')
    const began = performance.now()
    await sleep(10_000)
    await connection.send(get('/health'))
    expect((await connection.answer()).status).toBe(200)
    const again = performance.now()
    expect(await connection.answers()).toEqual([])
    expect(performance.now() - again).toBeGreaterThan(60_000)
    // The 65 seconds began again with the second request.
    expect(performance.now() - began).toBeGreaterThan(70_000)
  }, 600_000)

  it('a WebSocket whose peer answers no pings is dropped, and one whose peer does stays', async () => {
    const alive = new WebSocket(`${service.url.replace('http', 'ws')}/jsonRPC`)
    await new Promise((resolve, reject) => alive.once('open', resolve).once('error', reject))
    const { connection, nextOfAll } = await openFrames(service)
    const began = performance.now()
    const opcodes: number[] = []
    for (;;) {
      const read = await nextOfAll().catch(() => undefined)
      if (read === undefined) break
      opcodes.push(read.opcode)
    }
    await connection.closed
    expect(opcodes).toEqual([9])
    expect(performance.now() - began).toBeGreaterThan(19_000)
    expect(alive.readyState).toBe(WebSocket.OPEN)
    alive.close()
  })

  it('a WebSocket whose reader takes nothing for thirty seconds is closed', async () => {
    const { connection, next } = await openFrames(service)
    connection.socket.pause()
    const ASKED = 40
    for (let id = 0; id < ASKED; id++)
      await connection.send(frame(0x81, Buffer.from(rpcText('getAddressInformation', { address: LARGE }, id))))
    await sleep(45_000)
    connection.socket.resume()
    const opcodes: number[] = []
    for (;;) {
      const read = await next().catch(() => undefined)
      if (read === undefined) break
      opcodes.push(read.opcode)
      if (read.opcode === 8) expect(read.payload.readUInt16BE(0)).toBe(1_013)
    }
    expect(opcodes.filter((opcode) => opcode === 1).length).toBeLessThan(ASKED)
  })

  it('a stream of events without events has a comment every fifteen seconds', async () => {
    const reader = await openSse(`${service.url}/api/streaming/v2/sse`, { types: ['transactions'], addresses: [`0:${'7'.repeat(64)}`] })
    const began = performance.now()
    await until(() => reader.comments.length > 1)
    expect(reader.comments).toEqual([': keepalive', ': keepalive'])
    expect(performance.now() - began).toBeGreaterThan(25_000)
    reader.close()
  })
})
