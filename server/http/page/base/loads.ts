/** Loads of one view, one at a time. */
export interface Loads {
  /** Loads once more, but not while a load runs: then it is loaded again after that one. */
  ask(): void
  /** Cuts off the load that runs, and asks for no other. */
  end(): void
}

/** How a load ended. `unanswered`: the service did not answer, so the load is tried again by itself. */
export type LoadEnd = 'answered' | 'unanswered'

/** Longest pause before a load that had no answer is tried again, in milliseconds. */
const LONGEST = 30_000

/**
 * Calls `load` each time that it is asked for, with at least `least` milliseconds between two starts. A load that runs is never cut off by the next one, so
 * that a view whose load takes longer than a block gets its answer. A load that had no answer is tried again after `least` milliseconds, then after
 * pauses that double up to half a minute, while `isSeen()`. `load` must not reject.
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
    timer = setTimeout(start, milliseconds)
  }
  const ask = (): void => {
    if (leaving.signal.aborted || due) return
    due = true
    // A pause after a failure ends here: whoever asks has a reason to expect an answer.
    if (!isLoading) startIn(Math.max(0, last + least - Date.now()))
  }
  const start = async (): Promise<void> => {
    // Nobody sees the view: it is asked again when somebody does.
    if (!due && !isSeen()) return
    due = false
    isLoading = true
    last = Date.now()
    const end = await load(leaving.signal)
    isLoading = false
    failures = end === 'unanswered' ? failures + 1 : 0
    if (leaving.signal.aborted) return
    if (due) startIn(Math.max(0, last + least - Date.now()))
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
