import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLoads, type LoadEnd } from '../../../client/page/base/loads.ts'

/* When views of the page load again. */

const LEAST = 2_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Loads that end when the test says so. */
const createSlow = (isSeen?: () => boolean) => {
  const running: { signal: AbortSignal; end: (how?: LoadEnd) => void }[] = []
  const load = (signal: AbortSignal): Promise<LoadEnd> =>
    new Promise((end) => running.push({ signal, end: (how = 'answered') => end(how) }))
  const loads = createLoads(load, LEAST, isSeen)
  return { running, loads }
}

it('a load that takes longer than a block is not cut off by new blocks, and is followed by one more', async () => {
  const { running, loads } = createSlow()
  loads.ask()
  vi.advanceTimersByTime(0)
  for (let block = 0; block < 10; block++) {
    loads.ask()
    vi.advanceTimersByTime(1_000)
  }
  expect(running.map(({ signal }) => signal.aborted)).toEqual([false])
  running[0]!.end()
  await setImmediate()
  vi.advanceTimersByTime(0)
  expect(running).toHaveLength(2)
  running[1]!.end()
  await setImmediate()
  vi.advanceTimersByTime(60_000)
  expect(running).toHaveLength(2)
})

it('two loads of a view begin at least two seconds apart', async () => {
  const { running, loads } = createSlow()
  loads.ask()
  vi.advanceTimersByTime(0)
  running[0]!.end()
  await setImmediate()
  loads.ask()
  loads.ask()
  vi.advanceTimersByTime(LEAST - 1)
  expect(running).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(running).toHaveLength(2)
})

it('a view that is left cuts off its load and asks for no other', async () => {
  const { running, loads } = createSlow()
  loads.ask()
  vi.advanceTimersByTime(0)
  loads.ask()
  loads.end()
  expect(running[0]!.signal.aborted).toBe(true)
  running[0]!.end()
  await setImmediate()
  loads.ask()
  vi.advanceTimersByTime(60_000)
  expect(running).toHaveLength(1)
})

it('a load without an answer is tried again after pauses that double up to half a minute, and not after an answer', async () => {
  const { running, loads } = createSlow()
  loads.ask()
  vi.advanceTimersByTime(0)
  for (const pause of [2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    const before = running.length
    running.at(-1)!.end('unanswered')
    await setImmediate()
    vi.advanceTimersByTime(pause - 1)
    expect(running).toHaveLength(before)
    vi.advanceTimersByTime(1)
    expect(running).toHaveLength(before + 1)
  }
  running.at(-1)!.end()
  await setImmediate()
  vi.advanceTimersByTime(600_000)
  expect(running).toHaveLength(7)
})

it('a load without an answer is tried again at once when it is asked for, and not while nobody sees it', async () => {
  let seen = true
  const { running, loads } = createSlow(() => seen)
  loads.ask()
  vi.advanceTimersByTime(0)
  for (let i = 0; i < 5; i++) {
    running.at(-1)!.end('unanswered')
    await setImmediate()
    vi.advanceTimersByTime(30_000)
  }
  running.at(-1)!.end('unanswered')
  await setImmediate()
  vi.advanceTimersByTime(LEAST)
  loads.ask()
  vi.advanceTimersByTime(0)
  expect(running).toHaveLength(7)
  seen = false
  running.at(-1)!.end('unanswered')
  await setImmediate()
  vi.advanceTimersByTime(600_000)
  expect(running).toHaveLength(7)
  loads.ask()
  vi.advanceTimersByTime(0)
  expect(running).toHaveLength(8)
})
