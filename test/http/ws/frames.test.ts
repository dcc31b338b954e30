import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { frameWriter, textFrame } from '../../../server/base/outlet/socket-frames.ts'
import { LIMITS } from '../../../server/http/limits.ts'
import { createOutbox } from '../../../server/http/ws/outbox.ts'

const server = new WebSocketServer({ port: 0, perMessageDeflate: false })
afterAll(() => server.close())

const connect = async () => {
  const connected = once(server, 'connection')
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [socket, req] = await connected
  const texts: string[] = []
  client.on('message', (data) => texts.push(String(data)))
  return { client, socket: socket as WebSocket, write: frameWriter(socket, req.socket), texts }
}

it('frames that are made once have every form of a length, and come whole and in order between the frames of ws', async () => {
  const { client, socket, write, texts } = await connect()
  const sizes = [0, 1, 125, 126, 127, 65_535, 65_536, 200_000]
  const expected = sizes.flatMap((size) => ['x'.repeat(size), `${'я'.repeat(size >> 1)}.`, `from ws after ${size}`])
  let done = 0
  for (const size of sizes) {
    write([textFrame('x'.repeat(size)), textFrame(`${'я'.repeat(size >> 1)}.`)], () => done++)
    socket.send(`from ws after ${size}`)
  }
  await expect.poll(() => texts.length).toBe(expected.length)
  expect(texts.map((text) => text.length)).toEqual(expected.map((text) => text.length))
  expect(texts.every((text, i) => text === expected[i])).toBe(true)
  await expect.poll(() => done).toBe(sizes.length)
  client.terminate()
})

it('an answer behind a large event goes when the event has been taken', async () => {
  const { client, socket, write, texts } = await connect()
  let gaveUp = false
  // Only what is written can let the answer go, because the time after which the reader is given up is over long after the test.
  const outbox = createOutbox(socket, { backlog: { bytes: 0 }, stall: 3_600_000, giveUp: () => (gaveUp = true) })
  client.pause()
  // More than the buffers of the system take.
  outbox.sharing(write)([textFrame('x'.repeat(16 << 20))], () => {})
  expect(socket.bufferedAmount).toBeGreaterThan(LIMITS.socketBuffer)
  const sent = outbox.send('answer')
  client.resume()
  await sent
  await expect.poll(() => texts.length).toBe(2)
  expect([texts[1], gaveUp]).toEqual(['answer', false])
  outbox.close()
  client.terminate()
})

it('nothing is written after the close frame, and the writer is told that it is over', async () => {
  const { client, socket, write, texts } = await connect()
  const closed = once(client, 'close')
  socket.close(1000, 'enough')
  await new Promise<void>((resolve) => write([textFrame('too late')], resolve))
  expect((await closed)[0]).toBe(1000)
  expect(texts).toEqual([])
})
