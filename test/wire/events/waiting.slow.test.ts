import { afterAll, beforeAll, expect, it } from 'vitest'
import { get } from '../../kit/wire/connection.ts'
import { frame, openFrames } from '../../kit/wire/frames.ts'
import { startService, type WireService } from '../../kit/wire/service.ts'

/* Messages of streaming v2 that have arrived and wait for their turn. */

const MiB = 1 << 20
const SOCKETS = 20
const MESSAGES = 30

let service: WireService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

const memory = async (): Promise<number> =>
  ((await service.ask(get('/status'))).json as { readonly memory: { readonly rss: number } }).memory.rss

it('a flood of large messages stays at its sender, not in the memory of the service', async () => {
  const message = frame(0x81, Buffer.from(JSON.stringify({ operation: 'ping', id: 1, more: 'x'.repeat(MiB - 100) })))
  const all = await Promise.all(Array.from({ length: SOCKETS }, () => openFrames(service, '/api/streaming/v2/ws')))
  const before = await memory()
  let most = 0
  let isOver = false
  const watched = (async () => {
    while (!isOver) most = Math.max(most, await memory())
  })()
  await Promise.all(
    all.map(async ({ connection, next }) => {
      for (let i = 0; i < MESSAGES; i++) void connection.send(message)
      for (let i = 0; i < MESSAGES; i++) expect(JSON.parse(String((await next()).payload))).toEqual({ id: 1, status: 'pong' })
    }),
  )
  isOver = true
  await watched
  for (const { connection } of all) connection.destroy()
  // All of them are 600 MiB.
  expect((most - before) / MiB).toBeLessThan(300)
}, 60_000)
