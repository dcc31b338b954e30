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
