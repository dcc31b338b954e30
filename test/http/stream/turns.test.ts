import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { type FakeIndex, startFakeHub } from '../../events/fake-chain.ts'
import { startTransport, type Transport } from '../../kit/service/test-transports.ts'
import { busy, countPerTurn } from '../../kit/turns.ts'
import { until } from '../../kit/wait.ts'
import { open } from '../raw.ts'

const COUNT = 200
const REQUEST = 'GET /api/streaming/v2/sse?types=blocks HTTP/1.1\r\nHost: localhost\r\n\r\n'

let server: Transport
const clients: Socket[] = []
afterEach(async () => {
  for (const socket of clients.splice(0)) socket.destroy()
  await server?.close()
})

it('an event for hundreds of streams over SSE is written in turns, although each write takes the system long', async () => {
  const index: FakeIndex = { first: 1, names: ['a'], states: 0, gate: Promise.resolve() }
  const hub = startFakeHub(index)
  server = await startTransport({ hub: () => hub })
  let seen = (): unknown => undefined
  server.http.server.on('connection', (socket: Socket) => {
    const writev = socket._writev!.bind(socket)
    socket._writev = (chunks, done) => {
      seen()
      writev(chunks, done)
    }
  })
  for (let i = 0; i < COUNT; i++) {
    const socket = await open(server.url)
    clients.push(socket)
    socket.write(REQUEST)
    await once(socket, 'data')
  }
  const writes = countPerTurn()
  seen = () => {
    writes.see()
    busy(0.5)
  }
  index.names.push('b')
  await until(() => writes.all() === COUNT)
  expect(writes.most()).toBeLessThan(COUNT / 4)
  await hub.close()
})
