import type { Kept, KeptTraces } from './kept-traces.ts'

/*
 * Traces that were emulated on top of one that is gone have to be emulated without it. When many are gone at once, those after them are looked at together.
 */

/** `review` looks at traces, which come in the order in which they were sent. Returns what has to be called with each trace that is gone. */
export const createStaleReview = (
  kept: Pick<KeptTraces, 'all' | 'ofAccount'>,
  review: (entries: readonly Kept[]) => Promise<void>,
): ((gone: Kept) => void) => {
  /** The orders of the first traces that are gone since the last turn, by account. */
  let firstGone = new Map<string, number>()
  const stale = new Set<Kept>()
  let isReviewing = false

  const reviewAll = async (): Promise<void> => {
    isReviewing = true
    while (stale.size > 0) {
      const due = kept.all().filter((entry) => stale.has(entry))
      stale.clear()
      // What cannot be read now is looked at with the next head.
      if (due.length > 0) await review(due).catch(() => {})
    }
    isReviewing = false
  }
  const mark = (): void => {
    for (const [account, order] of firstGone)
      for (const entry of kept.ofAccount(account)) {
        if (entry.order <= order) continue
        entry.isStale = true
        stale.add(entry)
      }
    firstGone = new Map()
    if (!isReviewing) void reviewAll()
  }

  return ({ order, after }) => {
    if (firstGone.size === 0) setImmediate(mark)
    for (const account of after.keys()) firstGone.set(account, Math.min(order, firstGone.get(account) ?? order))
  }
}
