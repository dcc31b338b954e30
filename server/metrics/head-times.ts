/** Maximum number of heads in memory. More would not make the result more precise. */
const STEPS = 500

export type HeadTimes = ReturnType<typeof createHeadTimes>

/**
 * Records when heads arrive, to decide whether the newest head is current, and which block an index must have reached. `within` in seconds; `ticks`: monotonic
 * milliseconds.
 */
export const createHeadTimes = (within: number, ticks: () => number) => {
  const window = within * 1000
  const heads: { readonly seqno: number; readonly at: number }[] = []
  let last = ticks()
  const prune = (now: number): void => {
    while (heads.length > 1 && heads[1]!.at <= now - window) heads.shift()
  }
  return {
    /** Records a new head. After a revert of the chain its seqno can be lower than that of the previous head. */
    seen(seqno: number): void {
      last = ticks()
      while (heads.length > 0 && heads.at(-1)!.seqno >= seqno) heads.pop()
      const before = heads.at(-1)
      if (before === undefined || last - before.at >= window / STEPS) heads.push({ seqno, at: last })
      prune(last)
    },
    age: (): number => (ticks() - last) / 1000,
    /**
     * Seqno that an index must have reached: that of the newest head that is at least `within` seconds old, or of the first head if all are younger. -1
     * before the first head.
     */
    floor(): number {
      prune(ticks())
      return heads[0]?.seqno ?? -1
    },
  }
}
