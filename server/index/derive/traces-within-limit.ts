/** Returns the first traces with at most `most` transactions together, but always at least one trace. */
export const firstTraces = <T extends { readonly nodes: number }>(found: readonly T[], most: number): readonly T[] => {
  let left = most
  return found.filter(({ nodes }, i) => {
    left -= nodes
    return i === 0 || left >= 0
  })
}
