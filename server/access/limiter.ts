import type { LimitsTrouble } from '../metrics/figures.ts'
import { isUnbounded } from './bucket-names.ts'
import { chargeTo, createWindow, TICKS, takeFrom, type Window } from './window.ts'

export interface Limiter {
  /**
   * Takes `weight` units of a bucket that allows `limit` units in any second. Returns false if they exceed the limit, and a promise if another process
   * counts. Throws UNAVAILABLE if units cannot be counted and the settings do not allow uncounted calls.
   */
  take(bucket: string, limit: number, weight: number): boolean | Promise<boolean>
  /** Counts units of finished work. Never refuses, but reduces the units of the next second. At most `limit` units are counted. */
  charge(bucket: string, limit: number, units: number): void
  /** undefined while units are counted as the settings say. */
  trouble?(): LimitsTrouble | undefined
  close(): Promise<void>
}

/**
 * Number of buckets that are counted at the same time, above which calls from further addresses are refused until a counted client has sent nothing for a
 * second. Buckets of owners are always counted: only operators make them.
 */
const MAX_BUCKETS = 200_000

/** Limiter that counts in this process. `now` returns monotonic milliseconds. */
export const createMemoryLimiter = (now: () => number, most = MAX_BUCKETS) => {
  const windows = new Map<string, Window>()
  const tick = (): number => Math.floor(now() * (TICKS / 1000))
  let sweptAt = tick()

  /** undefined for a further client address while too many buckets are counted. */
  const find = (bucket: string, at: number): Window | undefined => {
    if (at - sweptAt > TICKS) {
      for (const [each, { ticks }] of windows) if (at - (ticks.at(-1) ?? 0) > TICKS) windows.delete(each)
      sweptAt = at
    }
    const found = windows.get(bucket)
    if (found !== undefined || (windows.size >= most && isUnbounded(bucket))) return found
    const window = createWindow()
    windows.set(bucket, window)
    return window
  }

  return {
    take(bucket: string, limit: number, weight: number): boolean {
      const at = tick()
      const window = find(bucket, at)
      return window !== undefined && takeFrom(window, at, limit, weight)
    },
    charge(bucket: string, limit: number, units: number): void {
      const at = tick()
      const window = find(bucket, at)
      if (window !== undefined) chargeTo(window, at, limit, units)
    },
    size: () => windows.size,
    close: async (): Promise<void> => {},
  }
}
