/** Returns the first of these traces, with at most `most` transactions together. The very first trace is always returned, whatever its size. */
export const firstTraces = <T extends { readonly nodes: number }>(found: readonly T[], most: number): readonly T[] => {
  let left = most
  return found.filter(({ nodes }, i) => {
    left -= nodes
    return i === 0 || left >= 0
  })
}
