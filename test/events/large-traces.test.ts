import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { advance } from '../../server/live/advance.ts'
import { WHOLE } from '../../server/live/cursor.ts'
import type { EventSource } from '../../server/live/event-source.ts'
import type { EventType, LiveEvent } from '../../server/live/events.ts'
import { show } from '../../server/live/filter.ts'
import { createForks } from '../../server/live/forks.ts'
import { createReader, type Reader } from '../../server/store/postgres/reader.ts'
import { readIndex, type View } from '../../server/store/queries/view.ts'
import { rawOfKey } from '../../server/store/row-keys.ts'
import { createEventSource } from '../../server/v3/live/source.ts'
import { traceEvents } from '../../server/v3/live/traces.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { fill } from '../kit/index/filled.ts'
import { filterOf, hashOf, queryOf, readFake } from './fake-chain.ts'

/* Traces with very many transactions, and blocks with very many traces: anybody can make them by messages of a contract to itself. */

/** Blocks, and transactions, of the large trace. */
const [BLOCKS, ALL] = [180, 9_000]
/** The account with nearly all transactions of the trace, and one that has a few in its first blocks. */
const [BUSY, QUIET] = ["sha256('busy')", "sha256('quiet')"]

let server: TestServer
let database: ClientConfig
let reader: Reader
let accounts: { readonly busy: string; readonly quiet: string }
beforeAll(async () => {
  server = await startTestServer()
  database = await server.database()
  await fill(server, database, ALL)
  const run = (text: string) => server.run<{ account: Buffer }>(database, text)
  const named = (name: string) => `'\\x00000000'::bytea || ${name}`
  await run(
    `update transactions set trace_id = sha256('tx 0'), account = case when lt in (1003000, 1006000) then ${named(QUIET)} else ${named(BUSY)} end`,
  )
  await run(`delete from traces where trace_id <> sha256('tx 0')`)
  await run(`update traces set nodes = ${ALL}, mc_seqno_start = 1, mc_seqno_end = ${BLOCKS}`)
  const [busy, quiet] = await Promise.all(
    [BUSY, QUIET].map(async (name) => rawOfKey((await run(`select ${named(name)} as account`))[0]!.account)),
  )
  accounts = { busy: busy!, quiet: quiet! }
  reader = createReader(database, { connections: 1, statementTimeout: 20_000 })
})
afterAll(async () => {
  await reader?.close()
  await server?.close()
})

const eventsOf = async (names: readonly string[], types: readonly EventType[]): Promise<readonly LiveEvent[]> => {
  const read = (view: View) => createEventSource({ isPartial: false }).blocks(view, [BLOCKS], queryOf(names, types))
  const [block] = await readIndex(reader, new AbortController().signal, read)
  return block!.events.filter(({ body }) => body.type !== 'block')
}

it('blocks are read together only as long as their messages, and those of the traces that end there, are few', async () => {
  await server.run(database, 'update transactions set action_msgs_created = 1800 where mc_seqno in (11, 12)')
  const together = (seqnos: readonly number[]) =>
    readIndex(reader, new AbortController().signal, (view) => createEventSource({ isPartial: false }).together(view, seqnos))
  const first = Array.from({ length: 20 }, (_, i) => i + 1)
  expect(await together(first)).toEqual(first.slice(0, 11))
  expect([await together([12, 13, BLOCKS]), await together([11, 12]), await together([12])]).toEqual([[12, 13], [11], [12]])
})

it.each([
  ['all blocks', false, 32, 2, [2, 3]],
  ['blocks with matching events', true, 2, 1, [2]],
] as const)('a step through %s ends with the last block that was read', async (_, sparse, most, together, seqnos) => {
  const { source } = readFake({ first: 1, names: Array(5).fill('old'), states: 0, gate: Promise.resolve() })
  const few: EventSource = { ...source, together: async (__, all) => all.slice(0, together) }
  const view = { head: 5, first: 1 } as View
  const from = { seqno: 1, hash: hashOf(1, 'old'), ancestors: Buffer.alloc(24), place: WHOLE }
  const step = await advance({ source: few, view, query: queryOf([], ['blocks']), most, sparse, timeouts: 0, forks: createForks() }, from)
  expect([step.blocks.map(({ end }) => end.seqno), step.seqno]).toEqual([seqnos, seqnos.at(-1)])
})

const shownTo = (event: LiveEvent, name: string) => {
  const filter = { ...filterOf(['transactions']), scope: 'trace' as const, accounts: new Set([name]) }
  return show(event, filter, { book: {}, tokens: {} })?.make() as { transactions: { lt: string }[]; is_incomplete?: boolean } | undefined
}

it('an event of a trace has at most 4,000 transactions, the newest of an account that has more, and says so to whom it concerns', async () => {
  const events = await eventsOf([accounts.busy, accounts.quiet], ['transactions'])
  const [whole] = events.filter(({ body }) => body.type === 'transactions' && body.scope === 'trace')
  const busy = shownTo(whole!, accounts.busy)!
  const lts = busy.transactions.map(({ lt }) => lt)
  expect([lts.length, lts[0], lts.at(-1), busy.is_incomplete]).toEqual([3_998, '9999000', '6002000', true])
  const quiet = shownTo(whole!, accounts.quiet)!
  expect([quiet.transactions.map(({ lt }) => lt), quiet.is_incomplete]).toEqual([['1006000', '1003000'], undefined])
})

it('an account with few transactions in the first blocks of a large trace gets them all', async () => {
  const events = await eventsOf([accounts.quiet], ['transactions', 'trace'])
  expect(events.map(({ body }) => body)).toMatchObject([
    { type: 'transactions', scope: 'trace', transactions: [{ lt: '1006000' }, { lt: '1003000' }] },
    { type: 'trace', accounts: new Set([accounts.quiet]), wire: { trace: null, is_incomplete: true } },
  ])
})

it('an event of a trace has at most 20,000 messages', async () => {
  await server.run(database, `update transactions set action_msgs_created = 255 where account = '\\x00000000'::bytea || ${BUSY}`)
  await server.run(database, `update traces set nodes = 200, edges = 51200`)
  await server.run(database, `update transactions set trace_id = sha256('another') where lt < 9800000`)
  const events = await eventsOf([accounts.busy], ['transactions', 'trace'])
  const [whole] = events.filter(({ body }) => body.type === 'transactions' && body.scope === 'trace')
  const busy = shownTo(whole!, accounts.busy)!
  expect([busy.transactions.length, busy.transactions[0]!.lt, busy.is_incomplete]).toEqual([Math.floor(20_000 / 256), '9999000', true])
  expect(events.find(({ body }) => body.type === 'trace')?.body).toMatchObject({ wire: { trace: null, is_incomplete: true } })
})

it('thousands of traces of one read are not each compared with the transactions of all', async () => {
  const equals = vi.fn(() => false)
  const count = 2_000
  const ids = Array.from({ length: count }, (_, i) => Object.assign(Buffer.alloc(32), { equals }).fill(String(i)))
  const transactions = ids.map((trace_id, i) => ({
    account: Buffer.alloc(36),
    lt: String(i),
    trace_id,
    mc_seqno: 1,
    action_msgs_created: 1,
  }))
  const open = ids.map((trace_id) => ({ trace_id, start_lt: '1', nodes: 1, mc_seqno_start: 1, mc_seqno_end: 1, state: 0 }))
  const changes = { seqnos: [1], transactions, ended: [], sets: [], isWatched: () => true }
  const rows = async ({ sql = '' }) => (sql.startsWith('select * from traces ') ? open : [])
  const view = { rows, head: 1, signal: new AbortController().signal } as unknown as View
  await traceEvents(view, changes, queryOf([], ['transactions']))
  expect(equals.mock.calls.length).toBeLessThan(2 * count)
})

it('blocks that were sent are forgotten by their transactions too, of which each may have thousands', () => {
  const forks = createForks()
  const one = { account: '', lt: '1', hash: '', named: [], wire: {} }
  const body = { type: 'transactions', scope: 'both', transactions: Array.from({ length: 1_000 }, () => one) } as const
  for (let seqno = 1; seqno <= 300; seqno++) {
    const event = { body, finality: 'finalized', traceHash: String(seqno), otherHashes: [], place: '' } as const
    const end = { seqno, hash: Buffer.alloc(32), ancestors: Buffer.alloc(24), place: '~' }
    forks.sent({ end, events: [event], book: {}, tokens: {} })
  }
  const { traces } = forks.reverted(0)
  expect(traces.length).toBeLessThan(100)
  expect(traces[0]![0]!.traceHash).toBe('300')
})
