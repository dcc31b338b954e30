import type { FollowedTrace, FollowedTraces } from './followed-traces.ts'

/*
 * When a trace is dropped, the traces that were emulated on top of it are emulated again without it. Traces that are dropped in the same event-loop turn
 * lead to one check of the traces on top of them.
 */

/** `review` checks traces, in the order in which they were sent. The returned function must be called with each dropped trace. */
export const createStaleReview = (
  followed: Pick<FollowedTraces, 'all' | 'ofAccount'>,
  review: (entries: readonly FollowedTrace[]) => Promise<void>,
): ((gone: FollowedTrace) => void) => {
  /** Lowest order of the traces that were dropped in this event-loop turn, by account. */
  let firstGone = new Map<string, number>()
  const stale = new Set<FollowedTrace>()
  let isReviewing = false

  const reviewAll = async (): Promise<void> => {
    isReviewing = true
    while (stale.size > 0) {
      const due = followed.all().filter((entry) => stale.has(entry))
      stale.clear()
      // A trace that cannot be checked now is checked with the next head.
      if (due.length > 0) await review(due).catch(() => {})
    }
    isReviewing = false
  }
  const mark = (): void => {
    for (const [account, order] of firstGone)
      for (const entry of followed.ofAccount(account)) {
        if (entry.order <= order) continue
        entry.isStale = true
        stale.add(entry)
      }
    firstGone = new Map()
    if (!isReviewing) void reviewAll()
  }

  return ({ order, after }) => {
    if (firstGone.size === 0) setImmediate(mark)
    for (const { account } of after) firstGone.set(account, Math.min(order, firstGone.get(account) ?? order))
  }
}
