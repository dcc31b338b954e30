/** Turns of the event loop, counted from now on. */
export interface Turns {
  count(): number
  /** Ends the counting, so that the process is idle again. */
  stop(): void
}

export const countTurns = (): Turns => {
  let turns = 0
  let isOver = false
  const tick = (): void => {
    turns++
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  return {
    count: () => turns,
    stop() {
      isOver = true
    },
  }
}

/** The longest turn of the event loop until the work has ended, and all of it, in milliseconds. */
export const timeTurns = async (work: () => Promise<unknown>): Promise<{ readonly longest: number; readonly all: number }> => {
  const began = performance.now()
  let [longest, last, isOver] = [0, began, false]
  const tick = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  isOver = true
  const ended = performance.now()
  return { longest: Math.max(longest, ended - last), all: ended - began }
}
