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
