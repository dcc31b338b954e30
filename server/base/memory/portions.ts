/** Splits a list into portions of `size` items; the last one can be smaller. */
export function* portionsOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

/** Splits a list into portions whose sizes add up to at most `most`. A larger item is a portion of its own. */
export function* portionsWithin<T>(items: readonly T[], most: number, sizeOf: (item: T) => number): Generator<readonly T[]> {
  let portion: T[] = []
  let sum = 0
  for (const item of items) {
    const size = sizeOf(item)
    sum += size
    if (portion.length > 0 && sum > most) {
      yield portion
      portion = []
      sum = size
    }
    portion.push(item)
  }
  if (portion.length > 0) yield portion
}
