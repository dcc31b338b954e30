import { afterAll, expect, it } from 'vitest'
import { CALLER_LIMITS } from '../../server/base/limits/caller-limits.ts'
import { createConcurrencyLimit } from '../../server/base/limits/concurrency-limit.ts'
import { silentLog } from '../../server/base/log.ts'
import { createUnread } from '../../server/base/writer/unread.ts'
import type { Writer } from '../../server/base/writer/writer.ts'
import { openListening, socketFrame } from '../../server/http/stream/both-transports.ts'
import { openStream } from '../../server/http/stream/socket.ts'
import { createHub } from '../../server/live/hub.ts'
import type { Reader } from '../../server/store/postgres/reader.ts'
import { busy, countPerTurn } from '../kit/turns.ts'
import { createFakeReader, type FakeIndex, filterOf, readFake, startFakeHub } from './fake-chain.ts'

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
    { log: silentLog, unread: createUnread(), eventSlots: createConcurrencyLimit(), isProxy: () => false, hub: () => hub },
    { network: 'local', caller: undefined, client: 'one' },
    { transport: 'ws', limits: { ...limits, replays: -1 }, actionsVersion: undefined },
  )({ writer, signal: closing.signal, end: () => {} })
  const serving = requests.serve(JSON.stringify({ operation: 'subscribe', types: ['blocks'], with_cursor: true, resume_from: cursor }))
  await expect.poll(() => hub.count()).toBe(before + 1)
  closing.abort()
  await serving
  expect([hub.count(), said]).toEqual([before, []])
})

it('a subscription that is ended before it began is refused to its caller, and is no fault of the service', async () => {
  const fresh = startFakeHub({ first: 1, names: ['a'], states: 0, gate: Promise.resolve() })
  const ending = fresh.listen(filterOf(['blocks']), createFakeReader().sink)
  ending.close()
  await expect(ending.started).rejects.toMatchObject({ kind: 'INVALID_REQUEST' })
  await fresh.close()
})

it('all streams together have a bound of addresses, and what a stream leaves or no longer asks for is free for others', async () => {
  const small = startFakeHub({ first: 1, names: ['a'], states: 0, gate: Promise.resolve() }, { maxNames: 29 })
  const filterOfSize = (size: number) => ({
    ...filterOf(['transactions']),
    accounts: new Set(Array.from({ length: size }, (_, i) => `0:${i}`)),
  })
  const { sink } = createFakeReader()
  const crowded = { kind: 'UNAVAILABLE' }
  const first = small.listen(filterOfSize(3), sink)
  await first.started
  expect(() => small.listen(filterOfSize(3), sink)).toThrow(expect.objectContaining(crowded))
  const hook = small.listen(filterOfSize(9), { ...sink, isHook: true })
  expect(() => first.change(filterOfSize(18))).toThrow(expect.objectContaining(crowded))
  first.change(filterOfSize(2))
  const second = small.listen(filterOfSize(3), sink)
  expect(() => small.listen(filterOfSize(0), sink)).toThrow(expect.objectContaining(crowded))
  for (const one of [first, first, hook]) one.close()
  first.change(filterOfSize(5))
  second.change(filterOfSize(5))
  second.close()
  await small.listen(filterOfSize(5), sink).started
  await small.close()
})

it('events that wait for the answers to their subscriptions have one bound, and a subscription that is cut off gets none of them', async () => {
  const waited: FakeIndex = { first: 1, names: ['a'], states: 0, gate: Promise.resolve() }
  const many = startFakeHub(waited)
  const frame = Buffer.alloc(2 << 20)
  const readers = Array.from({ length: 12 }, (_, i) => {
    const reader = { got: 0, failed: 0 }
    const sink = {
      ...createFakeReader().sink,
      push: () => reader.got++,
      fail: () => reader.failed++,
      frame: { key: `${i}`, wrap: () => frame },
    }
    return { reader, listening: many.listen(filterOf(['blocks']), sink) }
  })
  await Promise.all(readers.map(({ listening }) => listening.started))
  // 96 MiB wait, and 64 may.
  waited.names.push('b', 'c', 'd', 'e')
  await expect.poll(() => readers.filter(({ reader }) => reader.failed > 0).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(4)
  for (const { listening } of readers) listening.begin()
  waited.names.push('last')
  await expect.poll(() => readers.filter(({ reader }) => reader.got === 5).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(6)
  for (const { reader } of readers) expect(reader.got).toBe(reader.failed > 0 ? 0 : 5)
  await many.close()
}, 120_000)

it('clients that wait for an index that cannot be read are not refused in one turn', async () => {
  const empty: FakeIndex = { first: 1, names: ['a'], states: 0, gate: Promise.resolve() }
  const reader: Reader = { rows: async () => [], snapshot: () => Promise.reject(new Error('no index')), close: async () => {} }
  const failing = createHub({ ...readFake(empty), reader, onHead: () => () => {}, log: silentLog })
  const refused = countPerTurn()
  const waiting = Array.from({ length: 200 }, async () => {
    await expect(failing.between(() => {})).rejects.toThrow()
    busy(0.5)
    refused.see()
  })
  await expect(failing.listen(filterOf(['blocks']), createFakeReader().sink).started).rejects.toThrow()
  await Promise.all(waiting)
  expect(refused.most()).toBeLessThan(waiting.length / 2)
  await failing.close()
})
