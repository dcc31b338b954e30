import { expect, it } from 'vitest'
import { createTurns } from '../../../server/http/page/base/turns.ts'

/* How many pictures the page loads at a time. */

it('at most so many tasks run at a time, the first come first, and a task that is not wanted any more never runs', async () => {
  const inTurn = createTurns(2)
  const leaving = new AbortController()
  const begun: number[] = []
  const ends: ((how: 'done' | 'failed') => void)[] = []
  const task = (n: number) => () => {
    begun.push(n)
    return new Promise<number>((resolve, reject) => ends.push((how) => (how === 'done' ? resolve(n) : reject(new Error('failed')))))
  }
  const stays = new AbortController().signal
  const results = [0, 1, 2, 3, 4].map((n) => inTurn(n === 2 ? leaving.signal : stays, task(n)))
  const settled = Promise.allSettled(results)
  expect(begun).toEqual([0, 1])
  leaving.abort()
  ends[0]!('failed')
  await expect.poll(() => begun).toEqual([0, 1, 3])
  ends[1]!('done')
  await expect.poll(() => begun).toEqual([0, 1, 3, 4])
  ends[2]!('done')
  ends[3]!('done')
  const told = (await settled).map((each) => (each.status === 'fulfilled' ? each.value : each.reason.name))
  expect(told).toEqual(['Error', 1, 'AbortError', 3, 4])
  // Every turn was given back.
  void inTurn(stays, task(5))
  void inTurn(stays, task(6))
  expect(begun.slice(4)).toEqual([5, 6])
})
