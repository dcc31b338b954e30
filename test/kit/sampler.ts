/**
 * Gives all values of a kind to the first that asks for them, and `some` to each later one, in turn. For parameters of many methods: what a value does
 * depends on its kind, and that each parameter has its kind is seen by some of the values.
 */
export const createSampler = (some: number) => {
  const places = new Map<string, number>()
  return <T>(kind: string, values: readonly T[]): readonly T[] => {
    const place = places.get(kind)
    places.set(kind, (place ?? 0) + (place === undefined ? 0 : some))
    if (place === undefined || values.length <= some) return values
    return Array.from({ length: some }, (_, i) => values[(place + i) % values.length]!)
  }
}
