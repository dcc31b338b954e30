/** Groups values by key. */
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
  }
}
