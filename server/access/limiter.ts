import type { LimitsBackend } from '../metrics/figures.ts'
import { isUnbounded } from './buckets.ts'
import { chargeTo, createWindow, TICKS, takeFrom, type Window } from './window.ts'

/** Counts units against limits. */
export interface Limiter {
  /**
   * Takes `weight` units of `bucket`, which allows `limit` units in any second. Returns true, or false if they do not fit; a promise if another
   * process counts. Throws UNAVAILABLE if units cannot be counted and must not pass uncounted.
   */
  take(bucket: string, limit: number, weight: number): boolean | Promise<boolean>
  /** Counts units of finished work. It refuses nothing, but leaves less room in the next second. At most `limit` units count. */
  charge(bucket: string, limit: number, units: number): void
  /** Where units are counted at the moment. */
  place(): LimitsBackend
  close(): Promise<void>
}

/** Client addresses counted at once. Calls of further addresses are refused until others have been quiet for a second. */
const MAX_ADDRESSES = 200_000

interface Generations {
  find(bucket: string, make: boolean): Window | undefined
  turn(): void
  size(): number
}

/** Windows by bucket in two generations. A window that is unused for a whole generation is dropped; a generation is longer than a window. */
const createGenerations = (): Generations => {
  let young = new Map<string, Window>()
  let old = new Map<string, Window>()
  return {
    find(bucket, make) {
      const present = young.get(bucket)
      if (present) return present
      const window = old.get(bucket) ?? (make ? createWindow() : undefined)
      if (window) {
        young.set(bucket, window)
        old.delete(bucket)
      }
      return window
    },
    turn() {
      old = young
      young = new Map()
    },
    size: () => young.size + old.size,
  }
}

export interface MemoryLimiter extends Limiter {
  take(bucket: string, limit: number, weight: number): boolean
  /** Buckets in memory. */
  size(): number
}

/** Counts in this process. `now`: milliseconds; if the clock goes back, time stands still instead. */
export const createMemoryLimiter = (now: () => number, mostAddresses = MAX_ADDRESSES): MemoryLimiter => {
  const addresses = createGenerations()
  const owners = createGenerations()
  let last = Math.floor(now() * (TICKS / 1000))
  let behind = 0
  let turned = last

  /** The present tick. */
  const tick = (): number => {
    const current = Math.floor(now() * (TICKS / 1000)) + behind
    if (current < last) behind += last - current
    else last = current
    return last
  }

  /** The window of a bucket; undefined if there are too many. */
  const find = (bucket: string, at: number): Window | undefined => {
    if (at - turned > TICKS) {
      addresses.turn()
      owners.turn()
      turned = at
    }
    return isUnbounded(bucket) ? addresses.find(bucket, addresses.size() < mostAddresses) : owners.find(bucket, true)
  }

  return {
    take(bucket, limit, weight) {
      const at = tick()
      const window = find(bucket, at)
      return window !== undefined && takeFrom(window, at, limit, weight)
    },
    charge(bucket, limit, units) {
      const at = tick()
      const window = find(bucket, at)
      if (window !== undefined) chargeTo(window, at, limit, units)
    },
    size: () => addresses.size() + owners.size(),
    place: () => 'memory',
    close: async () => {},
  }
}
