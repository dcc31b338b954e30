/** Groups values by key. The names of the groups are like a set. */
export const createGroups = <V>() => {
  const groups = new Map<string, Set<V>>()
  return {
    add(key: string, value: V): void {
      const group = groups.get(key) ?? new Set()
      groups.set(key, group.add(value))
    },
    delete(key: string, value: V): void {
      const group = groups.get(key)
      group?.delete(value)
      if (group?.size === 0) groups.delete(key)
    },
    of: (key: string): readonly V[] => [...(groups.get(key) ?? [])],
    clear: (): void => groups.clear(),
    has: (key: string): boolean => groups.has(key),
    get size() {
      return groups.size
    },
    [Symbol.iterator]: () => groups.keys(),
  }
}
