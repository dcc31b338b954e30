import { createHash } from 'node:crypto'
import { type CompiledQuery, isCompilable } from 'kysely'
import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../../server/base/log.ts'
import { createReader, type Reader } from '../../../server/store/postgres/pool.ts'
import { createV3Handlers } from '../../../server/v3/index.ts'
import { parseParams } from '../../../shared/params.ts'
import { type MethodName, registry } from '../../../shared/registry.ts'
import { startTestServer, type TestServer } from '../../kit/index/database.ts'
import { fill } from '../../kit/index/filled.ts'
import { asSpread, splitTables } from '../../kit/index/spread.ts'
import { resultsOf } from '../../kit/service/results.ts'

/*
 * Nodes of a cluster keep one plan of a statement for any values. PostgreSQL then supposes how many rows a key has, and could read a table to its end to join it. `offset 0` in a
 * subquery is a fence: PostgreSQL does not mix it with what is around it, so its rows are found by their keys.
 */

const IS_CLUSTER = process.env['TONWAY_TEST_CITUS_URL'] !== undefined
const FENCE = / offset 0(?=\s*\))/g

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Plan[]
}

const LARGE = new Set(['transactions', 'messages', 'traces', 'cells', 'accounts', 'tx_by_hash', 'actions', 'action_accounts'])

/** Reads of large tables, or of their indexes, that are not by a key. */
const readsWithoutKey = (plan: Plan): readonly string[] => {
  const { 'Node Type': type, 'Relation Name': table, 'Index Cond': key, Plans = [] } = plan
  const isRead = table !== undefined && LARGE.has(table)
  // A bitmap of rows is made by an index scan below it.
  const isKeyed = key !== undefined || type === 'Bitmap Heap Scan'
  return [...(isRead && !isKeyed ? [`${type} of ${table}`] : []), ...Plans.flatMap(readsWithoutKey)]
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const account = `0:${hash('account 7')}`
const ASKED: readonly (readonly [MethodName, object])[] = [
  ['v3.transactions', { account, limit: 10 }],
  ['v3.transactions', { hash: hash('tx 300') }],
  ['v3.adjacentTransactions', { hash: hash('tx 300') }],
  ['v3.transactionsByMessage', { msg_hash: hash('message 300') }],
  ['v3.messages', { msg_hash: hash('message 300') }],
  ['v3.messages', { source: account }],
  ['v3.traces', { trace_id: hash('tx 300') }],
  ['v3.traces', { account }],
  ['v3.actions', { trace_id: hash('tx 300') }],
  ['v3.actions', { account }],
]

// A node of a real cluster has tables in place of the views.
describe.skipIf(IS_CLUSTER)('plans that nodes keep', () => {
  let server: TestServer
  let database: ClientConfig
  let reader: Reader
  let client: Client
  const fenced = new Set<string>()
  beforeAll(async () => {
    server = await startTestServer()
    database = await server.database()
    await fill(server, database, 6_000)
    await server.run(database, 'analyze')
    await splitTables(server, database)
    reader = createReader(database, { connections: 2 })
    client = new Client(database)
    await client.connect()
    // As connections of readers have it.
    await client.query('set enable_seqscan = off; set random_page_cost = 1.1; set jit = off; set plan_cache_mode = force_generic_plan')
  }, 120_000)
  afterAll(async () => {
    await client?.end()
    await reader?.close()
    await server?.close()
  })

  /** The same reader, which notes the statements with a fence that nodes get. */
  const noting = (of: Reader): Reader => ({
    ...of,
    snapshot: (run, signal, by) =>
      of.snapshot(
        (ask, known) =>
          run((query, planned) => {
            const compiled: CompiledQuery = isCompilable(query) ? query.compile() : query
            const isOfNode = /_10200\d/.test(compiled.sql)
            if (isOfNode && 'isPlanKept' in compiled && planned !== 'each' && FENCE.test(compiled.sql)) fenced.add(compiled.sql)
            FENCE.lastIndex = 0
            return ask(query, planned)
          }, known),
        signal,
        by,
      ),
  })

  const planOf = async (text: string): Promise<Plan> => {
    const count = new Set(text.match(/\$\d+/g)).size
    await client.query(`prepare kept as ${text}`)
    try {
      const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
        `explain (format json) execute kept${count > 0 ? `(${Array(count).fill('null').join(', ')})` : ''}`,
      )
      return rows[0]!['QUERY PLAN'][0].Plan
    } finally {
      await client.query('deallocate kept')
    }
  }
  const faultsOf = async (change: (text: string) => string): Promise<readonly string[]> => {
    const faults: string[] = []
    for (const text of fenced) faults.push(...readsWithoutKey(await planOf(change(text))).map((read) => `${read}: ${text}`))
    return faults
  }

  it('rows behind a fence are found by their keys, whatever the plan is made for', async () => {
    const failed: string[] = []
    const handlers = resultsOf(createV3Handlers({ reader: asSpread(noting(reader), (why) => void failed.push(why)), v2: {} as never }))
    const call = { signal: AbortSignal.timeout(60_000), requestId: '', log: silentLog, localAllowed: false, network: 'local' }
    for (const [method, params] of ASKED) await handlers[method]!(parseParams(registry[method] as never, params, 'body'), call)
    expect(failed).toEqual([])
    expect(fenced.size).toBeGreaterThan(5)
    expect(await faultsOf((text) => text)).toEqual([])
  })

  it('without the fence some of them are read from end to end, so this test would see that it is gone', async () => {
    expect((await faultsOf((text) => text.replaceAll(FENCE, ''))).length).toBeGreaterThan(0)
  })
})
