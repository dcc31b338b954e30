import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTransport, type Transport } from '../../kit/service/test-transports.ts'
import { countTurns } from '../../kit/turns.ts'
import { portOf } from '../raw.ts'

/* Thousands of small frames in one read of a socket: how many of them are taken in one turn of the event loop. */

const COUNT = 5_000
const PING = 0x89
const PONG = 0x8a
const TEXT = 0x81

let server: Transport
beforeAll(async () => {
  server = await startTransport()
})
afterAll(() => server.close())

/** A masked frame of a client with at most 125 bytes; the mask is zero. */
const frame = (kind: number, text = ''): Buffer => Buffer.concat([Buffer.from([kind, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)])
const many = (one: Buffer): Buffer => Buffer.alloc(one.length * COUNT, one)

const openSocket = async (path: string): Promise<Socket> => {
  const socket = connect(portOf(server.url), '127.0.0.1')
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  )
  await once(socket, 'data')
  return socket
}

/** Sends bytes at once, and waits until so many bytes have come back. Returns the turns meanwhile. */
const turnsFor = async (path: string, bytes: Buffer, answer: number): Promise<number> => {
  const socket = await openSocket(path)
  const turns = countTurns()
  try {
    const answered = new Promise<void>((resolve, reject) => {
      let got = 0
      socket.on('data', (chunk) => {
        got += chunk.length
        if (got >= answer) resolve()
      })
      socket.once('close', () => reject(new Error(`closed after ${got} bytes`)))
    })
    socket.write(bytes)
    await answered
    return turns.count()
  } finally {
    turns.stop()
    socket.destroy()
  }
}

const LAST = { '/jsonRPC': '{}', '/api/streaming/v2/ws': '{"operation":"ping","id":"p"}' }

for (const [path, last] of Object.entries(LAST)) {
  it(`pings at ${path} are taken one by one, and each is answered`, async () => {
    expect(await turnsFor(path, many(frame(PING)), 2 * COUNT)).toBeGreaterThan(COUNT)
  })

  it(`pongs at ${path} that nobody asked for are taken one by one`, async () => {
    expect(await turnsFor(path, Buffer.concat([many(frame(PONG)), frame(TEXT, last)]), 10)).toBeGreaterThan(COUNT)
  })
}
