/** A map that keeps only its newest `limit` entries. For an entry that is missing, the caller asks the original source. */
export const createBounded = <V>(limit: number): Pick<Map<string, V>, 'get' | 'set' | 'delete'> => {
  const map = new Map<string, V>()
  return {
    get: (key) => map.get(key),
    delete: (key) => map.delete(key),
    set(key, value) {
      if (map.size >= limit) map.delete(map.keys().next().value!)
      map.set(key, value)
      return map
    },
  }
}
