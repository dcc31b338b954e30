/** Get-methods that run in parallel: enough to keep the TVM's threads busy, with a short queue. */
const AT_ONCE = 16

/** Maps items with at most `atOnce` runs in parallel. Results are in the order of the items. Rejects with the first failure. */
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
