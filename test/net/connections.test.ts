import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createNetServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { watchConnections } from '../../server/net/connections.ts'
import { createGiveWay } from '../../server/net/give-way.ts'
import { countPerTurn, countTurns } from '../kit/turns.ts'
import { sleep } from '../kit/wait.ts'

const SENDERS = 8
const PIECE = 8 << 10
const PIECES = 64
/** Time that a piece of a body takes, in place of a thousand tiny ones. */
const TAKES = 4

/** A process of its own, so that bytes come while the server reads. */
const SENDER = `
  const [port, senders, piece, pieces] = process.argv.slice(1).map(Number)
  const chunk = piece.toString(16) + '\\r\\n' + 'a'.repeat(piece) + '\\r\\n'
  for (let i = 0; i < senders; i++) {
    const socket = require('node:net').connect(port, '127.0.0.1').on('error', () => {}).resume()
    socket.write('POST / HTTP/1.1\\r\\nHost: x\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n')
    setTimeout(() => socket.write(chunk.repeat(pieces) + '0\\r\\n\\r\\n'), 500)
  }`

it('connections whose bodies take long are not read again in the same turn, though node resumes them for each piece', async () => {
  const turns = countTurns()
  const reading = new Map<number, number>()
  const received: number[] = []
  let leastAtFirstEnd: number | undefined
  let left = SENDERS
  const server = createServer((req, res) => {
    connections.watch(req.socket)
    connections.giveWay(req.socket)
    const sender = received.push(0) - 1
    req.on('data', (piece: Buffer) => {
      received[sender]! += piece.length
      reading.set(turns.count(), (reading.get(turns.count()) ?? 0) + piece.length)
      const end = performance.now() + TAKES
      while (performance.now() < end);
    })
    req.on('end', () => {
      res.end()
      leastAtFirstEnd ??= Math.min(...received)
      if (--left === 0) server.emit('all')
    })
  })
  const connections = watchConnections(server, { most: 1, exempt: () => true })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const sender = spawn(process.execPath, ['-e', SENDER, ...[port, SENDERS, PIECE, PIECES].map(String)])
  await once(server, 'all')
  turns.stop()
  sender.kill()
  server.closeAllConnections()
  server.close()
  // Those that were not read for the longest time come first, so all are read about equally far.
  expect(leastAtFirstEnd).toBeGreaterThan((PIECE * PIECES) / 4)
  // node reads 64 KiB at once.
  expect(Math.max(...reading.values())).toBeLessThan(4 * (64 << 10))
}, 120_000)

it('connections that are destroyed together do not close in one turn', async () => {
  const server = createNetServer()
  const connections = watchConnections(server, { most: 1, exempt: () => true })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const open: Socket[] = []
  server.on('connection', (socket) => open.push(socket))
  const clients = Array.from({ length: 600 }, () => connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {}))
  await expect.poll(() => open.length).toBe(clients.length)
  const closed = countPerTurn()
  for (const socket of open) socket.once('close', closed.see)
  connections.destroy()
  await expect.poll(closed.all).toBe(clients.length)
  expect(closed.most()).toBeLessThan(clients.length / 2)
  server.close()
})

it('a connection that its reader has paused in a long turn is not resumed for it', async () => {
  const server = createNetServer()
  const accepted = once(server, 'connection')
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const sender = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [socket]: Socket[] = await accepted
  let pieces = 0
  socket!.on('data', () => {
    pieces++
    socket!.pause()
    const end = performance.now() + 30
    while (performance.now() < end);
  })
  createGiveWay(new Set([socket!])).watch(socket!)
  for (let i = 0; i < 3; i++) {
    sender.write('x')
    await sleep(60)
  }
  expect([pieces, socket!.isPaused()]).toEqual([1, true])
  sender.destroy()
  server.close()
})
