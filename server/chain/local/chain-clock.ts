/** Maximum gen_utime of a block, unix seconds. */
export const MAX_TIME = 0xffff_ffff

/** The chain's time in unix seconds: the machine's time plus an offset. Never before the last block's time, and never after MAX_TIME. */
export interface ChainClock {
  now(last: number): number
  /** Sets the time of the next block; the clock continues from there. `isStill`: all later blocks get the same time. */
  set(utime: number, isStill?: boolean): void
  increase(seconds: number): void
  /** Must be called after each block. Clears a time from `set`, which applies to one block only. */
  tick(): void
  /** Seconds from the machine's time to the chain's time. */
  offset(): number
  /** The time at which the clock is stopped; undefined while the clock runs. */
  stillAt(): number | undefined
  restore(to: ClockState): void
}

export interface ClockState {
  readonly offset: number
  /** Absent while the clock runs. */
  readonly stillAt?: number | undefined
}

/** `machine`: returns unix seconds. */
export const createChainClock = (machine: () => number): ChainClock => {
  let offset = 0
  let next: number | undefined
  let still = false
  return {
    now: (last) => Math.min(Math.max(next ?? machine() + offset, last), MAX_TIME),
    set: (utime, isStill = false) => {
      next = utime
      still = isStill
      offset = utime - machine()
    },
    increase: (seconds) => {
      offset += seconds
      if (next !== undefined) next += seconds
    },
    tick: () => {
      if (still) return
      if (next !== undefined) offset = next - machine()
      next = undefined
    },
    offset: () => (next === undefined ? offset : next - machine()),
    stillAt: () => (still ? next : undefined),
    restore: (to) => {
      offset = to.offset
      next = to.stillAt
      still = next !== undefined
    },
  }
}
