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

/** Counters of asked keys; a power of two. Two keys may share one, which does no harm: a value is then kept that need not be. */
const COUNTERS = 1 << 16
/** After so many keys the counters start anew, so that they do not fill up. */
const MOST_ASKED = COUNTERS >> 1

/** Counts how often keys are asked for, up to twice. */
class Asked {
  readonly #counters = new Uint8Array(COUNTERS)
  #count = 0
  /** The last key and its place: a key that was added is often asked about next. */
  #lastKey = ''
  #lastPlace = placeOf('')

  add(key: string): void {
    if (++this.#count > MOST_ASKED) this.clear()
    const at = this.#placeOf(key)
    if (this.#counters[at]! < 2) this.#counters[at]!++
  }
  isTwice(key: string): boolean {
    return this.#counters[this.#placeOf(key)] === 2
  }
  #placeOf(key: string): number {
    if (key === this.#lastKey) return this.#lastPlace
    this.#lastKey = key
    this.#lastPlace = placeOf(key)
    return this.#lastPlace
  }
  clear(): void {
    if (this.#count > 0) this.#counters.fill(0)
    this.#count = 0
  }
}

/** FNV-1a. Its low bits are well mixed. */
const placeOf = (key: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 16)) & (COUNTERS - 1)
}

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
