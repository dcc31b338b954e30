import { afterAll, expect, it } from 'vitest'
import { CALLER_LIMITS } from '../../server/base/limits/caller-limits.ts'
import { createConcurrencyLimit, withPatience } from '../../server/base/limits/concurrency-limit.ts'
import { silentLog } from '../../server/base/log.ts'
import { createUnread } from '../../server/base/writer/unread.ts'
import type { Writer } from '../../server/base/writer/writer.ts'
import { openListening, socketFrame } from '../../server/http/stream/both-transports.ts'
import { openStream } from '../../server/http/stream/socket.ts'
import { createFakeReader, type FakeIndex, filterOf, startFakeHub } from './fake-chain.ts'

/* Clients that leave while what they resume waits for the index. */

const index: FakeIndex = { first: 1, names: ['a', 'a', 'a'], states: 0, gate: Promise.resolve() }
const hub = startFakeHub(index)
let open = (): void => {}
afterAll(async () => {
  open()
  await hub.close()
})
const limits = { ...CALLER_LIMITS, client: 'one', replays: 1 }

it('a client that leaves while its replay waits is noticed at once, and its place is free', { timeout: 20_000 }, async () => {
  const first = hub.listen(filterOf(['blocks']), createFakeReader().sink)
  const { cursor } = await first.started
  first.close()
  index.names.push('a')
  index.gate = new Promise((resolve) => {
    open = resolve
  })
  const before = hub.count()
  const leaving = new AbortController()
  const { push, room } = createFakeReader().sink
  const sink = { ...limits, push, room, fail: () => {}, frame: socketFrame(true) }
  const opening = openListening(hub, { filter: filterOf(['blocks']), withCursor: true, resumeFrom: cursor }, sink, leaving.signal)
  expect(hub.count()).toBe(before + 1)
  leaving.abort()
  await expect(opening).rejects.toThrow('This operation was aborted')
  expect(hub.count()).toBe(before)

  const said: unknown[] = []
  const writer = { push: (chunk: unknown) => said.push(chunk), room: () => undefined } as unknown as Writer
  const closing = new AbortController()
  const requests = openStream(
    { log: silentLog, unread: createUnread(), eventSlots: withPatience(createConcurrencyLimit()), isProxy: () => false, hub: () => hub },
    { network: 'local', caller: undefined, client: 'one' },
    { transport: 'ws', limits: { ...limits, replays: -1 }, actionsVersion: undefined },
  )({ writer, signal: closing.signal, end: () => {} })
  const serving = requests.serve(JSON.stringify({ operation: 'subscribe', types: ['blocks'], with_cursor: true, resume_from: cursor }))
  await expect.poll(() => hub.count()).toBe(before + 1)
  closing.abort()
  await serving
  expect([hub.count(), said]).toEqual([before, []])
})
