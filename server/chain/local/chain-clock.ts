/** Maximum gen_utime of a block, unix seconds. */
export const MAX_TIME = 0xffff_ffff

export interface ClockState {
  readonly offset: number
  /** Absent while the clock runs. */
  readonly stillAt?: number | undefined
}

/**
 * The chain's time in unix seconds: the machine's time (`machine`) plus an offset. Never before the last block's time, and never after MAX_TIME.
 */
export const createChainClock = (machine: () => number) => {
  let offset = 0
  let next: number | undefined
  let still = false
  return {
    now: (last: number): number => Math.min(Math.max(next ?? machine() + offset, last), MAX_TIME),
    /** Sets the time of the next block; the clock continues from there. `isStill`: all later blocks get the same time. */
    set: (utime: number, isStill = false): void => {
      next = utime
      still = isStill
      offset = utime - machine()
    },
    increase: (seconds: number): void => {
      offset += seconds
      if (next !== undefined) next += seconds
    },
    /** Must be called after each block. Clears a time from `set`, which applies to one block only. */
    tick: (): void => {
      if (still) return
      if (next !== undefined) offset = next - machine()
      next = undefined
    },
    /** Seconds from the machine's time to the chain's time. */
    offset: (): number => (next === undefined ? offset : next - machine()),
    /** The time at which the clock is stopped; undefined while the clock runs. */
    stillAt: (): number | undefined => (still ? next : undefined),
    restore: (to: ClockState): void => {
      offset = to.offset
      next = to.stillAt
      still = next !== undefined
    },
  }
}
export type ChainClock = ReturnType<typeof createChainClock>
