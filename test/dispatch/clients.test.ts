import { expect, it } from 'vitest'
import * as z from 'zod'
import type { AnyHandler } from '../../server/base/answer.ts'
import type { Call } from '../../server/base/call.ts'
import { silentLog } from '../../server/base/log.ts'
import { createPauses } from '../../server/base/yield.ts'
import { createCache } from '../../server/dispatch/answer-cache.ts'
import { createDispatch } from '../../server/dispatch/pipeline.ts'
import type { Outcome } from '../../server/dispatch/types.ts'
import { method } from '../../shared/method.ts'
import { busy } from '../kit/turns.ts'

const base = {
  heading: '',
  examples: [{ title: '', params: {} }],
  summary: '',
  params: z.object({}),
  result: z.unknown(),
  rest: 'none',
  weight: 1,
  effect: 'read',
  needs: 'chain',
  cache: 'never',
} as const
const methods = { long: method({ ...base }), short: method({ ...base }) }

const callOf = (client: string): Call => ({
  ...{ client, signal: new AbortController().signal, requestId: 'r-1', log: silentLog, localAllowed: false, network: 'local' },
})

it('the long calls of one client delay neither those of another one nor the work of the service', async () => {
  const PARTS = 10
  const stop = new AbortController()
  let steps = 0
  const long: AnyHandler = async (_, { signal }) => {
    const pause = createPauses(2, signal)
    for (; !stop.signal.aborted; steps++) {
      busy(2)
      await pause()
    }
    return { body: 0 }
  }
  /** Answers how many steps the long calls made during it. */
  const inParts = async (signal?: AbortSignal): Promise<number> => {
    const pause = createPauses(2, signal)
    const before = steps
    for (let part = 0; part < PARTS; part++) {
      busy(3)
      await pause()
    }
    return steps - before
  }
  const caches = { headCache: createCache<Outcome>({ entries: 1, bytes: 1 }), finalCache: createCache<Outcome>({ entries: 1, bytes: 1 }) }
  const handlers = { long, short: async (_: unknown, { signal }: Call) => ({ body: await inParts(signal) }) }
  const dispatch = createDispatch({ methods, handlers, head: () => undefined, ...caches })
  const calls = Array.from({ length: 20 }, () => dispatch('long', {}, callOf('a')))
  await expect.poll(() => steps).toBeGreaterThan(40)
  const other = dispatch('long', {}, callOf('b'))
  const own = inParts()
  const short = await dispatch('short', {}, callOf('c'))
  const counts = [await own, short.ok ? Number(short.json) : Number.NaN]
  stop.abort()
  await Promise.all([...calls, other])
  // Each part waits for a few turns. It was twenty turns, each of a step or two.
  for (const count of counts) expect(count).toBeLessThan(PARTS * 10)
})
