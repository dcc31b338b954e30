import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSse } from '../../events/sse.ts'
import { until } from '../../kit/wait.ts'
import { get } from '../../kit/wire/connection.ts'
import { frame, openFrames } from '../../kit/wire/frames.ts'
import { bocOf } from '../../kit/wire/large.ts'
import { startService, type WireService } from '../../kit/wire/service.ts'

/* Events that nobody reads. They are those of messages with large bodies, which the chain and the index need a while for. */

let service: WireService
beforeAll(async () => {
  service = await startService('--index', 'on')
  await until(async () => (await service.ask(get('/ready?for=v3'))).status === 200, 50)
})
afterAll(() => service?.stop())

it('readers of events who take nothing are cut off after half a minute, what waited for them is free, and nobody else is delayed', async () => {
  const account = `0:${'E1'.repeat(32)}`
  const path = `/api/streaming/v2/sse?types=transactions&addresses=${account}`
  const sse = await service.open()
  await sse.send(get(path))
  const { connection: socket, next } = await openFrames(service, '/api/streaming/v2/ws')
  const subscription = { operation: 'subscribe', types: ['transactions'], addresses: [account] }
  await socket.send(frame(0x81, Buffer.from(JSON.stringify(subscription))))
  expect(JSON.parse(String((await next()).payload))).toEqual({ status: 'subscribed' })
  socket.socket.pause()
  const reader = await openSse(service.url + path)
  await until(() => reader.frames.length > 0)
  const body = bocOf(150_000)
  let sent = 0
  const waiting = async (): Promise<number> => (await service.status()).unread_bytes.events
  // Events wait in the service once the kernel's buffers are full. Those of both connections are full within a few events of each other.
  for (let unread = 0; unread < 5; ) {
    await service.rpc('local.sendInternal', { from: `0:${'f'.repeat(64)}`, to: account, amount: '1000000000', bounce: false, body })
    sent++
    await until(() => reader.frames.length > sent)
    if ((await waiting()) > 0) unread++
  }
  await until(async () => (await waiting()) === 0, 100)
  expect(reader.frames).toHaveLength(sent + 1)
  reader.close()
  await expect(sse.answers()).rejects.toThrow('the connection ended')
  socket.socket.resume()
  for (let last = await next(); ; last = await next())
    if (last.opcode === 8) {
      expect([last.payload.readUInt16BE(0), String(last.payload.subarray(2))]).toEqual([1_013, 'slow consumer'])
      break
    }
  await until(async () => (await service.status()).sockets === 0)
})
