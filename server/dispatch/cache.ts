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

/** Memory of an entry beyond its text: the Map's slot, the object, two string headers. */
const OVERHEAD = 160

export const createCache = <V>(limits: CacheLimits): Cache<V> => {
  // A Map iterates in the order of insertion, so an entry that is used is deleted and inserted again.
  const entries = new Map<string, { readonly value: V; readonly weight: number }>()
  let newest: string | undefined
  let bytes = 0
  let hits = 0
  let misses = 0
  const drop = (key: string, weight: number): void => {
    entries.delete(key)
    bytes -= weight
  }
  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) {
        misses++
        return undefined
      }
      hits++
      if (key !== newest) {
        entries.delete(key)
        entries.set(key, entry)
        newest = key
      }
      return entry.value
    },
    set(key, value, size) {
      const weight = size + key.length + OVERHEAD
      const present = entries.get(key)
      if (present) drop(key, present.weight)
      if (weight > limits.bytes / 8) return
      entries.set(key, { value, weight })
      newest = key
      bytes += weight
      for (const [oldest, entry] of entries) {
        if (bytes <= limits.bytes && entries.size <= limits.entries) break
        drop(oldest, entry.weight)
      }
    },
    clear() {
      entries.clear()
      bytes = 0
    },
    stats: () => ({ entries: entries.size, bytes, hits, misses }),
  }
}
