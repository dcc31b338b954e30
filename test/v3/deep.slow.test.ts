import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, AnyHandler } from '../../server/base/answer.ts'
import { silentLog } from '../../server/base/log.ts'
import { builder, createReader, type Reader } from '../../server/store/postgres/reader.ts'
import { createV3Handlers } from '../../server/v3/index.ts'
import type { V2 } from '../../server/v3/legacy.ts'
import type { MethodDef } from '../../shared/method.ts'
import { parseParams } from '../../shared/params.ts'
import { type MethodName, registry } from '../../shared/registry.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { fill } from '../kit/index/filled.ts'
import { jsonText, type ResultHandler, resultsOf } from '../kit/service/results.ts'

/* What lists cost on a filled database: pages deep in them, and callers that leave. (That every filter has an index: test/store/plans.slow.test.ts.) */

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /** How many rows it brought. */
  rows?: number
}

let server: TestServer
let reader: Reader
let client: Client
let answers: Readonly<Record<string, AnyHandler>>
let handlers: Readonly<Record<string, ResultHandler>>
let said: Statement[] = []

/** Reads, and remembers what was asked. */
const listening = (inner: Reader): Reader => ({
  ...inner,
  snapshot: (run, signal) =>
    inner.snapshot(
      (rows) =>
        run(async (query, planned) => {
          const { sql, parameters } = 'compile' in query ? query.compile(builder) : query
          const statement: Statement = { text: sql, values: parameters }
          said.push(statement)
          const got = await rows(query, planned)
          statement.rows = got.length
          return got
        }),
      signal,
    ),
})

/** Masterchain blocks of the filled index, and its greatest lt and time. */
let last: { readonly mc_seqno: number; readonly lt: string; readonly now: string }

beforeAll(async () => {
  server = await startTestServer()
  const database: ClientConfig = await server.database()
  await fill(server, database, 39_000)
  reader = createReader(database, { connections: 2, statementTimeout: 20_000 })
  client = new Client(database)
  await client.connect()
  last = (await client.query('select max(mc_seqno) as mc_seqno, max(lt) as lt, max(now) as now from transactions')).rows[0]
  answers = createV3Handlers({ reader: listening(reader), v2: {} as V2 })
  handlers = resultsOf(answers)
})
afterAll(async () => {
  await client?.end()
  await reader?.close()
  await server?.close()
})

const call = { signal: new AbortController().signal, requestId: 'plans', log: silentLog, localAllowed: true, network: 'local' }

describe('lists on a filled database', () => {
  /** Pages of the database that a statement reads. */
  const pagesRead = async ({ text, values }: Statement): Promise<number> => {
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, [...values])
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'] as [{ Plan: Record<string, number> }]
    return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!
  }

  const rowsOf = async (name: string): Promise<number> => {
    const where = name === 'v3.messages' ? ' where listed and created_lt is not null' : ''
    return (await client.query(`select count(*)::int as n from ${name.slice(3)}${where}`)).rows[0].n
  }
  const late = () => ({ end_lt: last.lt, end_utime: last.now })
  it.each([
    ['v3.transactions', () => ({})],
    ['v3.transactions', () => ({ as_of: last.mc_seqno - 1 })],
    ['v3.transactions', () => ({ end_lt: late().end_lt })],
    ['v3.transactions', () => ({ end_utime: late().end_utime })],
    ['v3.transactions', () => ({ sort: 'asc', start_lt: '1' })],
    ['v3.messages', () => ({ end_lt: late().end_lt })],
    ['v3.messages', () => ({ end_utime: late().end_utime })],
    ['v3.traces', () => ({ end_lt: late().end_lt })],
    ['v3.blocks', () => ({ end_utime: late().end_utime })],
  ] as const)('a page deep in %s %# reads no more than the first', async (name, filterOf) => {
    const filter = filterOf()
    const def: MethodDef = registry[name as MethodName]
    const ask = async (params: object): Promise<Answer> => {
      const answer = await answers[name]!(parseParams(def, params, 'body') as never, call)
      // Its statements are over when it has been written.
      await jsonText(answer, call.signal)
      return answer
    }
    const cursor = (await ask({ ...filter, limit: 1, offset: Math.floor((await rowsOf(name)) * 0.6) })).headers?.['X-Next-Cursor']
    said = []
    await ask({ ...filter, cursor })
    const main = said.find(({ text }) => text.includes(' < (') || text.includes(' > ('))!
    expect(await pagesRead(main)).toBeLessThan(80)
  })

  it('traces of a busy account are paged to the end, and no statement reads more rows than are shown', async () => {
    const { rows } =
      await client.query(`select '0:' || encode(substr(account, 5), 'hex') as account, count(distinct trace_id)::int as traces
      from transactions group by account order by count(*) desc limit 1`)
    const [{ account, traces: count }] = rows as [{ account: string; traces: number }]
    expect(count).toBeGreaterThan(500)
    const told: { trace_id: string; end_lt: string }[] = []
    said = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const params = parseParams(registry['v3.traces'], { account, limit: 200, cursor }, 'body')
      const page = (await handlers['v3.traces']!(params as never, call)) as { traces: typeof told; next_cursor: string | null }
      told.push(...page.traces)
      cursor = page.next_cursor
    }
    expect(new Set(told.map(({ trace_id }) => trace_id)).size).toBe(count)
    expect(told.length).toBe(count)
    const ends = told.map(({ end_lt }) => Number(end_lt))
    expect(ends).toEqual([...ends].sort((a, b) => b - a))
    // A trace here has three transactions of two messages each.
    expect(Math.max(...said.map((statement) => statement.rows ?? 0))).toBeLessThanOrEqual(6 * 250)
    expect(said.filter(({ text, rows: n }) => text.includes('from "traces"') && (n ?? 0) > 200)).toEqual([])
  })

  it('pages of transactions by message agree with counts of the database', async () => {
    const { rows } = await client.query(
      `select encode(msg_hash, 'hex') as hash from messages where direction = 1 and tx_lt / 1000 % 2 = 0 limit 1000`,
    )
    const msg_hash = rows.map(({ hash }) => hash)
    const keys = async (offset: number): Promise<string[]> => {
      const params = parseParams(registry['v3.transactionsByMessage'], { msg_hash, limit: 1000, offset }, 'body')
      const { transactions } = (await handlers['v3.transactionsByMessage']!(params as never, call)) as { transactions: { hash: string }[] }
      return transactions.map(({ hash }) => hash).sort()
    }
    const [near, far] = [await keys(1000), await keys(1001)]
    expect(far.length).toBeGreaterThan(500)
    expect(far.filter((hash) => !near.includes(hash)).length).toBeLessThanOrEqual(1)
    expect(near.filter((hash) => !far.includes(hash)).length).toBe(1)
    expect(await keys(5000)).toEqual([])
  })

  it('a page of large traces has a bounded number of transactions, and the summary of the others', async () => {
    await client.query(
      `insert into traces select sha256(('large ' || n)::bytea), null, null, 1, 1, 2, 1, 1, 9000000000 - n, 1, 1, 0, 4000 from generate_series(1, 4) n`,
    )
    try {
      const ask = async () => {
        const params = parseParams(registry['v3.traces'], { limit: 8 }, 'body')
        const { traces } = (await handlers['v3.traces']!(params as never, call)) as {
          traces: { warning?: string; transactions?: object }[]
        }
        return traces.map((trace) => [trace.transactions !== undefined, trace.warning])
      }
      const [missing, large] = ['missing node in trace found', 'trace is too large']
      // Their rows are not there: what is told of them is nothing.
      expect((await ask()).slice(0, 5)).toEqual([
        [true, missing],
        [true, missing],
        [false, large],
        [false, large],
        [true, undefined],
      ])
    } finally {
      await client.query('delete from traces where nodes = 4000')
    }
  })

  it('an aborted call cancels its statement', async () => {
    const waiting = async (): Promise<number> => {
      const { rows } = await client.query(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'tonway' and wait_event_type = 'Lock'`,
      )
      return rows[0].n
    }
    await client.query('begin')
    await client.query('lock table transactions in access exclusive mode')
    try {
      const leaving = new AbortController()
      const params = parseParams(registry['v3.transactions'], {}, 'body')
      const asked = handlers['v3.transactions']!(params as never, { ...call, signal: leaving.signal })
      asked.catch(() => {})
      await expect.poll(waiting).toBe(1)
      leaving.abort(new Error('gone'))
      await expect(asked).rejects.toThrow('gone')
      await expect.poll(waiting).toBe(0)
    } finally {
      await client.query('rollback')
    }
    expect(await handlers['v3.transactions']!(parseParams(registry['v3.transactions'], {}, 'body') as never, call)).toHaveProperty(
      'transactions',
    )
  })
})
