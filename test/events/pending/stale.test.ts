import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type AccountAfter, createFollowedTraces, type FollowedTrace } from '../../../server/live/pending/followed-traces.ts'
import { createStaleReview } from '../../../server/live/pending/review-after-drop.ts'

/* Traces that were emulated on top of others that are gone. */

const entryOf = (order: number, accounts: readonly string[]): FollowedTrace =>
  ({
    pending: { hash: `h${order}`, hashNorm: `n${order}`, emulation: { count: 0 } },
    order,
    after: accounts.map((account) => ({ account })),
    isStale: false,
  }) as unknown as FollowedTrace

it('traces after many that are gone at once are looked at once, in the order in which they were sent', async () => {
  const kept = createFollowedTraces()
  const entries = Array.from({ length: 10 }, (_, i) => entryOf(i, i === 9 ? ['other'] : ['hot', `own ${i}`]))
  for (const entry of entries) kept.add(entry)
  const reviews: number[][] = []
  const gone = createStaleReview(kept, async (due) => void reviews.push(due.map(({ order }) => order)))
  for (const i of [6, 2, 4]) {
    kept.drop(entries[i]!)
    gone(entries[i]!)
  }
  await turn()
  expect(reviews).toEqual([[3, 5, 7, 8]])
  expect(entries.filter(({ isStale }) => isStale).map(({ order }) => order)).toEqual([3, 5, 7, 8])
})

it('the traces of an account are in the order in which they were sent, also after others were added, dropped or emulated anew', () => {
  const kept = createFollowedTraces()
  const entries = Array.from({ length: 8 }, (_, i) => entryOf(i, ['hot']))
  for (const i of [0, 1, 5, 2, 7, 3]) kept.add(entries[i]!)
  const orders = (): number[] => kept.ofAccount('hot').map(({ order }) => order)
  expect(orders()).toEqual([0, 1, 2, 3, 5, 7])
  kept.drop(entries[2]!)
  const { emulation } = entries[1]!.pending
  expect(kept.replace(entries[1]!, emulation, [])).toBe(true)
  expect(orders()).toEqual([0, 3, 5, 7])
  kept.replace(entries[1]!, emulation, [{ account: 'hot' } as AccountAfter])
  kept.add(entries[4]!)
  expect(orders()).toEqual([0, 1, 3, 4, 5, 7])
  for (const entry of entries) kept.drop(entry)
  expect([orders(), kept.size()]).toEqual([[], 0])
})

it('one look at stale traces runs at a time, and what becomes stale meanwhile is marked at once and looked at after it', async () => {
  const kept = createFollowedTraces()
  const entries = Array.from({ length: 4 }, (_, i) => entryOf(i, ['hot']))
  for (const entry of entries) kept.add(entry)
  const reviews: number[][] = []
  const ends: (() => void)[] = []
  const gone = createStaleReview(kept, (due) => {
    reviews.push(due.map(({ order }) => order))
    return new Promise((_, reject) => ends.push(() => reject(new Error('the chain cannot be read'))))
  })
  const drop = async (i: number): Promise<void> => {
    kept.drop(entries[i]!)
    gone(entries[i]!)
    await turn()
  }
  await drop(1)
  expect(reviews).toEqual([[2, 3]])
  entries[3]!.isStale = false
  await drop(2)
  expect([reviews.length, entries[3]!.isStale]).toEqual([1, true])
  ends[0]!()
  await turn()
  expect(reviews).toEqual([[2, 3], [3]])
})
