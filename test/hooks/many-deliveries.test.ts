import { expect, it } from 'vitest'
import { createSecret, deliver } from '../../server/hooks/delivery.ts'
import { timeTurns } from '../kit/turns.ts'

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
