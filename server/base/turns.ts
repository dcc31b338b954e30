/** Runs a piece of work when its turn comes, and resolves with its result. The synchronous part of the work should take a few milliseconds at most. */
export type Turn = <T>(work: () => T | Promise<T>) => Promise<T>

/**
 * Shares the event loop between long computations. Pieces of work run in the order in which they were given. After about `ms` milliseconds of them,
 * everything else that waits gets a turn of the event loop.
 */
export const createTurns = (ms: number): Turn => {
  const waiting: (() => void)[] = []
  let isDue = false
  const run = (): void => {
    const until = performance.now() + ms
    let count = 0
    while (count < waiting.length && (count === 0 || performance.now() < until)) waiting[count++]!()
    waiting.splice(0, count)
    isDue = waiting.length > 0
    if (isDue) setImmediate(run)
  }
  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push(() => {
        try {
          resolve(work())
        } catch (error) {
          reject(error)
        }
      })
      if (isDue) return
      isDue = true
      setImmediate(run)
    })
}
