/** The largest gen_utime of a block, unix seconds. */
export const MAX_TIME = 0xffff_ffff

/** The chain's time in unix seconds: the machine's plus an offset, never before the last block's, never after MAX_TIME. */
export interface ChainClock {
  /** Time of the next block; `last` is the time of the last one. */
  now(last: number): number
  /** Gives the next block the time `utime`; time continues from there. */
  set(utime: number): void
  increase(seconds: number): void
  /** To be called after each block: a time given to `set` has been used. */
  tick(): void
  /** Seconds that the chain's time is ahead of the machine's. */
  offset(): number
  setOffset(seconds: number): void
}

/** `machine` gives the machine's unix seconds. */
export const createChainClock = (machine: () => number): ChainClock => {
  let offset = 0
  let next: number | undefined
  return {
    now: (last) => Math.min(Math.max(next ?? machine() + offset, last), MAX_TIME),
    set: (utime) => {
      next = utime
      offset = utime - machine()
    },
    increase: (seconds) => {
      offset += seconds
      if (next !== undefined) next += seconds
    },
    tick: () => {
      if (next !== undefined) offset = next - machine()
      next = undefined
    },
    offset: () => (next === undefined ? offset : next - machine()),
    setOffset: (seconds) => {
      offset = seconds
      next = undefined
    },
  }
}
