/** Runs at most `lanes` tasks in parallel and starts them in the order of the calls. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>

export const createLimiter = (lanes: number): Limiter => {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= lanes) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // The lane goes to the next waiting task, or becomes free.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
