import { createHash } from 'node:crypto'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import { createReader, type Reader } from '../../server/store/postgres/reader.ts'
import { createV3Handlers } from '../../server/v3/index.ts'
import { parseParams } from '../../shared/params.ts'
import { type MethodName, methodNames, type Result, registry } from '../../shared/registry.ts'
import { CITUS_URL } from '../kit/index/citus.ts'
import { loadParser } from '../kit/index/citus-rules.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { asDistributed, createFaultList } from '../kit/index/distributed.ts'
import { type Explained, explaining } from '../kit/index/explaining.ts'
import { fill } from '../kit/index/filled.ts'
import { resultsOf } from '../kit/service/results.ts'

/* Every filter of every v3 method over a filled database: no statement may read a large table, or an index, from end to end. */

const LARGE = new Set([
  'blocks',
  'shard_tops',
  'transactions',
  'tx_by_hash',
  'messages',
  'cells',
  'accounts',
  'traces',
  'actions',
  'action_accounts',
])

const MANNERS = new Set([
  'limit',
  'offset',
  'sort',
  'cursor',
  'include_boc',
  'include_actions',
  'include_accounts',
  'supported_action_types',
  'include_transactions',
  'use_v2',
  'proofs',
])
const HASH = Buffer.alloc(32, 7).toString('hex')

/** What nothing has: a list of it is looked for to its end. */
const ABSENT: Readonly<Record<string, string>> = {
  account: `0:${HASH}`,
  address: `0:${HASH}`,
  source: `0:${HASH}`,
  destination: `0:${HASH}`,
  hash: HASH,
  tx_hash: HASH,
  trace_id: HASH,
  action_id: HASH,
  action_type: 'nft_mint',
  msg_hash: HASH,
  body_hash: HASH,
  opcode: '77',
  lt: '77',
}

const IS_CLUSTER = CITUS_URL !== undefined

/**
 * Pages that a list of ten touches, with all that stands beside it; the smallest of the large indexes has more. On a cluster each shard looks for each key in an
 * index of its own, which is more than a small shard has at all: there scans alone tell.
 */
const MOST_PAGES = IS_CLUSTER ? Infinity : 250
/** The order is by time, which lt only resembles: what is before the window is passed over. */
const PASSED_OVER = /^v3\.blocks .*"(start|end)_lt"/

describe('plans of v3', () => {
  let server: TestServer
  let database: ClientConfig
  let reader: Reader
  let sample: Record<string, string>
  const slow: string[] = []
  let statements = 0
  let plansForAny = 0
  const citus = createFaultList()

  beforeAll(async () => {
    server = await startTestServer()
    database = await server.database()
    await loadParser()
    await fill(server, database, 30_000)
    reader = createReader(database, { connections: 2, statementTimeout: 20_000 })
    const [row] = await server.run<Record<string, string>>(
      database,
      `select '0:' || encode(substr(m.source, 5), 'hex') as source, '0:' || encode(substr(m.destination, 5), 'hex') as destination, encode(m.msg_hash, 'hex') as msg_hash,
       encode(m.body_hash, 'hex') as body_hash, m.opcode::text as opcode, encode(t.hash, 'hex') as hash, encode(t.trace_id, 'hex') as trace_id, t.lt::text as lt
       from messages m join transactions t on t.account = m.tx_account and t.lt = m.tx_lt where m.direction = 1 and t.mc_seqno = 300 and t.lt % 3000 = 1000 limit 1`,
    )
    const found = row!
    sample = {
      ...found,
      account: found['source']!,
      address: found['source']!,
      exclude_account: found['source']!,
      tx_hash: found['hash']!,
      action_id: createHash('sha256').update(Buffer.from(found['trace_id']!, 'hex')).digest('hex'),
      action_type: 'ton_transfer',
      exclude_action_type: 'jetton_transfer',
      initiated_by_account: 'true',
      ext_msg_hash: HASH,
      code_hash: HASH,
      root_hash: HASH,
      file_hash: HASH,
      workchain: '0',
      shard: '8000000000000000',
      seqno: '300',
      mc_seqno: '300',
      as_of: '300',
      start_utime: '1700000300',
      end_utime: '1700000400',
      start_lt: '15000000',
      end_lt: '16000000',
      direction: 'in',
      exclude_externals: 'true',
      only_externals: 'true',
    }
  })
  afterAll(async () => {
    await reader?.close()
    await server?.close()
  })

  const look =
    (label: () => string) =>
    ({ sql, scanned, scannedForAny, pages }: Explained): void => {
      statements += 1
      if (scannedForAny) plansForAny += 1
      const read = [...scanned, ...(scannedForAny ?? [])].filter((table) => LARGE.has(table))
      if (read.length > 0) slow.push(`${label()} reads all of ${read.join(', ')}: ${sql}`)
      if (pages > MOST_PAGES && !PASSED_OVER.test(label())) slow.push(`${label()} touches ${pages} pages: ${sql}`)
    }

  // Those of contracts have tests of their own (test/index/topics/plans.slow.test.ts).
  const v3 = methodNames.filter(
    (name) =>
      name.startsWith('v3.') &&
      !/Information$|^v3\.blockProof$|\.(message|estimateFee|runGetMethod|decode)$|^v3\.(vesting$|[a-z]+\.)/.test(name),
  )
  const requirement: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    direction: { opcode: 'opcode' },
    source: { opcode: 'opcode' },
    destination: { opcode: 'opcode' },
  }

  const byMessage: ReadonlySet<MethodName> = new Set(['v3.transactions', 'v3.transactionsByMessage'])

  it.each(v3)('every filter of %s has an index, and statements that Citus takes', async (name: MethodName) => {
    let label = ''
    const handlers = resultsOf(
      createV3Handlers({
        reader: explaining(
          reader,
          look(() => label),
          { run: true },
        ),
        v2: {} as never,
      }),
    )
    const distributed = resultsOf(createV3Handlers({ reader: asDistributed(reader, citus.check), v2: {} as never }))
    const call = { signal: new AbortController().signal, requestId: '', log: silentLog, localAllowed: false, network: 'local' }
    const def = registry[name]
    const keys = Object.keys(def.params.shape)
    const filters = keys.filter((key) => !MANNERS.has(key) && !key.startsWith('x_'))
    const unknown = filters.filter((key) => sample[key] === undefined)
    expect(unknown).toEqual([])
    const required = filters.filter(
      (key) =>
        !def.params.shape[key as never] ||
        !(def.params.shape[key as never] as { safeParse(v: unknown): { success: boolean } }).safeParse(undefined).success,
    )
    const sets = [[], ...filters.map((key) => [key])].map((set) => [...new Set([...required, ...set])])
    for (const [values, set] of [sample, { ...sample, ...ABSENT }].flatMap((from) => sets.map((set) => [from, set] as const))) {
      for (const sort of keys.includes('sort') ? ['asc', 'desc'] : ['']) {
        const needed = byMessage.has(name) ? set.flatMap((key) => Object.keys(requirement[key] ?? {})) : []
        const raw = Object.fromEntries([...set, ...needed].map((key) => [key, values[key]]))
        if (sort !== '') raw['sort'] = sort
        label = `${name} ${JSON.stringify(raw)}`
        try {
          const answer = await handlers[name]!(parseParams(def as never, raw, 'query'), call)
          // A Citus cluster is told more in some statements, and gives the same answer.
          expect(await distributed[name]!(parseParams(def as never, raw, 'query'), call), label).toEqual(answer)
        } catch (error) {
          // A method that wants one of several filters says so, and some tell what they do not find; anything else is a fault.
          const isNone = name === 'v3.pendingTransactions' || values !== sample
          if (!/at least|should be specified|only with|is required/.test(String(error)) && !(isNone && /not found/.test(String(error))))
            throw new Error(label, { cause: error })
        }
      }
    }
    expect(slow.splice(0)).toEqual([])
    expect(citus.found.splice(0)).toEqual([])
  })

  it('messages that cannot exist are not looked for', async () => {
    const asked: string[] = []
    const handlers = resultsOf(createV3Handlers({ reader: explaining(reader, ({ sql }) => asked.push(sql)), v2: {} as never }))
    const call = { signal: AbortSignal.timeout(120_000), requestId: '', log: silentLog, localAllowed: false, network: 'local' }
    const found = async (query: Record<string, string>): Promise<number> => {
      asked.length = 0
      const params = parseParams(registry['v3.messages'], query, 'query')
      return ((await handlers['v3.messages']!(params, call)) as Result<'v3.messages'>).messages.length
    }
    const reads = (): boolean => asked.some((sql) => sql.includes('from "messages"'))
    const account = sample['source']!
    for (const outside of [{ source: 'null' }, { only_externals: 'true' }, { source: 'null', only_externals: 'true' }] as Record<
      string,
      string
    >[]) {
      expect(await found(outside)).toBe(10)
      expect(await found({ ...outside, direction: 'in', destination: account, exclude_externals: 'false' })).toBeGreaterThan(0)
      for (const and of ['start_utime', 'end_utime', 'start_lt', 'end_lt', 'exclude_externals'])
        expect([await found({ ...outside, [and]: sample[and]! }), reads()], and).toEqual([0, false])
      for (const and of [{ direction: 'out' }, { destination: 'null' }] as Record<string, string>[])
        expect([await found({ ...outside, ...and }), reads()]).toEqual([0, false])
    }
    expect([await found({ source: account, only_externals: 'true' }), reads()]).toEqual([0, false])
    expect([await found({ destination: 'null', direction: 'in' }), reads()]).toEqual([0, false])
    // Logs are sent.
    expect([await found({ destination: 'null', direction: 'out', exclude_externals: 'true' }), reads()]).toEqual([0, true])
  })

  it('some statements were checked at all', () => {
    expect(statements).toBeGreaterThan(100)
    expect(citus.checked()).toBeGreaterThan(100)
  })

  // A cluster makes each plan for its values.
  it.skipIf(IS_CLUSTER)('some plans that hold for any values were checked', () => {
    expect(plansForAny).toBeGreaterThan(100)
  })
})
