import { createPauses, yieldToEventLoop } from './yield.ts'

/** Default number of parallel runs. For get-methods, it is enough to use all threads of the TVM, with a short queue. */
const AT_ONCE = 16
/** Number of runs that begin in the first event-loop turn. */
const AT_FIRST = 4

/**
 * Maps items with at most `atOnce` runs in parallel. It yields to the event loop in between: quick get-methods end in the turn in which they begin, and one
 * block can have hundreds of contracts whose results take milliseconds to read. Results are in the order of the items. Rejects with the first
 * failure.
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
