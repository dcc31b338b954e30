import { expect, it } from 'vitest'
import { createPauses } from '../../server/base/in-turns.ts'
import { nextTurn } from '../../server/base/next-turn.ts'

const busy = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** In which turn of the event loop each of 20 callers went on, if all wait at once. */
const turnsOf = async (wait: () => Promise<void> | undefined): Promise<number[]> => {
  const turns: number[] = []
  let turn = 0
  let isOver = false
  const tick = (): void => {
    turn++
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      await wait()
      turns[i] = turn
    }),
  )
  isOver = true
  return turns
}

it('long work of many callers goes on in turns of its own, in the order in which they came', async () => {
  const turns = await turnsOf(nextTurn)
  expect(turns).toEqual([...turns].sort((a, b) => a - b))
  expect(new Set(turns).size).toBe(20)
})

it('the pauses of many callers end in turns of their own', async () => {
  const pauses = Array.from({ length: 20 }, () => createPauses())
  busy(15)
  expect(new Set(await turnsOf(() => pauses.pop()!())).size).toBe(20)
})
