import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { joinAbort } from '../../server/base/abort.ts'

it('a joined signal is aborted with its parent until it leaves it', () => {
  const parent = new AbortController()
  const joined = joinAbort(parent.signal)
  const left = joinAbort(parent.signal)
  left.release()
  parent.abort('why')
  expect([joined.signal.reason, left.signal.aborted, joinAbort(parent.signal).signal.reason]).toEqual(['why', false, 'why'])
})

it('a parent whose joined signals have all been released has no listener', () => {
  const parent = new AbortController()
  for (const each of [joinAbort(parent.signal), joinAbort(parent.signal)]) each.release()
  expect(getEventListeners(parent.signal, 'abort')).toHaveLength(0)
})
