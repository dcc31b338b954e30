/** Loads of one view, one at a time. */
export interface Loads {
  /** Loads once more. If a load is running, the next one starts after it. */
  ask(): void
  /** Aborts the running load and starts no other. */
  end(): void
}

/** How a load ended. `unanswered`: the service did not answer, so the load is repeated automatically. */
export type LoadEnd = 'answered' | 'unanswered'

/** Longest pause before a load that had no answer is tried again, in milliseconds. */
const LONGEST = 30_000

/**
 * Calls `load` each time `ask` is called, with at least `least` milliseconds between two starts. A running load is never aborted by the next one, so a view
 * whose load takes longer than a block still gets its answer. A load without an answer is repeated after `least` milliseconds, then after pauses that double
 * up to half a minute, while `isSeen()`. `load` must not reject.
 */
export const createLoads = (load: (signal: AbortSignal) => Promise<LoadEnd>, least: number, isSeen: () => boolean = () => true): Loads => {
  const leaving = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLoading = false
  let due = false
  let last = Number.NEGATIVE_INFINITY
  /** Loads in a row that had no answer. */
  let failures = 0

  const startIn = (milliseconds: number): void => {
    clearTimeout(timer)
    if (milliseconds > 0) timer = setTimeout(start, milliseconds)
    else void start()
  }
  const ask = (): void => {
    if (leaving.signal.aborted || due) return
    due = true
    // This ends the pause after a failure: the caller has a reason to expect an answer.
    if (!isLoading) startIn(last + least - Date.now())
  }
  const start = async (): Promise<void> => {
    // Nobody sees the view. The load is repeated when somebody does.
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
    end() {
      clearTimeout(timer)
      leaving.abort()
    },
  }
}
