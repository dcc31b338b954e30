import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import { createReader, type Reader, type RunQuery } from '../../server/store/postgres/reader.ts'
import { createV3Handlers } from '../../server/v3/index.ts'
import { parseParams } from '../../shared/params.ts'
import { type MethodName, registry } from '../../shared/registry.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { fill } from '../kit/index/filled.ts'
import { fillAssets } from '../kit/index/filled-assets.ts'
import { resultsOf } from '../kit/service/results.ts'

/* Lists of a thousand keys: what has none of them is found by the keys, not by a walk through the table in the order of the list. */

let server: TestServer
let database: ClientConfig
let reader: Reader
let statements = 0
beforeAll(async () => {
  server = await startTestServer()
  database = await server.database()
  await fill(server, database, 3_000)
  await fillAssets(server, database, 3_000)
  const plain = createReader(database, { connections: 1, statementTimeout: 20_000 })
  const counting = (rows: RunQuery): RunQuery => {
    return (...query) => {
      statements += 1
      return rows(...query)
    }
  }
  reader = { ...plain, snapshot: (run, ...rest) => plain.snapshot((rows) => run(counting(rows)), ...rest) }
}, 120_000)
afterAll(async () => {
  await reader?.close()
  await server?.close()
})

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const hashes = (of: string): string[] => Array.from({ length: 1000 }, (_, i) => hash(`${of} ${i}`))
const accounts = (of: string): string[] => hashes(of).map((each) => `0:${each}`)
const ask = async (name: MethodName, raw: Record<string, unknown>): Promise<{ readonly rows: unknown[]; readonly next: string | null }> => {
  const def = registry[name]
  const call = { signal: AbortSignal.timeout(60_000), requestId: '', log: silentLog, localAllowed: false, network: 'local' }
  const handlers = resultsOf(createV3Handlers({ reader, v2: {} as never }))
  const answer = (await handlers[name]!(parseParams(def as never, raw, 'body'), call)) as Record<string, unknown>
  return { rows: answer[def.page!.rows] as unknown[], next: answer['next_cursor'] as string | null }
}
const entriesRead = async (): Promise<number> => {
  await reader.rows(sql`select pg_stat_force_next_flush()`, AbortSignal.timeout(5_000))
  const [row] = await server.run<{ read: number }>(database, 'select sum(idx_tup_read)::int as read from pg_stat_user_indexes')
  return row!.read
}

const LISTS: readonly (readonly [MethodName, string, string, Record<string, unknown>])[] = [
  ['v3.transactions', 'account', 'account', {}],
  ['v3.messages', 'msg_hash', 'message', {}],
  ['v3.traces', 'trace_id', 'tx', { start_utime: 1 }],
  ['v3.actions', 'trace_id', 'tx', {}],
  ['v3.jetton.masters', 'address', 'jetton', {}],
  ['v3.jetton.masters', 'admin_address', 'owner', {}],
  ['v3.jetton.wallets', 'owner_address', 'owner', {}],
  ['v3.jetton.transfers', 'jetton_wallet', 'wallet', {}],
  ['v3.jetton.transfers', 'owner_address', 'owner', {}],
  ['v3.jetton.burns', 'owner_address', 'owner', {}],
  ['v3.nft.collections', 'owner_address', 'owner', {}],
  ['v3.nft.items', 'address', 'item', { sort_by_last_transaction_lt: true }],
  ['v3.nft.items', 'owner_address', 'owner', {}],
  ['v3.nft.items', 'owner_address', 'owner', { sort_by_last_transaction_lt: true }],
  ['v3.nft.transfers', 'item_address', 'item', {}],
]

it.each(LISTS)('%s by %s: unknown keys cost no walk, and pages of known ones are the whole list', async (name, param, of, and) => {
  const keysOf = /hash|_id/.test(param) ? hashes : accounts
  const before = await entriesRead()
  for (const limit of [1, 1000]) expect((await ask(name, { [param]: keysOf('unknown'), ...and, limit })).rows).toEqual([])
  expect((await entriesRead()) - before).toBeLessThan(100)
  const known = { ...and, [param]: [...keysOf(of).slice(0, 20), ...keysOf(of).slice(10, 30)] }
  const whole = (await ask(name, { ...known, limit: 1000 })).rows
  expect(whole.length).toBeGreaterThan(5)
  const paged: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null && paged.length < 900; ) {
    const { rows, next } = await ask(name, { ...known, limit: 97, cursor })
    paged.push(...rows)
    cursor = next
  }
  expect(paged).toEqual(whole.slice(0, Math.max(paged.length, Math.min(whole.length, 900))))
  expect((await ask(name, { ...known, limit: 3, offset: 3 })).rows).toEqual(whole.slice(3, 6))
})

it('v3.actions of a busy account: a filter that matches nothing costs a few statements', async () => {
  const account = `0:${hash('account 0')}`
  await server.run(
    database,
    `insert into action_accounts (account, trace_end_lt, trace_id, action_end_lt, action_id, trace_end_utime, mc_seqno) select '\\x00000000'::bytea || sha256('account 0'), trace_end_lt, trace_id, end_lt, action_id, trace_end_utime, mc_seqno
      from actions on conflict do nothing`,
  )
  const before = statements
  expect((await ask('v3.actions', { account, action_type: ['nft_mint'], limit: 10 })).rows).toEqual([])
  expect(statements - before).toBeLessThan(10)
})
