/** Loads of one view, one at a time. */
export interface Loads {
  /** Loads once more, but not while a load runs: then it is loaded again after that one. */
  ask(): void
  /** Cuts off the load that runs, and asks for no other. */
  end(): void
}

/**
 * Calls `load` each time that it is asked for, with at least `least` milliseconds between two starts. A load that runs is never cut off by the next one, so
 * that a view whose load takes longer than a block gets its answer. `load` must not reject.
 */
export const createLoads = (load: (signal: AbortSignal) => Promise<void>, least: number): Loads => {
  const leaving = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLoading = false
  let due = false
  let last = Number.NEGATIVE_INFINITY

  const ask = (): void => {
    due = true
    if (isLoading || timer !== undefined || leaving.signal.aborted) return
    timer = setTimeout(start, Math.max(0, last + least - Date.now()))
  }
  const start = async (): Promise<void> => {
    timer = undefined
    due = false
    isLoading = true
    last = Date.now()
    await load(leaving.signal)
    isLoading = false
    if (due) ask()
  }
  return {
    ask,
    end() {
      clearTimeout(timer)
      leaving.abort()
    },
  }
}
