import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createConcurrencyLimit } from '../../server/base/limits/concurrency-limit.ts'
import { silentLog } from '../../server/base/log.ts'
import { createUnread, UNREAD_LIMITS } from '../../server/base/writer/unread.ts'
import { rulesOf } from '../../server/http/stream/both-transports.ts'
import { openStream } from '../../server/http/stream/socket.ts'
import { createSession } from '../../server/http/ws/session.ts'
import { until } from '../kit/wait.ts'
import { type FakeIndex, startFakeHub } from './fake-chain.ts'

/* Real sockets of streaming v2 over a hub whose blocks the test makes as fast as it likes. */

const BLOCKS = 6_000
/** Characters of each event: all of them are more than the buffers of the system hold for one connection. */
const SIZE = 4_000
const HEALTHY = 8

const index: FakeIndex = { first: 1, names: ['x'], states: 0, gate: Promise.resolve() }
const hub = startFakeHub(index)
const unread = createUnread({ ...UNREAD_LIMITS, ofConnection: 4 << 20 })
const server = new WebSocketServer({ port: 0, perMessageDeflate: false })
beforeAll(() => {
  const deps = { unread, eventSlots: createConcurrencyLimit(), hub: () => hub, isProxy: () => false, log: silentLog }
  server.on('connection', (socket, req) => {
    const peer = { network: 'local', caller: undefined, client: '127.0.0.1' }
    const open = openStream(deps, peer, rulesOf('ws', req, peer, deps))
    createSession(deps, socket, req.socket, peer, open)
  })
})
afterAll(async () => {
  await hub.close()
  for (const socket of server.clients) socket.terminate()
  server.close()
})

const open = async (): Promise<WebSocket> => {
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await once(socket, 'open')
  const answered = once(socket, 'message')
  socket.send(JSON.stringify({ operation: 'subscribe', id: '1', types: ['blocks'] }))
  expect(String((await answered)[0])).toBe('{"id":"1","status":"subscribed"}')
  return socket
}

it('a peer that stops reading is closed with 1013, while the others are told everything in order (36)', { timeout: 60_000 }, async () => {
  const stuck = await open()
  /** The service's end of it. */
  const [end] = server.clients
  const closed = once(stuck, 'close')
  stuck.pause()
  const told = Array.from({ length: HEALTHY }, (): number[] => [])
  for (const seqnos of told) {
    const socket = await open()
    socket.on('message', (data: Buffer) => seqnos.push(Number(/"seqno":(\d+)/.exec(data.toString('latin1', 0, 60))![1])))
  }
  let most = 0
  for (let made = 0; made < BLOCKS; made += 1_000) {
    index.names.push(...Array.from({ length: 1_000 }, () => 'x'.repeat(SIZE)))
    await until(() => {
      most = Math.max(most, unread.bytes().events)
      // From its close on it has ten seconds to read what was sent before.
      if (end!.readyState !== WebSocket.OPEN) stuck.resume()
      return told.every((seqnos) => seqnos.length === made + 1_000)
    })
  }
  const expected = Array.from({ length: BLOCKS }, (_, i) => i + 2)
  for (const seqnos of told) expect(seqnos).toEqual(expected)
  // What waits for one reader, and a burst of the healthy ones.
  expect(most).toBeLessThan(32 << 20)
  await until(() => unread.bytes().events === 0)
  const [code, reason] = await closed
  expect([code, String(reason)]).toEqual([1013, 'slow consumer'])
})
