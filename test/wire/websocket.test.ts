import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { rpcText } from '../kit/wire/connection.ts'
import { frame, openFrames } from '../kit/wire/frames.ts'
import { startService, type WireService } from '../kit/wire/service.ts'

/* JSON-RPC over WebSockets: messages, frames, and what ends a socket. */

let service: WireService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

const HASH = '0'.repeat(64)
const hash = (id: unknown): string => rpcText('detectHash', { hash: HASH }, id)

interface Line {
  readonly socket: WebSocket
  /** The next message. */
  next(): Promise<unknown>
  readonly closed: Promise<number>
}

const openLine = async (): Promise<Line> => {
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/jsonRPC`)
  const received: unknown[] = []
  const readers: ((message: unknown) => void)[] = []
  socket.on('message', (data) => {
    const message: unknown = JSON.parse(String(data))
    const reader = readers.shift()
    if (reader) reader(message)
    else received.push(message)
  })
  socket.on('error', () => {})
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return {
    socket,
    closed,
    next: () => (received.length > 0 ? Promise.resolve(received.shift()) : new Promise((resolve) => readers.push(resolve))),
  }
}

describe('messages of a socket', () => {
  it('a text and the same bytes in a binary frame are answered alike', async () => {
    const { socket, next } = await openLine()
    socket.send(hash('text'))
    expect(await next()).toMatchObject({ id: 'text', result: { hex: HASH } })
    socket.send(Buffer.from(hash('bytes')))
    expect(await next()).toMatchObject({ id: 'bytes', result: { hex: HASH } })
    socket.close()
  })

  it('a quick answer of a socket does not wait for a slow one', async () => {
    const { socket, next } = await openLine()
    socket.send(rpcText('local.mine', { count: 10 }, 'slow'))
    socket.send(hash('quick'))
    const quick = await next()
    expect(quick).toEqual({ ok: true, jsonrpc: '2.0', id: 'quick', result: expect.objectContaining({ hex: HASH }) })
    expect(await next()).toMatchObject({ id: 'slow', result: { block: expect.any(Object) } })
    socket.close()
  })

  it.each([
    '{',
    '',
    'nonsense',
    '['.repeat(100_000),
    '\0',
  ])('a message that is no JSON is answered, and the socket goes on (%#)', async (text) => {
    const { socket, next } = await openLine()
    socket.send(text)
    expect(await next()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } })
    socket.send(hash('next'))
    expect(await next()).toMatchObject({ id: 'next' })
    socket.close()
  })

  it('a message in many frames, with pings between them, is one message', async () => {
    const { socket, next } = await openLine()
    const pongs: string[] = []
    socket.on('pong', (data) => pongs.push(String(data)))
    const text = `${hash('frames')}${' '.repeat(50_000)}`
    for (let at = 0; at < text.length; at += 100) {
      socket.send(text.slice(at, at + 100), { fin: at + 100 >= text.length })
      if (at % 10_000 === 0) socket.ping(`at ${at}`)
    }
    expect(await next()).toMatchObject({ id: 'frames', result: { hex: HASH } })
    expect(pongs).toEqual(Array.from({ length: Math.ceil(text.length / 10_000) }, (_, i) => `at ${i * 10_000}`))
    socket.close()
  })

  it('32 calls of a socket run at once, and all of a flood are answered', async () => {
    const before = (await service.status()).head.seqno
    const { socket, next } = await openLine()
    for (let id = 0; id < 128; id++) socket.send(rpcText('local.mine', { count: 5 }, id))
    const ids = new Set<unknown>()
    while (ids.size < 128) ids.add(((await next()) as { id: unknown }).id)
    const blocks = (await service.status()).head.seqno - before
    // A block serves at most 32 of them.
    expect(blocks).toBeGreaterThanOrEqual((128 * 5) / 32)
    expect(blocks).toBeLessThan(300)
    socket.close()
  })

  it('a flood on one socket does not keep another one waiting', async () => {
    const flood = await openLine()
    for (let i = 0; i < 10_000; i++) flood.socket.send(hash(i))
    const other = await openLine()
    other.socket.send(hash('other'))
    expect(await other.next()).toMatchObject({ id: 'other' })
    flood.socket.terminate()
    other.socket.close()
  })
})

describe('what ends a socket', () => {
  it('a close frame is answered with its code', async () => {
    const { socket, closed } = await openLine()
    socket.close(4_000, 'enough')
    expect(await closed).toBe(4_000)
  })

  it('a message of 1 MiB is read, and a longer one closes the socket with 1009', async () => {
    const fits = await openLine()
    fits.socket.send(hash('long').padEnd(1 << 20))
    expect(await fits.next()).toMatchObject({ id: 'long', result: { hex: HASH } })
    fits.socket.send(' '.repeat((1 << 20) + 1))
    expect(await fits.closed).toBe(1_009)
    // In frames that are short, too.
    const { socket, closed } = await openLine()
    for (let i = 0; i < 17; i++) socket.send(' '.repeat(1 << 16), { fin: i === 16 })
    expect(await closed).toBe(1_009)
  })

  it('a message in more than 1,024 frames closes the socket with 1008', async () => {
    const { socket, closed } = await openLine()
    for (let i = 0; i < 1_026; i++) socket.send(' ', { fin: false })
    expect(await closed).toBe(1_008)
  })

  it.each([
    ['that has no mask', frame(0x81, Buffer.from('{}'), false), 1_002],
    ['with reserved bits', frame(0xf1, Buffer.from('{}')), 1_002],
    ['of an unknown kind', frame(0x83, Buffer.from('{}')), 1_002],
    ['that goes on with nothing', frame(0x80, Buffer.from('{}')), 1_002],
    ['that is a ping of 126 bytes', frame(0x89, Buffer.alloc(126)), 1_002],
    ['that is a ping in parts', frame(0x09, Buffer.from('a')), 1_002],
    ['that closes with half a code', frame(0x88, Buffer.from([3])), 1_002],
    ['that closes with a code that is none', frame(0x88, Buffer.from([0x03, 0xed])), 1_002],
    ['that is compressed', frame(0xc1, Buffer.from([0x03, 0])), 1_002],
    ['whose text is no UTF-8', frame(0x81, Buffer.from([0xc3, 0x28])), 1_007],
    ['whose length needs 64 bits', Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), 1_009],
  ])('a frame %s closes the socket', async (_what, bytes, code) => {
    const { connection, next } = await openFrames(service)
    await connection.send(bytes)
    const last = await next()
    expect([last.opcode, last.payload.readUInt16BE(0)]).toEqual([8, code])
    connection.destroy()
  })

  it('sockets that are closed or cut are counted no more', async () => {
    await expect.poll(async () => (await service.status()).sockets).toBe(0)
    const lines = await Promise.all(Array.from({ length: 6 }, openLine))
    expect((await service.status()).sockets).toBe(6)
    for (const [i, { socket }] of lines.entries())
      if (i % 2 === 0) socket.close()
      else socket.terminate()
    await expect.poll(async () => (await service.status()).sockets).toBe(0)
  })
})
