/** The largest gen_utime of a block, unix seconds. */
export const MAX_TIME = 0xffff_ffff

/** The chain's time in unix seconds: the machine's plus an offset, never before the last block's, never after MAX_TIME. */
export interface ChainClock {
  /** Time of the next block; `last` is the time of the last one. */
  now(last: number): number
  /** Gives the next block the time `utime`; time continues from there. `isStill`: all further blocks have that time. */
  set(utime: number, isStill?: boolean): void
  increase(seconds: number): void
  /** To be called after each block: a time given to `set` has been used. */
  tick(): void
  /** Seconds that the chain's time is ahead of the machine's. */
  offset(): number
  /** The time at which the clock stands still; undefined while it runs. */
  stillAt(): number | undefined
  /** Lets the clock run again with an offset, or stand still. */
  restore(to: ClockState): void
}

/** What is stored of a clock. */
export interface ClockState {
  readonly offset: number
  /** Absent while it runs. */
  readonly stillAt?: number | undefined
}

/** `machine` gives the machine's unix seconds. */
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
