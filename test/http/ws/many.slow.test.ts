import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { TIMES } from '../../../server/http/limits.ts'
import { startFakeHub } from '../../events/fake-chain.ts'
import { startTransport, type Transport } from '../../kit/service/test-transports.ts'
import { countTurns } from '../../kit/turns.ts'
import { until } from '../../kit/wait.ts'
import { portOf } from '../raw.ts'

/* Thousands of connections that stay open: in how many turns of the event loop all of them are pinged, and closed. */

const COUNT = 2_000
const AT_ONCE = 100
const PING = 0x89
const CLOSE = 0x88
/** The answer to a ping, masked with zeros. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])

const handshake =
  'GET /jsonRPC HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
const stream = 'GET /api/streaming/v2/sse?types=blocks HTTP/1.1\r\nHost: localhost\r\n\r\n'

let server: Transport
let clients: Socket[] = []
afterEach(async () => {
  for (const socket of clients) socket.destroy()
  clients = []
  await server.close()
})

/** Opens connections, which answer pings. `seen` gets all that the service writes to them. */
const openMany = async (request: string, seen: (chunk: Buffer) => void): Promise<void> => {
  server.http.server.on('connection', (socket: Socket) => {
    const write = socket._write.bind(socket)
    const writev = socket._writev!.bind(socket)
    socket._write = (chunk, ...more) => {
      seen(Buffer.from(chunk))
      write(chunk, ...more)
    }
    socket._writev = (chunks, done) => {
      for (const { chunk } of chunks) seen(Buffer.from(chunk))
      writev(chunks, done)
    }
  })
  while (clients.length < COUNT) {
    const next = Array.from({ length: AT_ONCE }, () => connect(portOf(server.url), '127.0.0.1'))
    clients.push(...next)
    await Promise.all(
      next.map(async (socket) => {
        socket.write(request)
        await once(socket, 'data')
        socket.on('data', ([first]) => first === PING && socket.write(PONG))
      }),
    )
  }
}

/** Counts the connections to which something is written, and the turns of the event loop in which it is. */
const countWrites = (isMeant: (chunk: Buffer) => boolean) => {
  const turns = countTurns()
  const inTurns = new Set<number>()
  let count = 0
  return {
    see(chunk: Buffer): void {
      if (!isMeant(chunk)) return
      count++
      inTurns.add(turns.count())
    },
    async all(): Promise<number> {
      await until(() => count >= COUNT)
      turns.stop()
      return inTurns.size
    },
    forget(): void {
      count = 0
      inTurns.clear()
    },
  }
}

it('thousands of WebSockets are pinged in turns, and closed in turns when the service stops', { timeout: 60_000 }, async () => {
  server = await startTransport({ times: { ...TIMES, ping: 3_000 } })
  const pings = countWrites(([first]) => first === PING)
  const closes = countWrites(([first]) => first === CLOSE)
  await openMany(handshake, (chunk) => {
    pings.see(chunk)
    closes.see(chunk)
  })
  pings.forget()
  expect(await pings.all()).toBeGreaterThan(1)
  const closed = server.http.close(10_000)
  expect(await closes.all()).toBeGreaterThan(1)
  await closed
})

it('thousands of event streams are ended in turns when the service stops', { timeout: 60_000 }, async () => {
  const hub = startFakeHub({ first: 1, names: ['a'], states: 0, gate: Promise.resolve() })
  server = await startTransport({ hub: () => hub })
  const ends = countWrites((chunk) => chunk.toString('latin1').endsWith('0\r\n\r\n'))
  await openMany(stream, ends.see)
  const closed = server.http.close(10_000)
  expect(await ends.all()).toBeGreaterThan(1)
  await closed
  await hub.close()
})
