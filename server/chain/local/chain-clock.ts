/** The last moment that a block can tell. */
export const MAX_TIME = 0xffff_ffff

/** The chain's time: the machine's, moved by its owner, never before the last block's; it stands still at MAX_TIME. Unix seconds. */
export interface ChainClock {
  /** Time for a block after one made at `last`. */
  now(last: number): number
  /** The next block is made at `utime`, and time goes on from there. */
  set(utime: number): void
  increase(seconds: number): void
  /** To be called when a block was made: a time that was set has been used. */
  tick(): void
  /** How far the chain's time is ahead of the machine's. */
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
