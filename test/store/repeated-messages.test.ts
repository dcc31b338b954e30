import { createHash } from 'node:crypto'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import { DIRECTION_IN, DIRECTION_OUT } from '../../server/store/codes.ts'
import { builder, createReader, type Reader } from '../../server/store/postgres/reader.ts'
import { findMessages, sidesOfMessages, transactionsOfMessages } from '../../server/store/queries/messages.ts'
import type { MessageRow } from '../../server/store/queries/messages-of-transactions.ts'
import { findTransactions, sidesByHash } from '../../server/store/queries/transactions/list.ts'
import { readIndex, type View } from '../../server/store/queries/view.ts'
import { createV3Handlers } from '../../server/v3/index.ts'
import { parseParams } from '../../shared/params.ts'
import { registry } from '../../shared/registry.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { fill } from '../kit/index/filled.ts'
import { resultsOf } from '../kit/service/results.ts'

/* An account may accept the same external message many times, and anybody can send it. */

const TIMES = 40
let server: TestServer
let reader: Reader
beforeAll(async () => {
  server = await startTestServer()
  const database = await server.database()
  await server.run(
    database,
    `insert into messages (tx_account, tx_lt, direction, msg_index, msg_hash, msg_hash_norm, mc_seqno, listed, body_hash)
       select '\\x00'::bytea, i, 0, 0, sha256('as sent'), sha256('normalized'), 1, true, sha256('body') from generate_series(1, ${TIMES}) as i`,
  )
  await server.run(
    database,
    `insert into index_checkpoint (id, network, zero_hash, first_mc_seqno, mc_seqno, root_hash, file_hash) values (1, 'test', '', 1, 1, '', '')`,
  )
  await server.run(database, 'insert into published_head (id, mc_seqno, utime, epoch) values (1, 1, 1, 1)')
  reader = createReader(database, { connections: 1 })
})
afterAll(async () => {
  await reader?.close()
  await server?.close()
})

it.each(['as sent', 'normalized'])('a message that was received many times is found once for each time by its hash %s', async (form) => {
  const hash = createHash('sha256').update(form).digest()
  const sides = await readIndex(reader, new AbortController().signal, (view) => sidesByHash(view, [hash]))
  expect(sides.map(({ tx_lt }) => Number(tx_lt)).sort((a, b) => a - b)).toEqual(Array.from({ length: TIMES }, (_, i) => i + 1))
})

it('a message that was received tens of thousands of times is refused, before all its rows are read', async () => {
  const database = await server.database()
  await server.run(
    database,
    `insert into messages (tx_account, tx_lt, direction, msg_index, msg_hash, mc_seqno, listed, body_hash)
       select '\\x01'::bytea, i, 0, 0, sha256('many'), 1, i = 1, sha256('many bodies') from generate_series(1, 50003) as i`,
  )
  const view = { head: 1, rows: undefined } as unknown as View
  const many = createReader(database, { connections: 1 })
  const read: number[] = []
  const rows: View['rows'] = async (query) => {
    const found = await many.rows(query, new AbortController().signal)
    read.push(found.length)
    return found as never[]
  }
  const hash = createHash('sha256').update('many').digest()
  await expect(sidesByHash({ ...view, rows }, [hash])).rejects.toMatchObject({
    message: 'the answer needs more than 50000 rows of the index: ask for less with msg_hash',
    issues: [{ param: 'msg_hash' }],
  })
  const body_hash = createHash('sha256').update('many bodies').digest()
  await expect(findTransactions({ ...view, rows, isDistributed: true }, { body_hash, limit: 9 } as never)).rejects.toMatchObject({
    issues: [{ param: 'body_hash' }],
  })
  expect(Math.max(...read)).toBe(50_001)
  expect(await sidesOfMessages({ ...view, rows }, [hash], DIRECTION_OUT)).toEqual([])
  await many.close()
})

it('messages that were received are found by one statement beside thousands to the outside', async () => {
  const database = await server.database()
  await server.run(
    database,
    `insert into messages (tx_account, tx_lt, direction, msg_index, msg_hash, mc_seqno, listed, source, created_lt, created_at, opcode, body_hash)
       select '\\x02'::bytea, i, 1, 0, sha256(i::text::bytea), 1, true, '\\x02', i, 1, 7, sha256('log') from generate_series(1, 3000) as i`,
  )
  const logs = createReader(database, { connections: 1 })
  const found: unknown[] = []
  const rows: View['rows'] = async (query) => {
    found.push(await logs.rows(query, new AbortController().signal))
    return found.at(-1) as never[]
  }
  const params = { direction: 'in', opcode: 7, limit: 10, offset: 0, sort: 'desc' } as const
  expect((await findMessages({ head: 1, rows } as unknown as View, params)).rows).toEqual([])
  expect(found).toEqual([[]])
  await logs.close()
})

it('the transaction of a message from outside is found by its key, not by the hash that others share', async () => {
  const own = { account: Buffer.alloc(36, 1), lt: '7', hash: Buffer.alloc(32, 3) }
  const asked: unknown[] = []
  const view = {
    head: 1,
    rows: async (query: { compile(sql: typeof builder): { readonly parameters: readonly unknown[] } }) => {
      asked.push(...query.compile(builder).parameters)
      return [own]
    },
  } as unknown as View
  const row = { source: null, direction: DIRECTION_IN, msg_hash: Buffer.alloc(32, 9), tx_account: own.account, tx_lt: own.lt }
  const of = await transactionsOfMessages(view, [row as unknown as MessageRow])
  expect(of(row as unknown as MessageRow)).toEqual({ received: own.hash, sent: undefined })
  expect(asked).toEqual([view.head, [own.account], ['7']])
})

it('a message whose body and initial state were sent tens of thousands of times is added as fast as the first', async () => {
  const database = await server.database()
  const statement = (from: number, count: number) =>
    `insert into messages (tx_account, tx_lt, direction, msg_index, msg_hash, mc_seqno, listed, body_hash, init_hash)
       select '\\x00'::bytea, i, 1, 0, sha256(i::text::bytea), 1, true, sha256('body'), sha256('init') from generate_series(${from}, ${from + count - 1}) as i`
  type Plan = { readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Shared Hit Blocks': number } }] }
  const pagesOf = async (from: number): Promise<number> => {
    const [row] = await server.run<Plan>(database, `explain (analyze, buffers, format json) ${statement(from, 500)}`)
    return row!['QUERY PLAN'][0].Plan['Shared Hit Blocks']
  }
  const first = await pagesOf(1)
  await server.run(database, statement(1_000, 20_000))
  expect(await pagesOf(100_000)).toBeLessThan(2 * first)
})

describe('a list of transactions by a message', () => {
  const FOUND = 300
  let filled: ClientConfig
  let ofFilled: Reader
  beforeAll(async () => {
    filled = await server.database()
    await fill(server, filled, 2 * FOUND)
    await server.run(
      filled,
      `update messages set msg_hash = sha256('again'), listed = true from (select tx_account as a, tx_lt as l from messages where direction = 0 order by tx_lt limit ${FOUND}) found
         where tx_account = a and tx_lt = l and direction = 0`,
    )
    ofFilled = createReader(filled, { connections: 2 })
  })
  afterAll(async () => {
    await ofFilled?.close()
  })

  it.each([
    { page: { limit: 1000 }, from: 0, count: FOUND },
    { page: { limit: 1000, offset: 290 }, from: 290, count: 10 },
    { page: { limit: 5, offset: 3 }, from: 3, count: 5 },
    { page: { limit: 250 }, from: 0, count: 250 },
  ])('has each once, in order: $page', async ({ page, from, count }) => {
    const msg_hash = createHash('sha256').update('again').digest('hex')
    const call = { signal: AbortSignal.timeout(60_000), requestId: '', log: silentLog, localAllowed: false, network: 'local' }
    const params = parseParams(registry['v3.transactionsByMessage'], { msg_hash, sort: 'asc', ...page }, 'body')
    const handlers = resultsOf(createV3Handlers({ reader: ofFilled, v2: {} as never }))
    const { transactions } = (await handlers['v3.transactionsByMessage']!(params, call)) as {
      readonly transactions: readonly { readonly lt: string }[]
    }
    const places = transactions.map(({ lt }) => (Number(lt) - 1_000_000) / 1_000)
    expect(places).toEqual(Array.from({ length: count }, (_, i) => from + i))
  })
})

it.each([
  ['transactions', 'trace_id'],
  ['messages', 'msg_hash_norm'],
  ['traces', 'external_hash_norm'],
])('equal values of %s.%s, which a contract can make in masses, are not in one chain of pages', async (table, column) => {
  const database = await server.database()
  const indexes = await server.run<{ indexdef: string }>(database, 'select indexdef from pg_indexes where tablename = $1', [table])
  const own = indexes.filter(({ indexdef }) => indexdef.includes(`(${column})`))
  expect(own).toHaveLength(1)
  expect(own[0]!.indexdef).toContain('USING btree')
})
