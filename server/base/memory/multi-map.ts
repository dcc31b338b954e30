/** Groups values by key. A key with a single value has no Set, which would take 150 bytes. So values must not be Sets themselves. */
export const createGroups = <V>() => {
  const groups = new Map<string, V | Set<V>>()
  return {
    add(key: string, value: V): void {
      const group = groups.get(key)
      if (group instanceof Set) group.add(value)
      else if (group === undefined) groups.set(key, value)
      else if (group !== value) groups.set(key, new Set([group, value]))
    },
    delete(key: string, value: V): void {
      const group = groups.get(key)
      if (group instanceof Set) {
        group.delete(value)
        if (group.size === 0) groups.delete(key)
      } else if (group === value) groups.delete(key)
    },
    of(key: string): readonly V[] {
      const group = groups.get(key)
      return group === undefined ? [] : group instanceof Set ? [...group] : [group]
    },
    clear: (): void => groups.clear(),
  }
}
