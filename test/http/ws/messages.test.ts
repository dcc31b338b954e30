import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { silentLog } from '../../../server/base/log.ts'
import { createChunk } from '../../../server/base/writer/chunk.ts'
import { createUnread, UNREAD_LIMITS } from '../../../server/base/writer/unread.ts'
import { createWriter } from '../../../server/base/writer/writer.ts'
import { readInPieces } from '../../../server/http/ws/read-in-pieces.ts'
import { createSession, messageWriter } from '../../../server/http/ws/session.ts'
import { sleep } from '../../kit/wait.ts'

const server = new WebSocketServer({ port: 0, perMessageDeflate: false, autoPong: false })
afterAll(() => server.close())

/** Of one byte at most. */
const FRAMES_OF_PIECE = 171

const connect = async () => {
  const connected = once(server, 'connection')
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [[socket, req]] = await Promise.all([connected, once(client, 'open')])
  const texts: string[] = []
  client.on('message', (data) => texts.push(String(data)))
  return { client, socket: socket as WebSocket, connection: req.socket as Socket, write: messageWriter(socket, req.socket), texts }
}

it('messages that are made once have every form of a length, and come whole and in order between those of others', async () => {
  const { client, socket, write, texts } = await connect()
  const sizes = [0, 1, 125, 126, 127, 65_535, 65_536, 200_000]
  const expected = sizes.flatMap((size) => ['x'.repeat(size), `${'я'.repeat(size >> 1)}.`, `from ws after ${size}`])
  let done = 0
  for (const size of sizes) {
    write([Buffer.from('x'.repeat(size)), Buffer.from(`${'я'.repeat(size >> 1)}.`)], () => done++)
    socket.send(`from ws after ${size}`)
  }
  await expect.poll(() => texts.length).toBe(expected.length)
  expect(texts.map((text) => text.length)).toEqual(expected.map((text) => text.length))
  expect(texts.every((text, i) => text === expected[i])).toBe(true)
  await expect.poll(() => done).toBe(sizes.length)
  client.terminate()
})

it('an answer behind a large event goes when the event has been taken', async () => {
  const { client, write, texts } = await connect()
  let isSlow = false
  // Only what is written can let the answer go, because the time after which the reader is given up is over long after the test.
  const unread = createUnread({ ...UNREAD_LIMITS, patience: 3_600_000 })
  const writer = createWriter({ unread, write, slow: () => (isSlow = true) })
  client.pause()
  // More than the buffers of the system take.
  writer.push(createChunk([Buffer.from('x'.repeat(60 << 20))], 'events'))
  let isTaken = false
  const sent = new Promise<void>((resolve) =>
    writer.push(createChunk([Buffer.from('answer')], 'websocket'), () => {
      isTaken = true
      resolve()
    }),
  )
  await sleep(50)
  expect([isTaken, unread.bytes().events > 60 << 20]).toEqual([false, true])
  client.resume()
  await sent
  await expect.poll(() => texts.length).toBe(2)
  expect([texts[1], isSlow, unread.bytes()]).toEqual(['answer', false, { http: 0, websocket: 0, events: 0 }])
  writer.close()
  client.terminate()
})

it('nothing is written after the close frame, and the writer is told that it is over', async () => {
  const { client, socket, write, texts } = await connect()
  const closed = once(client, 'close')
  socket.close(1000, 'enough')
  await new Promise<void>((resolve) => write([Buffer.from('too late')], resolve))
  expect((await closed)[0]).toBe(1000)
  expect(texts).toEqual([])
})

it('a socket that is paused is not read when its connection is resumed, until it is resumed itself or closed', async () => {
  const { client, socket, connection } = await connect()
  readInPieces(socket, connection, 'one')
  const read: string[] = []
  socket.on('message', (data) => read.push(String(data)))
  socket.pause()
  client.send('one')
  for (let i = 0; i < 3; i++) {
    connection.resume()
    await sleep(20)
  }
  expect(read).toEqual([])
  socket.resume()
  await expect.poll(() => read).toEqual(['one'])
  socket.pause()
  client.send('two')
  socket.close(1000)
  connection.resume()
  expect((await once(client, 'close'))[0]).toBe(1000)
  expect(read).toEqual(['one', 'two'])
})

it('what was not read of a paused connection is not parsed when it is reset', async () => {
  const { client, socket, connection } = await connect()
  readInPieces(socket, connection, 'one')
  const read: string[] = []
  socket.on('message', (data) => read.push(String(data))).on('error', () => {})
  connection.on('error', () => {})
  socket.pause()
  client.send('one')
  await expect.poll(() => connection.readableLength).toBeGreaterThan(0)
  client.on('error', () => {})
  ;(client as unknown as { _socket: Socket })._socket.resetAndDestroy()
  await once(socket, 'close')
  expect(read).toEqual([])
})

it('messages that were read of a client that has left are not answered', async () => {
  const MESSAGES = 50_000
  const { client, socket, connection } = await connect()
  readInPieces(socket, connection, 'one')
  let served = 0
  let atClose = 0
  connection.once('close', () => {
    atClose = served
  })
  const serve = async (): Promise<void> => {
    if (++served === 1) (client as unknown as { _socket: Socket })._socket.resetAndDestroy()
  }
  connection.on('error', () => {})
  socket.on('error', () => {})
  client.on('error', () => {})
  const deps = { unread: createUnread(UNREAD_LIMITS), log: silentLog }
  const session = createSession(deps, socket, connection, { client: 'one' } as never, () => ({ atOnce: MESSAGES, serve, slow: () => {} }))
  const raw = (client as unknown as { _socket: Socket })._socket
  raw.write(Buffer.from('818100000000'.concat('20').repeat(MESSAGES), 'hex'))
  await once(socket, 'close')
  expect(served).toBeGreaterThan(0)
  expect(served).toBeLessThan(MESSAGES)
  expect(served - atClose).toBeLessThan(FRAMES_OF_PIECE)
  await session.close(0)
})

/** Keeps the event loop busy. */
const work = (ms: number): void => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

it('frames of several sockets come in pieces of a kilobyte, and a turn has only a few', async () => {
  const FRAMES = 2_000
  const sockets = [await connect(), await connect(), await connect()] as const
  let all = 0
  let inTurn = 0
  let most = 0
  const endTurn = (): void => {
    inTurn = 0
  }
  for (const { client, socket, connection } of sockets) {
    readInPieces(socket, connection, 'one')
    socket.on('pong', () => {
      if (inTurn === 0) setImmediate(endTurn)
      most = Math.max(most, ++inTurn)
      all++
      work(0.1)
    })
    ;(client as unknown as { _socket: Socket })._socket.write(Buffer.from('8a8000000000'.repeat(FRAMES), 'hex'))
  }
  await expect.poll(() => all, { timeout: 60_000 }).toBe(FRAMES * sockets.length)
  // Its slice is over after the first piece; the next one may have begun, and the count spans two turns.
  expect(most).toBeLessThanOrEqual(10 * FRAMES_OF_PIECE)
  for (const { client } of sockets) client.terminate()
})

it('a long message does not wait for small frames of other sockets after each of its kilobytes', async () => {
  const FRAMES = 2_000
  const [long, ...others] = [await connect(), await connect(), await connect()] as const
  for (const { socket, connection } of [long!, ...others]) readInPieces(socket, connection, 'one')
  let pongs = 0
  for (const { client, socket } of others) {
    socket.on('pong', () => {
      pongs++
      work(0.1)
    })
    ;(client as unknown as { _socket: Socket })._socket.write(Buffer.from('8a8000000000'.repeat(FRAMES), 'hex'))
  }
  await once(others[0]!.socket, 'pong')
  const came = once(long!.socket, 'message')
  long!.client.send('x'.repeat(60_000))
  await came
  expect(pongs).toBeLessThan((3 * others.length * FRAMES) / 4)
  for (const { client } of [long!, ...others]) client.terminate()
})

it('of the pings of a piece the last one is answered, and of those that came while the client did not read', async () => {
  const { client, socket, connection } = await connect()
  readInPieces(socket, connection, 'one')
  const PINGS = 100_000
  const pongs: number[] = []
  client.on('pong', (data) => pongs.push(data.readUInt32BE()))
  let pings = 0
  socket.on('ping', () => pings++)
  client.pause()
  socket.send('x'.repeat(32 << 20))
  const raw = (client as unknown as { _socket: Socket })._socket
  for (let i = 1; i <= PINGS; i++) raw.write(Buffer.from([0x89, 0x84, 0, 0, 0, 0, i >> 24, i >> 16, i >> 8, i]))
  await expect.poll(() => pings, { timeout: 60_000 }).toBe(PINGS)
  client.resume()
  await expect.poll(() => pongs, { timeout: 60_000 }).toEqual([PINGS])
  raw.write(Buffer.from([0x89, 0x84, 0, 0, 0, 0, 0, 0, 0, 7]))
  await expect.poll(() => pongs).toEqual([PINGS, 7])
  client.terminate()
})
