import { Asked } from '../base/memory/asked.ts'
import { Lru } from '../base/memory/lru.ts'

/** Bounds of a cache: number of entries, and their weight in bytes. */
export interface CacheLimits {
  readonly entries: number
  readonly bytes: number
  /** With at least this many entries, a value is kept only if its key was asked for before; by default every value is kept. */
  readonly free?: number
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

/**
 * Keeping an answer that nobody asks for again costs more than it takes to look for it: it outlives two garbage collections, and pushes out others. So
 * once `free` entries are there, only answers that are asked for repeatedly are kept.
 */
export const createCache = <V extends {}>(limits: CacheLimits): Cache<V> => {
  const { free = Number.POSITIVE_INFINITY } = limits
  const asked = new Asked()
  const kept = new Lru<string, V>({ max: limits.entries, maxSize: limits.bytes, maxEntrySize: Math.floor(limits.bytes / 8) })
  let hits = 0
  let misses = 0
  return {
    get(key) {
      const value = kept.get(key)
      if (value !== undefined) hits++
      else {
        misses++
        if (kept.size >= free) asked.add(key)
      }
      return value
    },
    set(key, value, bytes) {
      if (kept.size >= free && !asked.isTwice(key)) return
      kept.set(key, value, { size: bytes + key.length + OVERHEAD })
    },
    clear() {
      asked.clear()
      // Clearing takes time for all the room that there is, used or not: 40 µs for 10,000 entries.
      if (kept.size > 0) kept.clear()
    },
    stats: () => ({ entries: kept.size, bytes: kept.calculatedSize, hits, misses }),
  }
}
