import { describe, expect, it } from 'vitest'
import { wrote } from '../../server/base/write-turns.ts'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a turn of the event loop', () => {
  it('one turn of the event loop writes a megabyte of answers; further ones go on in the next turns, in their order', async () => {
    await nextTurn()
    expect(wrote(1_000)).toBeUndefined()
    const order: number[] = []
    let turns = 0
    const count = (): void => {
      turns++
      if (order.length < 10) setImmediate(count)
    }
    setImmediate(count)
    await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        await wrote(1 << 20)
        order.push(i)
      }),
    )
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(turns).toBeGreaterThanOrEqual(9)
    await nextTurn()
    await nextTurn()
    expect(wrote(1_000)).toBeUndefined()
  })

  it('a turn of the event loop ends after a while, however little was written', async () => {
    await nextTurn()
    expect(wrote(1)).toBeUndefined()
    const until = performance.now() + 12
    while (performance.now() < until);
    const wait = wrote(1)
    expect(wait).toBeInstanceOf(Promise)
    await wait
  })
})
