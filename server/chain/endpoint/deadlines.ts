import { createAbortController } from '../../base/abort.ts'

export interface Deadlines {
  /** Signal for a query that starts now. It is aborted with a TimeoutError after the limit (up to a second later), or with the reason of `close`. */
  signal(): AbortSignal
  close(reason: Error): void
}

/** Queries that start within this many milliseconds share a signal, because a controller and a timer for each query cost more than a small answer. */
const SHARED_MS = 1_000

export const createDeadlines = (queryMs: number): Deadlines => {
  const live = new Map<AbortController, NodeJS.Timeout>()
  let present: { readonly controller: AbortController; readonly until: number } | undefined
  return {
    signal() {
      const now = performance.now()
      if (present === undefined || now > present.until) {
        const controller = createAbortController()
        const shared = Math.min(SHARED_MS, queryMs)
        present = { controller, until: now + shared }
        const end = (): void => {
          live.delete(controller)
          if (present?.controller === controller) present = undefined
          controller.abort(new DOMException('the query took too long', 'TimeoutError'))
        }
        live.set(controller, setTimeout(end, queryMs + shared).unref())
      }
      return present.controller.signal
    },
    close(reason) {
      for (const [controller, timer] of live) {
        clearTimeout(timer)
        controller.abort(reason)
      }
      live.clear()
      present = undefined
    },
  }
}
