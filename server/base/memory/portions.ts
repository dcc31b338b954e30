/** Splits a list into portions of `size` items; the last one can be smaller. */
export function* portionsOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
