import type { LimitsPlace } from '../metrics/figures.ts'
import { isUnbounded } from './buckets.ts'
import { chargeTo, createWindow, TICKS, takeFrom, type Window } from './window.ts'

/** Counts units against limits. */
export interface Limiter {
  /**
   * Takes `weight` units of `bucket`, of which any second may see `limit`: true, or false where they do not fit. Rejects with UNAVAILABLE where
   * nothing can be counted and nothing may pass uncounted. A promise where it is counted elsewhere.
   */
  take(bucket: string, limit: number, weight: number): boolean | Promise<boolean>
  /** Counts units of work that is done already: refuses nothing, but leaves less room for what comes within the next second. At most `limit` of them count. */
  charge(bucket: string, limit: number, units: number): void
  /** Where it counts at the moment. */
  place(): LimitsPlace
  close(): Promise<void>
}

/** Client addresses that are counted at once; of further ones nothing passes until others have been quiet for a second. */
const MOST_ADDRESSES = 200_000

interface Generations {
  find(bucket: string, make: boolean): Window | undefined
  turn(): void
  size(): number
}

/** Windows by bucket in two generations: one that was not asked for during a whole turn is dropped, and a turn is longer than a window. */
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

/** Counts in this process. `now`: milliseconds; a clock that goes back is taken to have stood still. */
export const createMemoryLimiter = (now: () => number, mostAddresses = MOST_ADDRESSES): MemoryLimiter => {
  const addresses = createGenerations()
  const owners = createGenerations()
  let last = Math.floor(now() * (TICKS / 1000))
  let behind = 0
  let turned = last

  /** The present tick. */
  const tick = (): number => {
    const told = Math.floor(now() * (TICKS / 1000)) + behind
    if (told < last) behind += last - told
    else last = told
    return last
  }

  /** The window of a bucket; undefined where there are too many. */
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
