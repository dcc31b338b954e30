import { expect, it } from 'vitest'
import { createAbortController } from '../../server/base/abort.ts'
import { createByClient } from '../../server/base/by-client.ts'
import { createPermits } from '../../server/base/permits.ts'
import { threadTime } from '../kit/turns.ts'
import { sleep } from '../kit/wait.ts'

const { signal } = createAbortController()
const permitsOf = (atOnce: number, now?: () => number) => createPermits({ atOnce, waiting: 20_000, patience: 60_000, text: '' }, now)

/** Milliseconds of a plain loop, 25 on an ordinary machine. The loop is short, because a busy machine compiles it late: a loop of a second took half a minute. */
const timeLoop = (): number => {
  const loop = (): number => {
    let sum = 0
    for (let i = 0; i < 3e7; i++) sum = (sum + i) | 0
    return sum
  }
  loop()
  const began = threadTime()
  loop()
  return threadTime() - began
}

it('hundreds of permits that come back together find the next of ten thousand clients in little time', async () => {
  const permits = permitsOf(500)
  const first = await Promise.all(Array.from({ length: 500 }, (_, i) => permits.take(signal, `first ${i}`)))
  let granted = 0
  const leaving = createAbortController()
  const count = (): number => granted++
  for (let i = 0; i < 10_000; i++) permits.take(leaving.signal, `client ${i}`).then(count, () => {})
  const plain = timeLoop()
  const began = threadTime()
  for (const release of first) release()
  expect(threadTime() - began).toBeLessThan(5 * plain)
  await Promise.resolve()
  expect(granted).toBe(500)
  // Those that wait would be refused a minute later, while another file of tests runs in this process.
  leaving.abort()
})

it('a full line of ten thousand clients refuses hundreds more in little time', async () => {
  const permits = createPermits({ atOnce: 1, waiting: 10_000, patience: 60_000, text: '' })
  const leaving = createAbortController()
  let refused = 0
  const come = (i: number): void =>
    void permits.take(leaving.signal, `client ${i}`).catch(() => {
      refused++
    })
  for (let i = 0; i < 10_001; i++) come(i)
  const requests = createByClient<number>()
  for (let i = 0; i < 10_000; i++) requests.add(`client ${i}`, i)
  const plain = timeLoop()
  let began = threadTime()
  for (let i = 0; i < 300; i++) come(i)
  const took = threadTime() - began
  // A comparison of all clients for each refusal takes sixty times as long as the loop. The clock of the processor may change in between.
  expect(took).toBeLessThan(30 * Math.max(plain, timeLoop()))
  await Promise.resolve()
  expect(refused).toBe(300)
  leaving.abort()
  began = threadTime()
  for (let i = 0; i < 1_000; i++) {
    requests.add('greedy', i)
    expect(requests.takeOfGreediest()).toBe(i === 0 ? 0 : i)
    requests.add('greedy', -i)
  }
  expect(threadTime() - began).toBeLessThan(30 * plain)
})

it('of many that wait, those that used permits for less time go first, without those that have left', async () => {
  let at = 0
  const permits = permitsOf(1, () => at)
  const isRich = (i: number): boolean => i % 2 === 0
  for (let i = 0; i < 300; i += 2) {
    const release = await permits.take(signal, `client ${i}`)
    at += 10
    release()
  }
  let release = await permits.take(signal, 'other')
  const leaving = createAbortController()
  const order: number[] = []
  const take = async (_: unknown, i: number): Promise<void> => {
    release = await permits.take(i < 100 ? leaving.signal : signal, `client ${i}`)
    order.push(i)
  }
  const settled = Promise.allSettled(Array.from({ length: 300 }, take))
  // By then some of those that leave have been chosen.
  for (let i = 0; i < 202; i++) {
    if (i === 2) leaving.abort(new Error('left'))
    release()
    await sleep(0)
  }
  expect((await settled).filter(({ status }) => status === 'rejected').length).toBe(98)
  expect(order.length).toBe(202)
  expect(order.findLastIndex((i) => !isRich(i))).toBeLessThan(order.findIndex(isRich))
})
