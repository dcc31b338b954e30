import { describe, expect, it } from 'vitest'
import { createLanes } from '../../client/request-slots.ts'

const never = new AbortController().signal

describe('lanes', () => {
  it('lanes run a number of calls at once, and the others in their order', async () => {
    const lanes = createLanes(2, Infinity)
    const order: number[] = []
    const enter = async (i: number) => order.push((await lanes.enter(never)) ? i : -i)
    const all = [1, 2, 3, 4].map(enter)
    await Promise.all(all.slice(0, 2))
    expect(order).toEqual([1, 2])
    lanes.leave()
    await all[2]
    lanes.leave()
    await all[3]
    expect(order).toEqual([1, 2, 3, 4])
  })

  it('no call waits in a lane longer than its bound', async () => {
    const lanes = createLanes(1, Infinity)
    expect(await lanes.enter(never)).toBe(true)
    const waiting = Array.from({ length: 10_000 }, () => lanes.enter(never))
    expect(await lanes.enter(never)).toBe(false)
    lanes.leave()
    expect(await waiting[0]).toBe(true)
  })

  it('lanes skip calls that were aborted', async () => {
    const lanes = createLanes(1, Infinity)
    await lanes.enter(never)
    const stop = new AbortController()
    const left = lanes.enter(stop.signal)
    const stays = lanes.enter(never)
    stop.abort()
    lanes.leave()
    expect(await Promise.all([left, stays])).toEqual([false, true])
  })

  it('lanes pause as long as they are told', async () => {
    const lanes = createLanes(1, Infinity)
    lanes.pause(80)
    lanes.pause(10)
    const start = performance.now()
    expect(lanes.paused()).toBeGreaterThan(50)
    await lanes.enter(never)
    expect(performance.now() - start).toBeGreaterThanOrEqual(75)
    expect(lanes.paused()).toBe(0)
  })
})
