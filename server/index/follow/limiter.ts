/** Runs at most `lanes` of what it is given at once, in the order in which it came. */
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
      // The place goes to the next one, or is given up.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
