import { expect, it, vi } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import { createChunk } from '../../server/base/writer/chunk.ts'
import { createSecret, deliver } from '../../server/hooks/delivery.ts'
import { createSender } from '../../server/hooks/sender.ts'
import type { Hook, HookStore } from '../../server/hooks/store.ts'
import { formatCursor } from '../../server/live/cursor.ts'
import type { Hub } from '../../server/live/hub.ts'
import type { Sink } from '../../server/live/listener.ts'
import { startFakeHub } from '../events/fake-chain.ts'
import { busy, countPerTurn, timeTurns } from '../kit/turns.ts'
import { sleep, until } from '../kit/wait.ts'

const plainHook = (id: string): Hook => ({
  ...{ id, owner: '', url: 'https://example.com/', secret: createSecret(), filter: { types: ['blocks'] }, cursor: '' },
  ...{ createdAt: 0, paused: false, reason: undefined, failures: 0, failingSince: undefined, nextTry: 0 },
})

it('a large event is signed for many hooks in turns', async () => {
  const body = Buffer.alloc(1 << 20, 0x61)
  const post = { send: async () => 204, check: async () => {}, close: () => {} }
  const { signal } = new AbortController()
  const hooks = Array.from({ length: 100 }, (_, i) => ({ url: `https://example.com/${i}`, secret: createSecret() }))
  const { longest, all } = await timeTurns(async () => {
    const outcomes = await Promise.all(hooks.map((hook) => deliver({ post, now: Date.now }, hook, { id: 'msg_1', body }, signal)))
    expect(outcomes.every(({ reason }) => reason === undefined)).toBe(true)
  })
  expect(longest).toBeLessThan(all / 3)
})

it('hundreds of hooks with a thousand addresses each are loaded and started in turns', { timeout: 60_000 }, async () => {
  const addresses = Array.from({ length: 1_000 }, (_, i) => `0:${i.toString(16).padStart(64, '0')}`)
  const hookOf = (id: string): Hook => ({ ...plainHook(id), filter: { types: ['transactions'], addresses } })
  const ids = Array.from({ length: 200 }, (_, i) => `hook_${i}`)
  let mostLoaded = 0
  const store = {
    versions: async () => ({ active: new Map(ids.map((id) => [id, '1'])), paused: 0 }),
    load: async (some: readonly string[]) => {
      mostLoaded = Math.max(mostLoaded, some.length)
      return some.map(hookOf)
    },
    saveCursors: async () => {},
  } as unknown as HookStore
  const hub = startFakeHub({ first: 1, names: ['a'], states: 0, gate: Promise.resolve() })
  const post = { send: async () => 204, check: async () => {}, close: () => {} }
  const sender = createSender(store, { delivered: 0, failed: 0 }, { hub, post, now: Date.now, owners: undefined, log: silentLog })
  const starting = await timeTurns(() => sender.sync())
  expect(sender.figures().active).toBe(ids.length)
  expect(mostLoaded).toBeLessThan(50)
  expect(starting.longest).toBeLessThan(starting.all / 3)
  const ending = await timeTurns(() => sender.close())
  expect(ending.longest).toBeLessThan(Math.max(ending.all / 3, 50))
  await hub.close()
})

it('deliveries to hundreds of receivers that never answer end in turns', async () => {
  const ends = countPerTurn()
  let sent = 0
  const send = (_url: string, _headers: object, _body: Buffer, signal: AbortSignal): Promise<number> =>
    new Promise((_, reject) => {
      sent++
      signal.addEventListener('abort', () => {
        ends.see()
        busy(1)
        reject(signal.reason)
      })
    })
  const post = { send, check: async () => {}, close: () => {} }
  const { signal } = new AbortController()
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    const hook = { url: 'https://example.com/', secret: createSecret() }
    const message = { id: 'msg_1', body: Buffer.alloc(1) }
    const all = Promise.all(Array.from({ length: 100 }, () => deliver({ post, now: Date.now }, hook, message, signal)))
    while (sent < 100) await new Promise((resolve) => setImmediate(resolve))
    vi.advanceTimersByTime(10_000)
    for (const { reason } of await all) expect(reason).toBe('no answer within 10 s')
  } finally {
    vi.useRealTimers()
  }
  expect(ends.all()).toBe(100)
  expect(ends.most()).toBeLessThan(50)
})

/** A hub that sends an event every few milliseconds. */
const startBusyHub = () => {
  const timers: NodeJS.Timeout[] = []
  let seqno = 1
  const push = (sink: Sink): void => {
    const cursor = formatCursor({ seqno: ++seqno, hash: Buffer.alloc(32, 1), ancestors: Buffer.alloc(24, 2), place: '~' })
    sink.push(createChunk([sink.frame.wrap('{"type":"block"}', cursor)], 'events', cursor))
  }
  const hub = {
    listen: (_: unknown, sink: Sink) => ({
      started: Promise.resolve({ cursor: '', resumed: true }),
      begin: () => void timers.push(setInterval(push, 10, sink)),
      isLive: () => true,
      close: () => timers.map(clearInterval),
    }),
  } as unknown as Hub
  return hub
}

it('slow receivers of six owners do not delay the deliveries of another owner', async () => {
  const greedy = Array.from({ length: 600 }, (_, i) => ({
    ...plainHook(`hook_${i}`),
    owner: `greedy ${i % 6}`,
    url: 'https://slow.example/',
  }))
  const modest = Array.from({ length: 20 }, (_, i) => ({ ...plainHook(`modest_${i}`), owner: 'modest' }))
  const hooks = new Map([...greedy, ...modest].map((hook) => [hook.id, hook]))
  const store = {
    versions: async () => ({ active: new Map([...hooks.keys()].map((id) => [id, '1'])), paused: 0 }),
    load: async (ids: readonly string[]) => ids.map((id) => hooks.get(id)!),
    saveCursors: async () => {},
    saveHealth: async () => {},
  } as unknown as HookStore
  let slow = 0
  const send = async (url: string, _headers: object, _body: Buffer, signal: AbortSignal): Promise<number> => {
    if (!url.startsWith('https://slow')) return 204
    slow++
    await sleep(9_900, undefined, { signal })
    return 204
  }
  const sent = { delivered: 0, failed: 0 }
  const post = { send, check: async () => {}, close: () => {} }
  const sender = createSender(store, sent, { hub: startBusyHub(), post, now: Date.now, owners: undefined, log: silentLog })
  const began = performance.now()
  await sender.sync()
  await until(() => sent.delivered >= 200)
  expect(performance.now() - began).toBeLessThan(9_000)
  expect(slow).toBeGreaterThan(6 * 70)
  await sender.close()
})

it('one write of cursors waits for a slow database, and the next has what moved meanwhile', async () => {
  let writes = 0
  let answer = (): void => {}
  const store = {
    versions: async () => ({ active: new Map([['hook_1', '1']]), paused: 0 }),
    load: async () => [plainHook('hook_1')],
    saveCursors: () => {
      writes++
      return new Promise<void>((resolve) => {
        answer = resolve
      })
    },
  } as unknown as HookStore
  const post = { send: async () => 204, check: async () => {}, close: () => {} }
  const sent = { delivered: 0, failed: 0 }
  const deps = { hub: startBusyHub(), post, now: Date.now, owners: undefined, log: silentLog }
  const sender = createSender(store, sent, deps)
  await sender.sync()
  await until(() => writes === 1)
  await sleep(500)
  expect(sent.delivered).toBeGreaterThan(5)
  expect(writes).toBe(1)
  answer()
  await until(() => writes === 2)
  answer()
  const closed = sender.close()
  await Promise.race([closed, until(() => writes === 3)])
  answer()
  await closed
})

it('hooks are loaded no more once the service is stopped', async () => {
  const ids = Array.from({ length: 1_000 }, (_, i) => `hook_${i}`)
  let loads = 0
  const store = {
    versions: async () => ({ active: new Map(ids.map((id) => [id, '1'])), paused: 0 }),
    load: async (some: readonly string[]) => {
      loads++
      return some.map(plainHook)
    },
    saveCursors: async () => {},
  } as unknown as HookStore
  const post = { send: async () => 204, check: async () => {}, close: () => {} }
  const deps = { hub: startBusyHub(), post, now: Date.now, owners: undefined, log: silentLog }
  const sender = createSender(store, { delivered: 0, failed: 0 }, deps)
  await sender.sync(() => loads === 2)
  expect(loads).toBe(2)
  await sender.close()
})
