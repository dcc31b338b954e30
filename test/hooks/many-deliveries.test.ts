import { expect, it, vi } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import { createSecret, deliver } from '../../server/hooks/delivery.ts'
import { createSender } from '../../server/hooks/sender.ts'
import type { Hook, HookStore } from '../../server/hooks/store.ts'
import { startFakeHub } from '../events/fake-chain.ts'
import { busy, countPerTurn, timeTurns } from '../kit/turns.ts'

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
  const hookOf = (id: string): Hook => ({
    ...{ id, owner: '', url: 'https://example.com/', secret: createSecret(), filter: { types: ['transactions'], addresses }, cursor: '' },
    ...{ createdAt: 0, paused: false, reason: undefined, failures: 0, failingSince: undefined, nextTry: 0 },
  })
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
