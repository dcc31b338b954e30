import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Caller } from '../../../server/base/call.ts'
import { UNREAD_LIMITS } from '../../../server/base/writer/unread.ts'
import { type Line, openLine } from '../../kit/service/client.ts'
import { startTransport, type Transport } from '../../kit/service/test-transports.ts'
import { sleep } from '../../kit/wait.ts'

/* What messages of a stream cost their caller. */

let left = 0
const caller: Caller = {
  keyId: undefined,
  servers: undefined,
  take: (weight) => {
    if (left < weight) return false
    left -= weight
    return true
  },
  charge: () => {},
  onEnd: () => () => {},
}
let server: Transport
let line: Line
beforeAll(async () => {
  server = await startTransport({ gate: { admit: () => caller } })
  line = await openLine(`${server.url.replace('http', 'ws')}/api/streaming/v2/ws`)
})
beforeEach(() => {
  left = 2
})
afterAll(async () => {
  line?.socket.terminate()
  await server?.close()
})

const ask = (message: object): Promise<unknown> => {
  line.send(message)
  return line.next()
}
const LIMITED = { error: 'Ratelimit exceeded' }

it('a short ping costs nothing, and a long one costs a call', async () => {
  for (let i = 0; i < 5; i++) expect(await ask({ operation: 'ping', id: 'p' })).toEqual({ id: 'p', status: 'pong' })
  expect(left).toBe(2)
  expect(await ask({ operation: 'ping', id: 'p', more: 'x'.repeat(1_000) })).toEqual({ id: 'p', status: 'pong' })
  expect(left).toBe(1)
})

it('another message costs a call, whatever its length', async () => {
  expect(await ask({ operation: 'unsubscribe', id: 'u', addresses: [`0:${'0'.repeat(64)}`] })).toEqual({ id: 'u', status: 'unsubscribed' })
  expect(await ask({ operation: 'none', id: 'n', more: 'x'.repeat(1_000) })).toMatchObject({
    id: 'n',
    error: expect.stringMatching(/unknown operation/),
  })
  expect(left).toBe(0)
  expect(await ask({ operation: 'none', id: 'n' })).toEqual({ id: 'n', ...LIMITED })
})

it('a long message over the limit is refused before it is read', async () => {
  left = 0
  const parsed = vi.spyOn(JSON, 'parse')
  const message = { operation: 'ping', id: 'p', more: 'x'.repeat(1_000) }
  line.send(message)
  const answered = await line.next()
  const lengths = parsed.mock.calls.map(([text]) => String(text).length)
  parsed.mockRestore()
  expect(answered).toEqual(LIMITED)
  expect(lengths.filter((length) => length > 1_000)).toEqual([])
})

it('requests of a client that does not read are not read either', async () => {
  const strict = await startTransport({ unread: { ...UNREAD_LIMITS, ofConnection: 100_000, patience: 600_000 } })
  const slow = await openLine(`${strict.url.replace('http', 'ws')}/api/streaming/v2/ws`)
  slow.socket.pause()
  const id = 'x'.repeat(900)
  for (let i = 0; i < 20_000; i++) slow.send({ operation: 'ping', id })
  let before: number
  do {
    before = slow.socket.bufferedAmount
    await sleep(1_000)
  } while (slow.socket.bufferedAmount < before)
  slow.socket.resume()
  // Answers that wait may have 100 KB. Above it the client is cut off.
  for (let i = 0; i < 20_000; i++) expect(await slow.next()).toEqual({ id, status: 'pong' })
  slow.socket.terminate()
  await strict.close()
})
