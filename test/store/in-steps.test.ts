import { createHash } from 'node:crypto'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import { createReader, type Reader } from '../../server/store/postgres/reader.ts'
import { createV3Handlers } from '../../server/v3/index.ts'
import { parseParams } from '../../shared/params.ts'
import { type MethodName, type Result, registry } from '../../shared/registry.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { fill } from '../kit/index/filled.ts'
import { resultsOf } from '../kit/service/results.ts'

/* Answers that are read in steps, because a cluster cannot join what they are made of. Here PostgreSQL joins it. */

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const ADJACENT = `select encode(k.hash, 'hex') as of, m.direction, encode(t.hash, 'base64') as hash from tx_by_hash k
    join messages m on m.tx_account = k.account and m.tx_lt = k.lt
    join messages other on other.msg_hash = m.msg_hash and other.direction <> m.direction
    join transactions t on t.account = other.tx_account and t.lt = other.tx_lt
  where k.hash = any($1) order by t.lt, t.account`
const ACTIONS = `select encode(a.action_id, 'base64') as id from action_accounts l join actions a on a.trace_id = l.trace_id and a.action_id = l.action_id
  where l.account = $1 and a.type = $2 order by l.trace_end_lt desc, l.trace_id desc, l.action_end_lt desc, l.action_id desc`

describe('answers that are read in steps', () => {
  let server: TestServer
  let database: ClientConfig
  let reader: Reader
  beforeAll(async () => {
    server = await startTestServer()
    database = await server.database()
    await fill(server, database, 300)
    // One that sent nothing.
    await server.run(database, `delete from messages where direction = 1 and msg_hash = '\\x${hash('message 13')}'`)
    await server.run(database, `update tx_by_hash set out_msg_hashes = '' where hash = '\\x${hash('tx 12')}'`)
    reader = createReader(database, { connections: 2 })
  }, 120_000)
  afterAll(async () => {
    await reader?.close()
    await server?.close()
  })

  const ask = async <M extends MethodName>(method: M, params: object): Promise<Result<M>> => {
    const handlers = resultsOf(createV3Handlers({ reader, v2: {} as never }))
    const call = { signal: AbortSignal.timeout(60_000), requestId: '', log: silentLog, localAllowed: false, network: 'local' } as const
    return (await handlers[method]!(parseParams(registry[method] as never, params, 'body'), call)) as Result<M>
  }
  const found = async (params: object): Promise<readonly string[]> => {
    try {
      return (await ask('v3.adjacentTransactions', params)).transactions.map((one) => one.hash)
    } catch (error) {
      expect(String(error)).toContain('adjacent transactions not found')
      return []
    }
  }

  // Rows of earlier releases lack the hashes of the messages.
  it.each([
    ['with the hashes of its messages beside its key', 'select 1'],
    ['without them', 'update tx_by_hash set in_msg_hash = null, out_msg_hashes = null'],
  ])('what is next to a transaction is found %s', async (_, change) => {
    await server.run(database, change)
    const counts = new Set<number>()
    const numbers = [0, 1, 2, 12, 13, 30, 298, 299, 301]
    // One question for all: on a cluster each is asked at a copy of all tables.
    const keys = numbers.map((i) => Buffer.from(hash(`tx ${i}`), 'hex'))
    const rows = await server.run<{ of: string; direction: number; hash: string }>(database, ADJACENT, [keys])
    for (const i of numbers)
      for (const [direction, directions] of [
        [undefined, [0, 1]],
        ['in', [0]],
        ['out', [1]],
      ] as const) {
        const own = rows.filter(({ of, direction }) => of === hash(`tx ${i}`) && directions.some((each) => each === direction))
        const expected = [...new Set(own.map((row) => row.hash))]
        expect([i, direction, await found({ hash: hash(`tx ${i}`), ...(direction && { direction }) })]).toEqual([i, direction, expected])
        counts.add(expected.length)
      }
    expect([...counts].sort()).toEqual([0, 1, 2])
  })

  it('actions of an account are those of a type, however many others stand between them', async () => {
    const key = Buffer.from(`00000000${hash('account 7')}`, 'hex')
    await server.run(database, `update actions set type = 'tgbtc_mint' where get_byte(trace_id, 0) % 16 = 0`)
    // All of them are listed under one account.
    await server.run(
      database,
      `insert into action_accounts (account, trace_end_lt, trace_id, action_end_lt, action_id, trace_end_utime, mc_seqno)
         select distinct $1::bytea, trace_end_lt, trace_id, action_end_lt, action_id, trace_end_utime, mc_seqno from action_accounts on conflict do nothing`,
      [key],
    )
    const account = `0:${hash('account 7')}`
    for (const type of ['tgbtc_mint', 'ton_transfer']) {
      const expected = (await server.run<{ id: string }>(database, ACTIONS, [key, type])).map(({ id }) => id)
      expect(expected.length).toBeGreaterThan(4)
      const pageOf = async (page: object): Promise<readonly string[]> =>
        (await ask('v3.actions', { account, action_type: [type], ...page })).actions.map(({ action_id }) => action_id)
      expect(await pageOf({ limit: 1000 })).toEqual(expected)
      expect(await pageOf({ limit: 3 })).toEqual(expected.slice(0, 3))
      expect(await pageOf({ limit: 2, offset: 2 })).toEqual(expected.slice(2, 4))
    }
  })
})
