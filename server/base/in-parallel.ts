import { createPauses, yieldToEventLoop } from './yield.ts'

/** Default number of parallel runs. It suffices to use all threads of the TVM with get-methods. */
const AT_ONCE = 16
/** Number of runs that begin in the first event-loop turn. */
const AT_FIRST = 4

/**
 * Maps items with at most `atOnce` runs in parallel. Yields to the event loop in between, because hundreds of quick get-methods would otherwise run in one
 * turn. Results are in the order of the items. Rejects with the first failure.
 */
export const inParallel = async <T, R>(items: readonly T[], run: (item: T) => Promise<R>, atOnce = AT_ONCE): Promise<R[]> => {
  if (items.length === 0) return []
  const results: R[] = new Array(items.length)
  let next = 0
  const pause = createPauses()
  const worker = async (begins: Promise<void> | undefined): Promise<void> => {
    if (begins !== undefined) await begins
    while (next < items.length) {
      const at = next++
      results[at] = await run(items[at]!)
      const paused = pause()
      if (paused !== undefined) await paused
    }
  }
  const workers = Array.from({ length: Math.min(atOnce, items.length) }, (_, i) => worker(i < AT_FIRST ? undefined : yieldToEventLoop()))
  await Promise.all(workers)
  return results
}
