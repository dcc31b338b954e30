import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Read } from '../../server/live/event-source.ts'
import type { EventQuery, LiveEvent } from '../../server/live/events.ts'
import { createReader, type Reader } from '../../server/store/postgres/reader.ts'
import { readIndex, type View } from '../../server/store/queries/view.ts'
import { rawOfKey } from '../../server/store/row-keys.ts'
import { createEventSource } from '../../server/v3/live/source.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { fill } from '../kit/index/filled.ts'
import { fillAssets } from '../kit/index/filled-assets.ts'
import { timeTurns } from '../kit/turns.ts'
import { queryOf } from './fake-chain.ts'

/* The states that are sent after a revert or a gap: of accounts with very many jetton wallets, and of accounts that the index does not have any more. */

const account = `0:${'AB'.repeat(32)}`
const common = { finality: 'finalized', traceHash: undefined, otherHashes: [], place: '1' } as const
const undone: readonly LiveEvent[] = [
  { ...common, body: { type: 'account_state_change', account, wire: {} } },
  { ...common, body: { type: 'account_state_change', account, wire: {} } },
  { ...common, body: { type: 'trace_invalidated' } },
]
const viewOf = (rows: readonly object[]): View => ({ rows: async () => rows, head: 100, memory: new Map() }) as unknown as View

/** The pages of states, each with its number of events. */
const pagesOf = async (read: Read, query: EventQuery, isPartial = false) => {
  const pages: (readonly LiveEvent[])[] = []
  for await (const { events } of createEventSource({ isPartial }).states(read, query, undone)) pages.push(events)
  return { events: pages.flat(), largest: Math.max(...pages.map(({ length }) => length)) }
}

let server: TestServer
let database: ClientConfig
let reader: Reader
let read: Read
beforeAll(async () => {
  server = await startTestServer()
  database = await server.database()
  await fill(server, database, 150)
  await fillAssets(server, database, 5_000)
  reader = createReader(database, { connections: 1, statementTimeout: 20_000 })
  read = (run) => readIndex(reader, new AbortController().signal, run)
})
afterAll(async () => {
  await reader?.close()
  await server?.close()
})

it('an account that a revert took out of the index is told once as nonexist', async () => {
  const empty: Read = (run) => run(viewOf([]))
  const query = queryOf([account], ['account_state_change'])
  expect((await pagesOf(empty, query)).events).toMatchObject([{ body: { account, wire: { account_status: 'nonexist', balance: '0' } } }])
  // In the index of a fork the account may exist.
  expect((await pagesOf(empty, query, true)).events).toEqual([])
})

it('an owner of thousands of jetton wallets, and hundreds of owners of a few, are read in pages, and no wallet is left out', async () => {
  const keys = await server.run<{ account: Buffer; wallets: number }>(
    database,
    'select owner as account, count(*)::integer as wallets from jetton_wallets group by owner',
  )
  expect(Math.max(...keys.map(({ wallets }) => wallets))).toBeGreaterThan(2_000)
  const [own] = await server.run<{ account: Buffer }>(database, 'select account from jetton_wallets order by balance desc limit 1')
  // One of the wallets is watched itself too.
  const accounts = [own!, ...keys].map(({ account }) => rawOfKey(account))
  const { events, largest } = await pagesOf(read, queryOf(accounts, ['jettons_change']), true)
  const wallets = events.map(({ body }) => (body.type === 'jettons_change' ? body.wallet : ''))
  expect([wallets.length, new Set(wallets).size, largest]).toEqual([5_000, 5_000, 1_000])
})

it('the blocks after a cursor are read one after the other, if the accounts own too many jetton wallets for a search', async () => {
  const { next } = createEventSource({ isPartial: false })
  const many = viewOf(Array.from({ length: 10_001 }, () => ({ account: Buffer.alloc(36) })))
  expect(await next(many, 7, queryOf([account], ['jettons_change']), 3)).toEqual({ seqnos: [8, 9, 10], until: 10 })
})

it('the names of a hundred thousand accounts are read in turns', async () => {
  const query = queryOf(
    Array.from({ length: 200_000 }, (_, i) => `0:${i.toString(16).padStart(64, '0')}`),
    ['account_state_change'],
  )
  const stopped = new Error('the first page is enough')
  const work = () => pagesOf(() => Promise.reject(stopped), query).catch((error) => expect(error).toBe(stopped))
  expect((await timeTurns(work)).longest).toBeLessThan(100)
})
