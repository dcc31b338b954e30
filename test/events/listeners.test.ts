import { expect, it } from 'vitest'
import type { Filter } from '../../server/live/filter.ts'
import { createListener, type Sink } from '../../server/live/listener.ts'
import { createListeners } from '../../server/live/listeners.ts'

const SINK = { frame: { key: '', wrap: () => Buffer.alloc(0) } } as unknown as Sink
const listen = (types: readonly string[], accounts: readonly string[], more: object = {}) =>
  createListener(
    { types: new Set(types), accounts: new Set(accounts), hashes: new Set(), book: false, metadata: false, ...more } as unknown as Filter,
    SINK,
  )

it('the query of all listeners has what the present ones want, and is not put together again for each that comes', () => {
  const listeners = createListeners()
  const [first, second] = [listen(['transactions'], ['a', 'b']), listen(['transactions', 'trace'], ['b'], { book: true })]
  listeners.add(first)
  const { accounts } = listeners.query()
  listeners.add(second)
  expect([...accounts]).toEqual(['a', 'b'])
  const query = listeners.query()
  expect(query.accounts).toBe(accounts)
  expect(query).toMatchObject({ types: new Set(['transactions', 'trace']), book: true, metadata: false })
  listeners.remove(second)
  listeners.remove(first)
  listeners.remove(first)
  expect([accounts.size, accounts.has('a')]).toEqual([0, false])
  expect(listeners.query()).toMatchObject({ types: new Set(), book: false, metadata: false })
})
