/** The names of the groups are like a set. */
export interface Groups<V> extends Pick<ReadonlySet<string>, 'has' | 'size' | typeof Symbol.iterator> {
  add(key: string, value: V): void
  delete(key: string, value: V): void
  of(key: string): readonly V[]
  clear(): void
}

/** Groups values by key. */
export const createGroups = <V>(): Groups<V> => {
  const groups = new Map<string, Set<V>>()
  return {
    add(key, value) {
      const group = groups.get(key) ?? new Set()
      groups.set(key, group.add(value))
    },
    delete(key, value) {
      const group = groups.get(key)
      group?.delete(value)
      if (group?.size === 0) groups.delete(key)
    },
    of: (key) => [...(groups.get(key) ?? [])],
    clear: () => groups.clear(),
    has: (key) => groups.has(key),
    get size() {
      return groups.size
    },
    [Symbol.iterator]: () => groups.keys(),
  }
}
