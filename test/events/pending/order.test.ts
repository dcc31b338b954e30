import { expect, it } from 'vitest'
import { type AccountAfter, createFollowedTraces, type FollowedTrace } from '../../../server/live/pending/followed-traces.ts'

/* The order of followed traces. */

const entryOf = (order: number, accounts: readonly string[]): FollowedTrace =>
  ({
    pending: { hash: `h${order}`, hashNorm: `n${order}`, emulation: { count: 0 } },
    order,
    after: accounts.map((account) => ({ account })),
    isStale: false,
  }) as unknown as FollowedTrace

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
