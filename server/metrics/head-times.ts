/** When heads came: whether the newest is still the present, and how far an index may be behind it. */
export interface HeadTimes {
  /** A new head, or after a revert an older one. */
  seen(seqno: number): void
  /** Seconds since the last new head. */
  age(): number
  /**
   * The seqno that whoever is less than `within` seconds behind has reached: the newest head of so long ago, or the first one there was if that is
   * younger; -1 before the first.
   */
  floor(): number
}

/** Heads that are remembered within the time; more would say nothing new. */
const STEPS = 500

/** `within` in seconds; `ticks`: milliseconds of a clock that never goes back. */
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
