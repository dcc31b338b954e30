import { describe, expect, it } from 'vitest'
import { inTurns } from '../../server/base/in-turns.ts'

/** Holds the event loop for a while. */
const busy = (ms: number) => (item: number) => {
  for (const end = performance.now() + ms; performance.now() < end; );
  return item * 2
}

describe('inTurns', () => {
  it('inTurns maps in order and lets others run in between', async () => {
    let ran = 0
    const other = setInterval(() => ran++, 1)
    const items = Array.from({ length: 40 }, (_, i) => i)
    expect(await inTurns(items, busy(3), new AbortController().signal)).toEqual(items.map((i) => i * 2))
    clearInterval(other)
    expect(ran).toBeGreaterThan(2)
  })

  it('inTurns stops when nobody waits any more', async () => {
    const controller = new AbortController()
    let mapped = 0
    const work = inTurns(
      Array.from({ length: 1000 }, (_, i) => i),
      (item) => {
        mapped++
        if (mapped === 5) controller.abort(new Error('gone'))
        return busy(3)(item)
      },
      controller.signal,
    )
    await expect(work).rejects.toThrow('gone')
    expect(mapped).toBeLessThan(20)
  })
})
