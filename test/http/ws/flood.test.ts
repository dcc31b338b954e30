import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTransport, type Transport } from '../../kit/service/test-transports.ts'
import { portOf } from '../raw.ts'

/* Thousands of small frames in one read of a socket: each is taken. */

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

/** Sends bytes at once, and waits until this text has come back. */
const answersTo = async (path: string, bytes: Buffer, answer: string): Promise<string> => {
  const socket = await openSocket(path)
  try {
    return await new Promise((resolve, reject) => {
      let got = ''
      socket.on('data', (chunk) => {
        got += chunk.toString('latin1')
        if (got.includes(answer)) resolve(got)
      })
      socket.once('close', () => reject(new Error(`closed after ${got.length} bytes`)))
      socket.write(bytes)
    })
  } finally {
    socket.destroy()
  }
}

const LAST = { '/jsonRPC': '{}', '/api/streaming/v2/ws': '{"operation":"ping","id":"p"}' }

for (const [path, last] of Object.entries(LAST)) {
  it(`the last of many pings at ${path} is answered`, async () => {
    expect((await answersTo(path, Buffer.concat([many(frame(PING)), frame(PING, 'the last')]), 'the last')).length).toBeLessThan(COUNT)
  })

  it(`a message behind pongs at ${path} that nobody asked for is answered`, async () => {
    expect(await answersTo(path, Buffer.concat([many(frame(PONG)), frame(TEXT, last)]), 'p')).toContain('p')
  })
}
