/** Runs a task once it is its turn. Rejects if `signal` was aborted before that. */
type InTurn = <T>(signal: AbortSignal, task: () => Promise<T>) => Promise<T>

/** Runs at most `most` tasks at a time; the others wait, the first come first. */
export const createTurns = (most: number): InTurn => {
  let free = most
  const waiting: (() => void)[] = []
  return async (signal, task) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      signal.throwIfAborted()
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
