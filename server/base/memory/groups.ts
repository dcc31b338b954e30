/** Values by a key. */
export interface Groups<V> {
  add(key: string, value: V): void
  delete(key: string, value: V): void
  /** The values of a key, in the order in which they were added. */
  of(key: string): readonly V[]
  clear(): void
}

/** Groups of which most have one value: that is kept as it is, because a Set of one takes 150 bytes. A value is no Set. */
export const createGroups = <V>(): Groups<V> => {
  const groups = new Map<string, V | Set<V>>()
  return {
    add(key, value) {
      const known = groups.get(key)
      if (known instanceof Set) known.add(value)
      else if (known === undefined) groups.set(key, value)
      else if (known !== value) groups.set(key, new Set([known, value]))
    },
    delete(key, value) {
      const known = groups.get(key)
      if (known instanceof Set) {
        known.delete(value)
        if (known.size === 0) groups.delete(key)
      } else if (known === value) groups.delete(key)
    },
    of(key) {
      const known = groups.get(key)
      return known === undefined ? [] : known instanceof Set ? [...known] : [known]
    },
    clear: () => groups.clear(),
  }
}
