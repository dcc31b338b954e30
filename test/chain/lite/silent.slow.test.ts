import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { acceptAdnl } from '../../../server/chain/adnl/accept.ts'
import type { Channel } from '../../../server/chain/adnl/channel.ts'
import { createHandshakeReader } from '../../../server/chain/adnl/handshake.ts'
import { createKey } from '../../../server/chain/adnl/keys.ts'
import { encodeMessage } from '../../../server/chain/adnl/messages.ts'
import { createLiteClient } from '../../../server/chain/lite/client.ts'
import type { LiteServer } from '../../../server/chain/liteserver.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import { createLiteTl } from '../../../server/chain/tl/lite-queries.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { sleep, until } from '../../kit/wait.ts'
import { createTestPool, serve } from './kit.ts'

/* Lite-servers that are honest as far as they speak. */

const { signal } = new AbortController()
let tvm: Tvm
let local: LocalChain
beforeAll(async () => {
  tvm = createTestTvm({ workers: 1 })
  local = await createTestChain(tvm, {}, { clock: { now: () => Math.floor(Date.now() / 1000) } })
  await local.control.mine(3, signal)
})
afterAll(async () => {
  await local.close()
  await tvm.close()
})

it('a server that tells of a head and does not prove it does not hold the heads of others', async () => {
  let isSilent = false
  let asked = 0
  const silent: LiteServer = {
    ...local,
    async query(fn, args, stop) {
      if (isSilent && fn === 'getBlockProof') {
        asked += 1
        return await new Promise((_, reject) => void stop.addEventListener('abort', () => reject(stop.reason)))
      }
      const answer = await local.query(fn, args, stop)
      if (!isSilent || !('last' in answer)) return answer
      return { ...answer, last: { ...answer.last, seqno: answer.last.seqno + 5 } }
    },
  }
  const endpoints = [await serve(silent), await serve(local)]
  const pool = await createTestPool(local, endpoints)
  try {
    await until(() => pool.status().servers.every(({ seqno }) => seqno !== null))
    isSilent = true
    await local.control.mine(1, signal)
    await until(() => asked > 0)
    await local.control.mine(1, signal)
    const mined = performance.now()
    await until(() => pool.status().head === local.head!().id.seqno)
    // The endpoint gives up after fifteen seconds, and others after thirty.
    expect(performance.now() - mined).toBeLessThan(8_000)
  } finally {
    pool.close()
    for (const endpoint of endpoints) await endpoint.close()
  }
})

/** A server that answers nothing. `onReady`: called for each channel that is open. */
const listen = async (onReady: (channel: Channel, socket: Socket) => void) => {
  const key = createKey()
  const door = createHandshakeReader(key)
  const times = { maxPacket: 1 << 20, packetMs: 10_000, connectMs: 10_000 }
  const server = createServer((socket) => {
    const onReadyHere = (channel: Channel): void => onReady(channel, socket)
    acceptAdnl(socket, door, { ...times, onPacket: () => undefined, onClose: () => undefined, onReady: onReadyHere })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, peer: { host: '127.0.0.1', port: (server.address() as AddressInfo).port, key: key.publicKey } }
}

it('a server that pings without end and reads nothing loses its connection', async () => {
  const { server, peer } = await listen((channel, socket) => {
    channel.pause()
    const ping = (): void => {
      if (socket.destroyed) return
      if (channel.backlog() < 1 << 20) for (let i = 0; i < 2_000; i++) channel.send(encodeMessage({ type: 'ping', random: 1n }))
      setImmediate(ping)
    }
    ping()
  })
  const client = createLiteClient(peer, { tl: createLiteTl(), times: { backoffMs: [60_000, 60_000] }, onChange: () => undefined })
  try {
    await until(() => client.state === 'waiting')
    expect(client.fault).toBe('it does not read what is sent')
  } finally {
    client.close()
    server.close()
  }
}, 60_000)

it('a server that is not read is not silent, and is not read from its next connection either', async () => {
  const open: Channel[] = []
  const { server, peer } = await listen((channel) => open.push(channel))
  const times = { pingMs: 50, silentMs: 150, backoffMs: [20, 20] } as const
  const client = createLiteClient(peer, { tl: createLiteTl(), times, onChange: () => undefined })
  try {
    await until(() => client.state === 'ready')
    client.read(false)
    await sleep(400)
    expect([client.state, open.length]).toEqual(['ready', 1])
    client.read(true)
    open[0]!.close()
    await until(() => client.state === 'waiting')
    client.read(false)
    await until(() => client.state === 'ready')
    await sleep(400)
    // What is read of it would end the connection, as it is no answer.
    open[1]!.send(Buffer.from('nonsense'))
    await sleep(200)
    expect(client.state).toBe('ready')
    client.read(true)
    await until(() => client.state === 'waiting')
    expect(client.fault).toBe('a message that is not an answer')
  } finally {
    client.close()
    server.close()
  }
}, 60_000)

it('a server that closes each connection soon is connected to more and more seldom', async () => {
  let connections = 0
  const { server, peer } = await listen((channel) => {
    connections += 1
    // Once the handshake is answered.
    setTimeout(channel.close, 20)
  })
  const client = createLiteClient(peer, { tl: createLiteTl(), times: { backoffMs: [20, 60_000] }, onChange: () => undefined })
  try {
    await sleep(3_000)
    expect(connections).toBeGreaterThan(1)
    expect(connections).toBeLessThan(12)
  } finally {
    client.close()
    server.close()
  }
}, 60_000)

it('a server whose key is of low order is unreachable, and stops neither the others nor the process', async () => {
  const { port, publicKey } = await serve(local)
  const pool = await createTestPool(local, [
    { port, publicKey },
    { port: 9, publicKey: new Uint8Array(32) },
  ])
  try {
    await pool.ready(10_000)
    expect(pool.status().servers[1]?.trouble).toBe('a public key of low order')
  } finally {
    pool.close()
  }
}, 60_000)
