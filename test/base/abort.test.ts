import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { joinAbort, withTimeout } from '../../server/base/abort.ts'
import { countTurns } from '../kit/turns.ts'

it('a joined signal is aborted with its parent until it leaves it', () => {
  const parent = new AbortController()
  const joined = joinAbort(parent.signal)
  const left = joinAbort(parent.signal)
  left.release()
  parent.abort('why')
  expect([joined.signal.reason, left.signal.aborted, joinAbort(parent.signal).signal.reason]).toEqual(['why', false, 'why'])
})

it('a parent of many signals has one listener, because node searches all of them for each that comes or goes', () => {
  const parent = new AbortController()
  const joined = Array.from({ length: 100 }, () => joinAbort(parent.signal))
  expect(getEventListeners(parent.signal, 'abort')).toHaveLength(1)
  for (const each of joined.slice(0, 50)) each.release()
  parent.abort('why')
  expect(joined.filter(({ signal }) => signal.aborted)).toEqual(joined.slice(50))
})

it('a parent whose joined signals have all been released has no listener', () => {
  const parent = new AbortController()
  for (const each of [joinAbort(parent.signal), joinAbort(parent.signal)]) each.release()
  expect(getEventListeners(parent.signal, 'abort')).toHaveLength(0)
})

it('timeouts that end at one instant are handled in turns of their own', async () => {
  const { signal } = new AbortController()
  const turns = new Set<number>()
  const counted = countTurns()
  const handle = (): void => {
    turns.add(counted.count())
    const end = performance.now() + 4
    while (performance.now() < end);
  }
  const untilTimeout = (stop: AbortSignal): Promise<void> =>
    new Promise((resolve) =>
      stop.addEventListener('abort', () => {
        handle()
        resolve()
      }),
    )
  await Promise.all(Array.from({ length: 40 }, () => withTimeout(signal, 20, untilTimeout)))
  counted.stop()
  expect(turns.size).toBeGreaterThan(8)
})
