/** Get-methods under way at once: the TVM's threads stay busy and its queue short. */
const AT_ONCE = 16

/** Maps with a bound on how many run at once; results in the order of the items. The first failure ends it. */
export const inParallel = async <T, R>(items: readonly T[], run: (item: T) => Promise<R>, atOnce = AT_ONCE): Promise<R[]> => {
  if (items.length === 0) return []
  const results: R[] = new Array(items.length)
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++
      results[at] = await run(items[at]!)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  return results
}
