/** A map that forgets what was not used for the longest time. */
export interface Lru<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
  delete(key: string): void
  clear(): void
  readonly size: number
}

/** Keeps at most `limit` entries, and (given both) entries of at most `maxCost` together. */
export const createLru = <V>(limit: number, maxCost = Number.POSITIVE_INFINITY, costOf: (value: V) => number = () => 0): Lru<V> => {
  const entries = new Map<string, V>()
  let cost = 0
  const remove = (key: string): void => {
    const old = entries.get(key)
    if (old === undefined) return
    cost -= costOf(old)
    entries.delete(key)
  }
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key, value) {
      remove(key)
      entries.set(key, value)
      cost += costOf(value)
      while (entries.size > limit || (cost > maxCost && entries.size > 1)) remove(entries.keys().next().value as string)
    },
    delete: remove,
    clear() {
      entries.clear()
      cost = 0
    },
    get size() {
      return entries.size
    },
  }
}
