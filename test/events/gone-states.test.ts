import { expect, it } from 'vitest'
import type { EventQuery, LiveEvent } from '../../server/live/events.ts'
import { createBuilder } from '../../server/store/postgres/reader.ts'
import type { View } from '../../server/store/queries/view.ts'
import { createEventSource } from '../../server/v3/live/source.ts'

/* What is told after a revert of accounts that the index does not have any more. */

const account = `0:${'AB'.repeat(32)}`
const common = { finality: 'finalized', traceHash: undefined, otherHashes: [], place: '1' } as const
const undone: readonly LiveEvent[] = [
  { ...common, body: { type: 'account_state_change', account, wire: {} } },
  { ...common, body: { type: 'account_state_change', account, wire: {} } },
  { ...common, body: { type: 'trace_invalidated' } },
]
const wanted: EventQuery = {
  types: new Set(['account_state_change']),
  accounts: new Set([account]),
  hashes: new Set(),
  book: false,
  metadata: false,
  newestOnly: false,
}
/** An index without rows. */
const empty = { sql: createBuilder(), rows: async () => [], memory: new Map() } as unknown as View

it('an account that a revert took out of the index is told once as nonexist', async () => {
  const { events } = await createEventSource({ isPartial: false }).states(empty, wanted, undone)
  expect(events).toMatchObject([{ body: { account, wire: { account_status: 'nonexist', balance: '0' } } }])
})

it('nothing is told of an account that a revert took out of the index of a fork, because the account may exist', async () => {
  expect((await createEventSource({ isPartial: true }).states(empty, wanted, undone)).events).toEqual([])
})
