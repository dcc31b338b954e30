import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { until } from '../kit/wait.ts'
import { get, post, requestOf, rpcText } from '../kit/wire/connection.ts'
import { frame, openFrames } from '../kit/wire/frames.ts'
import { largeBatch, makeLarge } from '../kit/wire/large.ts'
import { startService } from '../kit/wire/service.ts'

/* What clients see of the end of a service. */

const HANDSHAKE = ['Connection: Upgrade', 'Upgrade: websocket']

it('running calls are answered at the end of a service, sockets are closed with 1001, and nothing new is taken', async () => {
  const service = await startService()
  const http = await service.open()
  const { connection: socket, next } = await openFrames(service)
  const idle = await service.open()
  const before = (await service.status()).head.seqno
  // Calls that take a while, because each waits for twelve blocks.
  await http.send(post('/jsonRPC', rpcText('local.mine', { count: 12 }, 'http')))
  await socket.send(frame(0x81, Buffer.from(rpcText('local.mine', { count: 12 }, 'socket'))))
  await until(async () => (await service.status()).head.seqno > before)
  const stopped = service.stop()
  expect((await http.answer()).json).toMatchObject({ id: 'http', result: { block: expect.any(Object) } })
  expect(JSON.parse(String((await next()).payload))).toMatchObject({ id: 'socket', result: { block: expect.any(Object) } })
  const { opcode, payload } = await next()
  expect([opcode, payload.readUInt16BE(0), String(payload.subarray(2))]).toEqual([8, 1_001, 'shutting down'])
  await Promise.all([idle.closed, http.closed, stopped])
  const refused = connect(service.port, '127.0.0.1')
  expect(((await once(refused, 'error')) as [NodeJS.ErrnoException])[0].code).toBe('ECONNREFUSED')
})

it('the end of a service does not wait for clients that hang, and what they have not read has no valid end', async () => {
  const service = await startService()
  await makeLarge(service, 400_000)
  const plain = await service.open()
  await plain.send(largeBatch(30))
  const packed = await service.open()
  await packed.send(largeBatch(30).replace('\r\n', '\r\nAccept-Encoding: gzip\r\n'))
  await until(async () => (await service.status()).unread_bytes.http > 20 << 20)
  const half = await service.open()
  await half.send(`${requestOf('POST', '/jsonRPC', 'Content-Length: 9')}{`)
  const wishing = await service.open()
  await wishing.send(`${requestOf('POST', '/jsonRPC', 'Connection: Upgrade', 'Upgrade: h2c', 'Content-Length: 9')}{`)
  const greeting = await service.open()
  await greeting.send(get('/jsonRPC', ...HANDSHAKE).slice(0, -2))
  const { connection: deaf } = await openFrames(service)
  await until(async () => (await service.status()).sockets === 1)
  const began = performance.now()
  await service.stop()
  // Its own limit is 4.5 s; a busy machine takes longer.
  expect(performance.now() - began).toBeLessThan(20_000)
  await Promise.all([half.closed, greeting.closed, wishing.closed])
  // Each answer is whole or cut: `answers` rejects one whose end is missing.
  await expect(plain.answers()).rejects.toThrow('the connection ended')
  await expect(packed.answers()).rejects.toThrow('the connection ended')
  deaf.destroy()
}, 60_000)
