import { Lru } from '../base/memory/lru.ts'

/** Bounds of a cache: number of entries, and their weight in bytes. */
export interface CacheLimits {
  readonly entries: number
  readonly bytes: number
}

/** An LRU cache that is bounded by count and by bytes. Keys count too, because they contain a caller's parameters. */
export interface Cache<V> {
  get(key: string): V | undefined
  /** `bytes`: weight of the value. An entry that is heavier than an eighth of the cache is not kept. */
  set(key: string, value: V, bytes: number): void
  clear(): void
  stats(): { readonly entries: number; readonly bytes: number; readonly hits: number; readonly misses: number }
}

/** Memory of an entry beyond its text: its places in the cache, the object, two string headers. */
const OVERHEAD = 160

export const createCache = <V extends {}>(limits: CacheLimits): Cache<V> => {
  const kept = new Lru<string, V>({ max: limits.entries, maxSize: limits.bytes, maxEntrySize: Math.floor(limits.bytes / 8) })
  let hits = 0
  let misses = 0
  return {
    get(key) {
      const value = kept.get(key)
      if (value === undefined) misses++
      else hits++
      return value
    },
    set: (key, value, bytes) => void kept.set(key, value, { size: bytes + key.length + OVERHEAD }),
    clear() {
      // Clearing takes time for all the room that there is, used or not: 40 µs for 10,000 entries.
      if (kept.size > 0) kept.clear()
    },
    stats: () => ({ entries: kept.size, bytes: kept.calculatedSize, hits, misses }),
  }
}
