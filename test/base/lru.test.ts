import { describe, expect, it } from 'vitest'
import { Lru } from '../../server/base/memory/lru.ts'

describe('Lru', () => {
  it('an LRU cache keeps the most recently used entries, as many as it may', () => {
    const cache = new Lru<string, number>({ max: 3 })
    for (const [i, name] of ['a', 'b', 'c'].entries()) cache.set(name, i)
    expect(cache.get('a')).toBe(0)
    cache.set('d', 3)
    expect([...cache.keys()]).toEqual(['d', 'a', 'c'])
    expect(cache.get('b')).toBeUndefined()
    cache.delete('a')
    cache.set('c', 9)
    expect([cache.size, cache.get('c')]).toEqual([2, 9])
  })

  it('an LRU cache with sizes is bounded by the number of entries too', () => {
    const dropped: string[] = []
    const cache = new Lru<string, string>({
      max: 2,
      maxSize: 10,
      sizeCalculation: (text) => text.length,
      dispose: (_, key) => dropped.push(key),
    })
    cache.set('a', '1').set('b', '1').set('c', '1')
    expect([dropped, cache.calculatedSize]).toEqual([['a'], 2])
    cache.set('d', '123456789')
    expect([[...cache.keys()], cache.calculatedSize]).toEqual([['d', 'c'], 10])
    cache.set('e', '12345678901')
    expect(cache.get('e')).toBeUndefined()
  })

  it('an LRU cache equals one of lru-cache in any order of calls', async () => {
    const { LRUCache } = await import('lru-cache')
    const [ours, theirs] = [new Lru<number, number>({ max: 7 }), new LRUCache<number, number>({ max: 7 })]
    let seed = 1
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    for (let i = 0; i < 5_000; i++) {
      const key = random(12)
      const deed = random(5)
      for (const cache of [ours, theirs]) {
        if (deed === 0) cache.delete(key)
        else if (deed === 1) cache.get(key)
        else cache.set(key, i)
      }
      expect([...ours.entries()]).toEqual([...theirs.entries()])
    }
  })
})
