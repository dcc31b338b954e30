import { createPauses, yieldToEventLoop } from './yield.ts'

/** Default number of parallel runs. It suffices to use all threads of the TVM with get-methods. */
const AT_ONCE = 16

/**
 * Maps items with at most `atOnce` runs in parallel. Yields to the event loop in between, because hundreds of quick get-methods would otherwise run in one
 * turn. Results are in the order of the items. Rejects with the first failure, after which no run begins.
 */
export const inParallel = async <T, R>(items: readonly T[], run: (item: T) => Promise<R>, atOnce = AT_ONCE): Promise<R[]> => {
  const results: R[] = new Array(items.length)
  let next = 0
  const pause = createPauses()
  const worker = async (): Promise<void> => {
    await yieldToEventLoop()
    while (next < items.length) {
      const at = next++
      results[at] = await run(items[at]!)
      await pause()
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker)).finally(() => {
    next = items.length
  })
  return results
}

/** Returns a function that runs tasks, at most `lanes` at a time, in the order of its calls. */
export const createLanes = (lanes: number) => {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= lanes) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
