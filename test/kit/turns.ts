import { existsSync, openSync, readSync } from 'node:fs'

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

/** Works for this many milliseconds. */
export const busy = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** Counts how often something happens in one turn of the event loop. */
export const countPerTurn = () => {
  const turns = countTurns()
  const counts = new Map<number, number>()
  return {
    see: (): unknown => counts.set(turns.count(), (counts.get(turns.count()) ?? 0) + 1),
    all: (): number => [...counts.values()].reduce((sum, count) => sum + count, 0),
    /** Ends the counting, and returns the largest number. */
    most(): number {
      turns.stop()
      return Math.max(...counts.values())
    },
  }
}

/** Linux: the first number is the time in nanoseconds for which this thread was on a processor. */
const SCHEDSTAT = `/proc/${process.pid}/task/${process.pid}/schedstat`
const schedstat = existsSync(SCHEDSTAT) ? openSync(SCHEDSTAT, 'r') : undefined
const text = Buffer.alloc(64)

/** Milliseconds of processor time of the main thread, so that what a busy machine does meanwhile is not counted. Without Linux: of time that passes. */
export const threadTime = (): number => {
  if (schedstat === undefined) return performance.now()
  return Number.parseInt(text.toString('latin1', 0, readSync(schedstat, text, 0, text.length, 0)), 10) / 1e6
}

/** The longest turn of the event loop until the work has ended, and all turns of it, in milliseconds of the main thread. It takes no rest meanwhile. */
export const timeTurns = async (work: () => Promise<unknown>): Promise<{ readonly longest: number; readonly all: number }> => {
  const began = threadTime()
  let [longest, last, isOver] = [0, began, false]
  const tick = (): void => {
    const now = threadTime()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  isOver = true
  const ended = threadTime()
  return { longest: Math.max(longest, ended - last), all: ended - began }
}
