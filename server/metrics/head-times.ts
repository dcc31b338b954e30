/** Times of heads. They show whether the newest head is still current, and how far an index may be behind it. */
export interface HeadTimes {
  /** A new head, or after a revert an older one. */
  seen(seqno: number): void
  /** Seconds since the last new head. */
  age(): number
  /**
   * The seqno that an index has reached if it is less than `within` seconds behind: that of the newest head that is at least so old, or of the first
   * head if that is younger; -1 before the first head.
   */
  floor(): number
}

/** Largest number of heads in memory within the time. More would add nothing. */
const STEPS = 500

/** `within` in seconds; `ticks`: monotonic milliseconds. */
export const createHeadTimes = (within: number, ticks: () => number): HeadTimes => {
  const window = within * 1000
  const heads: { readonly seqno: number; readonly at: number }[] = []
  let last = ticks()
  const prune = (now: number): void => {
    while (heads.length > 1 && heads[1]!.at <= now - window) heads.shift()
  }
  return {
    seen(seqno) {
      last = ticks()
      while (heads.length > 0 && heads.at(-1)!.seqno >= seqno) heads.pop()
      const before = heads.at(-1)
      if (before === undefined || last - before.at >= window / STEPS) heads.push({ seqno, at: last })
      prune(last)
    },
    age: () => (ticks() - last) / 1000,
    floor() {
      prune(ticks())
      return heads[0]?.seqno ?? -1
    },
  }
}
