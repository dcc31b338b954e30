/** `unanswered`: the service did not respond, so the load is retried automatically. */
export type LoadEnd = 'answered' | 'unanswered'

/** Maximum milliseconds before a load without a response is retried. */
const LONGEST = 30_000

/**
 * Calls `load` each time `ask` is called, with at least `least` milliseconds between two starts. A new request never aborts the running load, so a view
 * whose load takes longer than a block still gets its answer. A load without a response is retried after `least` milliseconds; each further pause doubles,
 * up to half a minute. Retries wait while `isSeen()` is false. `load` must not reject.
 */
export const createLoads = (load: (signal: AbortSignal) => Promise<LoadEnd>, least: number, isSeen: () => boolean = () => true) => {
  const leaving = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLoading = false
  let due = false
  let last = Number.NEGATIVE_INFINITY
  let failures = 0

  const startIn = (milliseconds: number): void => {
    clearTimeout(timer)
    if (milliseconds > 0) timer = setTimeout(start, milliseconds)
    else void start()
  }
  /** Requests a load. If a load is running, the next load starts after it. */
  const ask = (): void => {
    if (leaving.signal.aborted || due) return
    due = true
    // An explicit request also ends the pause after a failure, because the caller has a reason to expect a response.
    if (!isLoading) startIn(last + least - Date.now())
  }
  const start = async (): Promise<void> => {
    // A retry waits until the view is visible.
    if (!due && !isSeen()) return
    due = false
    isLoading = true
    last = Date.now()
    const end = await load(leaving.signal)
    isLoading = false
    failures = end === 'unanswered' ? failures + 1 : 0
    if (leaving.signal.aborted) return
    if (due) startIn(last + least - Date.now())
    else if (failures > 0) startIn(Math.min(least * 2 ** (failures - 1), LONGEST))
  }
  return {
    ask,
    end(): void {
      clearTimeout(timer)
      leaving.abort()
    },
  }
}

export type Loads = ReturnType<typeof createLoads>
