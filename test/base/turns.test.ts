import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTurns } from '../../server/base/turns.ts'

const busy = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

it('parties that work at the same time share the turns of the event loop, and all come to their end', async () => {
  const turn = createTurns(4)
  let ticks = 0
  let isOver = false
  const others = (async () => {
    while (!isOver) {
      await setImmediate()
      ticks++
    }
  })()
  const done = new Array<number>(20).fill(0)
  const party = async (i: number): Promise<void> => {
    for (let step = 0; step < 5; step++) {
      await turn(() => busy(2))
      done[i]!++
    }
  }
  await Promise.all(done.map((_, i) => party(i)))
  isOver = true
  await others
  expect(done).toEqual(new Array(20).fill(5))
  // 200 ms of work in turns of 4 ms, each longer by one step at most. With turns of their own the parties would leave five.
  expect(ticks).toBeGreaterThan(25)
})

it('what a piece of work throws or rejects with comes to the one who gave it, and the others go on', async () => {
  const turn = createTurns(4)
  const all = await Promise.allSettled([
    turn(() => {
      throw new Error('thrown')
    }),
    turn(() => Promise.reject(new Error('rejected'))),
    turn(async () => 3),
  ])
  expect(all.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message))).toEqual(['thrown', 'rejected', 3])
})
