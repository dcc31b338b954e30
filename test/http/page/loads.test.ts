import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLoads } from '../../../server/http/page/base/loads.ts'

/* When views of the page load again. */

const LEAST = 2_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Loads that end when the test says so. */
const createSlow = () => {
  const running: { signal: AbortSignal; end: () => void }[] = []
  const loads = createLoads((signal) => new Promise<void>((end) => running.push({ signal, end })), LEAST)
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
