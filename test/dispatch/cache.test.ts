import { describe, expect, it } from 'vitest'
import { canonical } from '../../server/base/memory/canonical-text.ts'
import { createCache } from '../../server/dispatch/answer-cache.ts'
import { fc } from '../kit/property.ts'

describe('cache', () => {
  it('the cache drops the least recently used entry first, by count and by bytes', () => {
    const cache = createCache<number>({ entries: 3, bytes: 1 << 20 })
    for (const key of ['a', 'b', 'c']) cache.set(key, 1, 1)
    cache.get('a')
    cache.set('d', 1, 1)
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true, true])
    const heavy = createCache<number>({ entries: 1000, bytes: 10_000 })
    for (let i = 0; i < 20; i++) heavy.set(`k${i}`, i, 800)
    expect(heavy.get('k0')).toBeUndefined()
    expect(heavy.get('k19')).toBe(19)
  })

  it('the cache does not keep entries that would push out much, and drops what it replaces', () => {
    const cache = createCache<number>({ entries: 10, bytes: 8000 })
    cache.set('a', 1, 10)
    cache.set('a', 2, 5000)
    expect(cache.get('a')).toBeUndefined()
    expect(cache.stats()).toMatchObject({ entries: 0, bytes: 0 })
  })

  it('the cache holds its bounds and its sums under any use', () => {
    const operation = fc.tuple(fc.constantFrom('get', 'set', 'clear'), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 3000 }))
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 300 }), (operations) => {
        const cache = createCache<number>({ entries: 12, bytes: 16_000 })
        const kept = new Map<string, number>()
        for (const [what, key, size] of operations) {
          if (what === 'set') {
            cache.set(`k${key}`, size, size)
            kept.set(`k${key}`, size)
          } else if (what === 'clear') {
            cache.clear()
            kept.clear()
          } else {
            const value = cache.get(`k${key}`)
            if (value !== undefined) expect(value).toBe(kept.get(`k${key}`))
          }
          const { entries, bytes } = cache.stats()
          expect(entries).toBeLessThanOrEqual(12)
          expect(bytes).toBeLessThanOrEqual(16_000)
          expect(bytes === 0).toBe(entries === 0)
        }
      }),
    )
  })
})

describe('canonical', () => {
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.bigInt(), fc.boolean(), fc.constant(null), fc.uint8Array({ maxLength: 8 }))
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value

  const shuffled = (given: unknown): unknown => {
    if (Array.isArray(given)) return given.map(shuffled)
    if (typeof given !== 'object' || given === null || given instanceof Uint8Array) return given
    return Object.fromEntries(
      Object.entries(given)
        .reverse()
        .map(([name, member]) => [name, shuffled(member)]),
    )
  }

  it('the canonical text does not depend on the order of members', () => {
    fc.assert(fc.property(value, (given) => canonical(given) === canonical(shuffled(given))))
  })

  it('the canonical texts of different values differ', () => {
    const same = (a: unknown, b: unknown): boolean => {
      try {
        expect(a).toStrictEqual(b)
        return true
      } catch {
        return false
      }
    }
    fc.assert(fc.property(value, value, (a, b) => same(a, b) === (canonical(a) === canonical(b))))
    const list = [
      '5',
      5,
      5n,
      [5],
      { a: 5 },
      { a: '5' },
      { a: undefined, b: 5 },
      null,
      'null',
      true,
      'true',
      [],
      {},
      new Uint8Array([5]),
      'x05',
      '5n',
    ]
    expect(new Set(list.map(canonical)).size).toBe(list.length)
  })
})
