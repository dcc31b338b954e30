import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { collectGarbage } from '../kit/gc.ts'
import { startTransport, type Transport } from '../kit/service/test-transports.ts'
import { open, readAnswer } from './raw.ts'

/* Requests and messages whose ends do not come: how much memory they take together, and which of them give way. */

const KiB = 1 << 10
const BODY = 256 * KiB
/** Bytes of all that is arriving, in these tests: two bodies. */
const MOST = 640 * KiB

let server: Transport
const sockets: { destroy(): unknown }[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server?.close()
})

const waiting = (): number => server.http.answers().unfinished_bytes

const arrived = (bytes: number): Promise<void> => expect.poll(waiting).toBeGreaterThanOrEqual(bytes)

const headOf = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

/** Sends a body but for its last byte. */
const sendMost = async (path: string): Promise<Socket> => {
  const socket = await open(server.url)
  socket.on('error', () => {})
  sockets.push(socket)
  socket.write(headOf(path, BODY) + ' '.repeat(BODY - 1))
  return socket
}
/** The same, and waits until the server has it. */
const sendMostOf = async (path: string): Promise<Socket> => {
  const before = waiting()
  const socket = await sendMost(path)
  await arrived(before + BODY - 1)
  return socket
}

/** The first bytes of a masked text message of 256 KiB; the mask is zero. */
const frameOf = (bytes: number): Buffer => {
  const frame = Buffer.alloc(14 + bytes, 0x20)
  frame.fill(0, 0, 14)
  frame[0] = 0x81
  frame[1] = 0x80 | 127
  frame.writeUInt32BE(BODY, 6)
  return frame
}

const openWebSocket = async (): Promise<{ readonly client: WebSocket; readonly raw: Socket }> => {
  const client = new WebSocket(server.wsUrl)
  const opened = new Promise((resolve) => client.once('open', resolve))
  const raw = await new Promise<Socket>((resolve) => client.once('upgrade', (answer) => resolve(answer.socket)))
  await opened
  client.on('error', () => {})
  sockets.push(raw)
  return { client, raw }
}

describe('bodies that do not end', () => {
  it.each([
    ['/jsonRPC', { error: { code: -32053 } }],
    ['/api/v2/jsonRPC', { ok: false, code: 503 }],
    ['/api/v2/sendBoc', { ok: false, code: 503 }],
  ])('bodies to %s have one bound, and the one that held most for longest gets 503', async (path, refusal) => {
    server = await startTransport({ inflow: MOST })
    const first = await sendMostOf(path)
    const answer = readAnswer(first)
    const second = await sendMostOf(path)
    const third = await sendMost(path)
    const { status, headers, body } = await answer
    expect([status, headers['retry-after']]).toEqual([503, '1'])
    expect(JSON.parse(body)).toMatchObject(refusal)
    expect(body).toContain('too many request bodies are arriving')
    expect(waiting()).toBeLessThanOrEqual(MOST)
    expect(waiting()).toBeGreaterThanOrEqual(BODY - 1)
    for (const socket of [second, third]) socket.destroy()
    await expect.poll(waiting).toBe(0)
  })

  it('a body of any length by chunked encoding counts too, with what its pieces cost', async () => {
    server = await startTransport({ inflow: MOST })
    const socket = await open(server.url)
    sockets.push(socket)
    const answer = readAnswer(socket)
    socket.write('POST /jsonRPC HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n')
    socket.write(`14\r\n${' '.repeat(20)}\r\n`.repeat(10_000))
    expect((await answer).status).toBe(503)
    await expect.poll(waiting).toBe(0)
  })

  it('a body of over a thousand chunks of a byte ends its connection, and one of chunks that are longer does not', async () => {
    server = await startTransport()
    const send = async (chunk: string): Promise<unknown> => {
      const socket = await open(server.url)
      sockets.push(socket)
      const answer = readAnswer(socket)
      socket.write(`POST /jsonRPC HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(1_200)}0\r\n\r\n`)
      return answer.then(({ status }) => status)
    }
    await expect(send('1\r\n \r\n')).rejects.toThrow('closed after ""')
    expect(await send(`14\r\n${' '.repeat(20)}\r\n`)).toBe(200)
  })

  it('a small body over a slow line stays, and so does every body that ends', async () => {
    server = await startTransport({ inflow: MOST })
    const request = '{"jsonrpc":"2.0","id":1,"method":"getMasterchainInfo"}'
    const slow = await open(server.url)
    sockets.push(slow)
    const answer = readAnswer(slow)
    slow.write(headOf('/jsonRPC', request.length) + request.slice(0, 20))
    await expect.poll(waiting).toBeGreaterThan(0)
    const sent: Socket[] = []
    for (let i = 0; i < 4; i++) {
      const next = await sendMost('/jsonRPC')
      if (i < 2) await arrived(i * BODY)
      else await readAnswer(sent[i - 2]!)
      sent.push(next)
      const whole = await fetch(`${server.url}/jsonRPC`, { method: 'POST', body: request + ' '.repeat(BODY) })
      expect(await whole.json()).toMatchObject({ id: 1, result: { '@type': 'blocks.masterchainInfo' } })
      expect(waiting()).toBeLessThanOrEqual(MOST)
    }
    slow.write(request.slice(20))
    expect(JSON.parse((await answer).body)).toMatchObject({ id: 1, result: {} })
  })

  it('the connection of a body that gave way serves its next request', async () => {
    server = await startTransport({ inflow: MOST })
    const first = await sendMostOf('/jsonRPC')
    const refused = readAnswer(first)
    await sendMostOf('/jsonRPC')
    await sendMost('/jsonRPC')
    expect((await refused).status).toBe(503)
    const next = readAnswer(first)
    const request = '{"jsonrpc":"2.0","id":2,"method":"getMasterchainInfo"}'
    first.write(` ${headOf('/jsonRPC', request.length)}${request}`)
    expect(JSON.parse((await next).body)).toMatchObject({ id: 2, result: {} })
  })

  it('what is arriving is told in /status and /metrics', async () => {
    server = await startTransport({ inflow: MOST, metrics: 'local' })
    await sendMostOf('/jsonRPC')
    const bytes = waiting()
    expect(await (await fetch(`${server.url}/status`)).json()).toMatchObject({ unfinished_bytes: bytes })
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain(`\ntonway_unfinished_bytes ${bytes}\n`)
  })
})

describe('WebSocket messages that do not end', () => {
  it('count for the same bound, and the socket that held most for longest is closed with 1013', async () => {
    server = await startTransport({ inflow: MOST })
    const opened = [await openWebSocket(), await openWebSocket()]
    const closed = new Promise<number>((resolve) => opened[0]!.client.once('close', resolve))
    for (const { raw } of opened) {
      const before = waiting()
      raw.write(frameOf(BODY - 1))
      await arrived(before + 14 + BODY - 1)
    }
    await sendMost('/jsonRPC')
    expect(await closed).toBe(1013)
    expect(opened[1]!.client.readyState).toBe(WebSocket.OPEN)
    expect(waiting()).toBeLessThanOrEqual(MOST)
  })

  it('a socket counts nothing after messages, pings and messages in many frames', async () => {
    server = await startTransport({ inflow: MOST })
    const { client, raw } = await openWebSocket()
    const request = { jsonrpc: '2.0', id: 1, method: 'getMasterchainInfo' }
    const ask = (padding: number, inFrames: boolean): Promise<unknown> => {
      const answer = new Promise((resolve) => client.once('message', (data) => resolve(JSON.parse(String(data)))))
      const text = JSON.stringify(request) + ' '.repeat(padding)
      if (!inFrames) client.send(text)
      else
        for (let at = 0; at < text.length; at += 100) {
          client.send(text.slice(at, at + 100), { fin: at + 100 >= text.length })
          if (at % 1_000 === 0) client.ping('between')
        }
      return answer
    }
    for (const padding of [0, 200, 100_000]) expect(await ask(padding, false)).toMatchObject({ id: 1, result: {} })
    await expect.poll(waiting).toBe(0)
    expect(await ask(50_000, true)).toMatchObject({ id: 1, result: {} })
    await expect.poll(waiting).toBe(0)
    raw.write(frameOf(1_000))
    await expect.poll(waiting).toBeGreaterThanOrEqual(1_000)
    client.terminate()
    await expect.poll(waiting).toBe(0)
  })

  /** A masked control frame or fragment; the mask is zero. */
  const shortFrame = (head: number, length: number): Buffer =>
    Buffer.concat([Buffer.from([head, 0x80 | length, 0, 0, 0, 0]), Buffer.alloc(length, 0x20)])
  const [BEGIN, CONTINUE, PONG] = [0x01, 0x00, 0x8a]

  it.each([
    // A socket with few fragments is hardly counted, so it must not hold much.
    [20, 15],
    [1, 300],
  ])('the memory of fragments of a byte between pongs is counted: %i sockets with %i fragments', async (count, fragments) => {
    server = await startTransport()
    const opened: Socket[] = []
    for (let i = 0; i < count; i++) opened.push((await openWebSocket()).raw)
    const pongs = Buffer.concat(Array.from({ length: 499 }, () => shortFrame(PONG, 125)))
    const send = async (raw: Socket, head: number): Promise<void> => {
      raw.write(Buffer.concat([shortFrame(head, 1), pongs]))
      if (raw.writableNeedDrain) await new Promise((resolve) => raw.once('drain', resolve))
    }
    const seen = (): number => {
      collectGarbage()
      return process.memoryUsage().arrayBuffers
    }
    const before = seen()
    for (const raw of opened) await send(raw, BEGIN)
    for (let i = 0; i < fragments; i++) for (const raw of opened) await send(raw, CONTINUE)
    // 20 MB have been sent.
    await expect.poll(waiting).toBeGreaterThan(count * fragments * 7)
    await sleep(500)
    await expect.poll(() => seen() - before).toBeLessThan(waiting() + 512 * KiB)
  })

  it('a message that comes a byte at a time counts with what its pieces cost', async () => {
    server = await startTransport()
    const { raw } = await openWebSocket()
    raw.setNoDelay(true)
    const frame = frameOf(100)
    for (let i = 0; i < frame.length; i++) {
      const before = waiting()
      raw.write(frame.subarray(i, i + 1))
      while (waiting() === before) await new Promise((resolve) => setImmediate(resolve))
    }
    expect(waiting()).toBe(frame.length * (1 + 256))
  })

  it('a client that sends only pongs holds no more than a piece', async () => {
    server = await startTransport({ inflow: MOST })
    const { client, raw } = await openWebSocket()
    const pongs = Buffer.concat(Array.from({ length: 30_000 }, (_, i) => shortFrame(PONG, (i * 7) % 126)))
    raw.write(pongs.subarray(0, -3))
    await expect.poll(() => raw.writableLength).toBe(0)
    await arrived(1)
    await sleep(100)
    expect(waiting()).toBeLessThanOrEqual(8 * KiB + 256)
    raw.write(pongs.subarray(-3))
    await expect.poll(waiting).toBe(0)
    expect(client.readyState).toBe(WebSocket.OPEN)
  })
})
