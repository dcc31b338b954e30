import { describe, expect, it } from 'vitest'
import { createMemoryLimiter } from '../../server/access/limiter.ts'
import { createWindow, TICKS, takeFrom } from '../../server/access/window.ts'
import { fc } from '../kit/property.ts'
import { createModel, createOperations, createTicker, monotonic } from '../kit/service/limiter-model.ts'

describe('limiter', () => {
  it('the limiter agrees with the simplest model whatever the clock does', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const operations = createOperations(seed)
        const tick = createTicker(operations.now)
        const limiter = createMemoryLimiter(monotonic(tick))
        const model = createModel()
        for (let i = 0; i < 2_000; i++) {
          const { bucket, limit, weight, done } = operations.next()
          if (done) {
            limiter.charge(bucket, limit, weight)
            model.charge(bucket, tick(), limit, weight)
          } else expect(limiter.take(bucket, limit, weight)).toBe(model.take(bucket, tick(), limit, weight))
        }
      }),
      { numRuns: 20 },
    )
  })

  it('the limiter holds in every sliding second, and lets all calls through that fit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.integer({ min: 0, max: 4_000 }), { minLength: 1, maxLength: 300 }),
        (limit, steps) => {
          const window = createWindow()
          const passed: number[] = []
          let now = 0
          for (const step of steps) {
            now += step
            const inLastSecond = passed.filter((at) => now - at <= TICKS).length
            const fits = takeFrom(window, now, limit, 1)
            expect(fits).toBe(inLastSecond < limit)
            if (fits) passed.push(now)
          }
        },
      ),
    )
  })

  it('the limiter passes no more calls at the turn of a second than within it', () => {
    let now = 900
    const limiter = createMemoryLimiter(() => now)
    const through = (): number => Array.from({ length: 50 }, () => limiter.take('k:a', 10, 1)).filter(Boolean).length
    expect(through()).toBe(10)
    now = 1100
    expect(through()).toBe(0)
    now = 1900
    expect(through()).toBe(0)
    now = 1900.2
    expect(through()).toBe(10)
  })

  it('the limiter gives a call that weighs more than the whole limit a second for itself', () => {
    let now = 0
    const limiter = createMemoryLimiter(() => now)
    expect(limiter.take('k:a', 1, 5)).toBe(true)
    now = 500
    expect(limiter.take('k:a', 1, 1)).toBe(false)
    now = 1001
    expect(limiter.take('k:a', 3, 1)).toBe(true)
    expect(limiter.take('k:a', 3, 5)).toBe(false)
  })

  it('the limiter counts finished work whether it fits or not, and at most one second of it', () => {
    let now = 0
    const limiter = createMemoryLimiter(() => now)
    expect(limiter.take('k:a', 10, 8)).toBe(true)
    limiter.charge('k:a', 10, 1)
    expect(limiter.take('k:a', 10, 2)).toBe(false)
    expect(limiter.take('k:a', 10, 1)).toBe(true)
    now = 500
    limiter.charge('k:a', 10, 1_000)
    now = 1_400
    expect(limiter.take('k:a', 10, 1)).toBe(false)
    now = 1_501
    expect(limiter.take('k:a', 10, 10)).toBe(true)
  })

  it('the limiter lets nothing through if the limit is 0', () => {
    const limiter = createMemoryLimiter(() => 0)
    expect(limiter.take('a:x', 0, 1)).toBe(false)
  })

  it('the limiter forgets clients without calls, and bounds how many addresses it knows', () => {
    let now = 0
    const limiter = createMemoryLimiter(() => now, 1_000)
    for (let i = 0; i < 1_000; i++) expect(limiter.take(`a:local:${i}`, 1, 1)).toBe(true)
    expect(limiter.size()).toBe(1_000)
    expect(limiter.take('a:local:more', 1, 1)).toBe(false)
    // Keys are not crowded out by addresses.
    expect(limiter.take('k:local:free:owner', 10, 1)).toBe(true)
    for (const later of [1_100, 2_200, 3_300]) {
      now = later
      limiter.take('k:local:free:owner', 10, 1)
    }
    expect(limiter.size()).toBe(1)
    expect(limiter.take('a:local:more', 1, 1)).toBe(true)
  })

  it('the limiter counts 10,000 clients of one address as one', () => {
    let now = 0
    const limiter = createMemoryLimiter(() => now)
    let through = 0
    for (let second = 0; second < 3; second++)
      for (let client = 0; client < 10_000; client++) {
        now += 0.1
        if (limiter.take('a:local:10.0.0.1', 1, 1)) through++
      }
    expect(through).toBe(3)
    expect(limiter.size()).toBe(1)
  })
})
