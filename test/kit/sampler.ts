/**
 * Makes a function that picks values to try. Its first call for a kind returns all of them, each later call for that kind the next `some`. For tests of many
 * parameters: one of a kind is tried with every value, and the others with enough of them to show that they are of this kind.
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
