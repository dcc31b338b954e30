import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { silentLog } from '../../../server/base/log.ts'
import { createChunk } from '../../../server/base/writer/chunk.ts'
import { createUnread, UNREAD_LIMITS } from '../../../server/base/writer/unread.ts'
import { createWriter } from '../../../server/base/writer/writer.ts'
import { createSession, messageWriter } from '../../../server/http/ws/session.ts'
import { bePaused } from '../../../server/http/ws/ws.ts'
import { sleep } from '../../kit/wait.ts'

const server = new WebSocketServer({ port: 0, perMessageDeflate: false })
afterAll(() => server.close())

const connect = async (to = server) => {
  const connected = once(to, 'connection')
  const client = new WebSocket(`ws://127.0.0.1:${(to.address() as AddressInfo).port}`)
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
  bePaused(socket, connection)
  const read: string[] = []
  socket.on('message', (data) => read.push(String(data)))
  socket.pause()
  client.send('one')
  for (let i = 0; i < 3; i++) {
    connection.resume()
    await sleep(20)
  }
  expect([read, connection.isPaused()]).toEqual([[], true])
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
  bePaused(socket, connection)
  const read: string[] = []
  socket.on('message', (data) => read.push(String(data))).on('error', () => {})
  connection.on('error', () => {})
  connection.pause()
  client.send('one')
  await expect.poll(() => connection.readableLength).toBeGreaterThan(0)
  client.on('error', () => {})
  ;(client as unknown as { _socket: Socket })._socket.resetAndDestroy()
  await once(socket, 'close')
  expect(read).toEqual([])
})

it('messages that were read of a client that has left are not answered', async () => {
  const MESSAGES = 5_000
  const slow = new WebSocketServer({ port: 0, perMessageDeflate: false, allowSynchronousEvents: false })
  const { client, socket, connection } = await connect(slow)
  let served = 0
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
  expect(served).toBeLessThan(MESSAGES / 10)
  await session.close(0)
  slow.close()
})
