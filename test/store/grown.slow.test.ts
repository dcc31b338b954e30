import { sql } from 'kysely'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import { createReader, type Reader } from '../../server/store/postgres/reader.ts'
import { createV3Handlers } from '../../server/v3/index.ts'
import { parseParams } from '../../shared/params.ts'
import { type MethodName, registry } from '../../shared/registry.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { fill, grow } from '../kit/index/filled.ts'
import { resultsOf } from '../kit/service/results.ts'
import { sleep } from '../kit/wait.ts'

/* Plans are kept with a connection: those that were made while the index was small must serve it when it is large, before anybody analyzes it. */

const { signal } = new AbortController()
const account = async (server: TestServer, database: ClientConfig, n: number): Promise<string> => {
  const [row] = await server.run<{ account: string }>(database, `select '0:' || encode(sha256('account ${n}'), 'hex') as account`)
  return row!.account
}

describe('an index that has grown', () => {
  let server: TestServer
  let database: ClientConfig
  let calls: readonly (readonly [MethodName, Record<string, string>])[]
  const few = 150
  const many = 15_000

  beforeAll(async () => {
    server = await startTestServer()
    database = await server.database()
    for (const table of ['transactions', 'messages', 'traces', 'blocks', 'tx_by_hash', 'cells', 'shard_tops'])
      await server.run(database, `alter table ${table} set (autovacuum_enabled = false)`)
    await fill(server, database, few)
    const [busy, quiet] = await Promise.all([account(server, database, 0), account(server, database, 7919 % 5003)])
    const hash = 'ab'.repeat(32)
    const seconds = { start_utime: '1700000001', end_utime: '1700000002' }
    const lts = { start_lt: '1010000', end_lt: '1020000' }
    calls = [
      ['v3.transactions', { account: busy }],
      ['v3.transactions', { account: quiet }],
      ['v3.transactions', { account: busy, sort: 'asc' }],
      ['v3.transactions', { account: quiet, ...seconds }],
      ['v3.transactions', { hash }],
      ['v3.transactions', { mc_seqno: '2' }],
      ['v3.transactions', { workchain: '0', shard: '8000000000000000', seqno: '2' }],
      ['v3.transactions', lts],
      ['v3.transactions', seconds],
      ['v3.transactions', {}],
      ['v3.messages', { source: busy }],
      ['v3.messages', { destination: quiet }],
      ['v3.messages', { msg_hash: hash }],
      ['v3.messages', { body_hash: hash }],
      ['v3.messages', { opcode: '1000003' }],
      ['v3.messages', seconds],
      ['v3.messages', lts],
      ['v3.messages', {}],
      ['v3.traces', { tx_hash: hash }],
      ['v3.traces', seconds],
      ['v3.traces', {}],
      ['v3.traces', { account: busy }],
      ['v3.blocks', { workchain: '0', shard: '8000000000000000', seqno: '2' }],
      ['v3.blocks', { root_hash: hash }],
      ['v3.blocks', {}],
      ['v3.masterchainBlockShards', { seqno: '2' }],
    ]
  })
  afterAll(() => server?.close())

  const caller = (reader: Reader) => {
    const handlers = resultsOf(createV3Handlers({ reader, v2: {} as never }))
    const call = { signal, requestId: '', log: silentLog, localAllowed: false, network: 'local' }
    return (name: MethodName, raw: Record<string, string>) =>
      handlers[name]!(parseParams(registry[name] as never, raw, 'query'), call).catch((error) => {
        if (!/not found/.test(String(error))) throw error
      })
  }
  /** Rows of tables that were read from end to end, and those with all entries of indexes, so far; `reader` tells what it has read. */
  const read = async (reader: Reader): Promise<{ readonly scanned: number; readonly all: number }> => {
    await reader.rows(sql`select pg_stat_force_next_flush()`, signal)
    const [row] = await server.run<{ scanned: number; all: number }>(
      database,
      `select scanned, scanned + found as all from (select sum(seq_tup_read)::int as scanned from pg_stat_user_tables) as t,
       (select sum(idx_tup_read)::int as found from pg_stat_user_indexes) as i`,
    )
    return row!
  }

  it('a grown index is read with the plans of a new connection, and never from end to end', async () => {
    const open = (life?: number) =>
      createReader(database, { connections: 1, statementTimeout: 20_000, ...(life !== undefined && { life }) })
    const [old, replanned] = [open(), open(2_000)]
    for (let i = 0; i < 12; i++)
      for (const [name, raw] of calls) await Promise.all([old, replanned].map((reader) => caller(reader)(name, raw)))
    await grow(server, database, few, many)
    await sleep(2_000)
    const scanned: string[] = []
    const costly: string[] = []
    for (const [name, raw] of calls) {
      const label = `${name} ${JSON.stringify(raw)}`
      const took = async (reader: Reader) => {
        const before = await read(reader)
        await caller(reader)(name, raw)
        const after = await read(reader)
        return { scanned: after.scanned - before.scanned, all: after.all - before.all }
      }
      const kept = await took(old)
      // One row is the published head.
      if (kept.scanned > 10) scanned.push(`${label}: ${kept.scanned} rows`)
      // The server may look at the tables between two plans: what is costly by an older look is planned anew. A plan for any values may pass over some
      // hundreds of entries (PostgreSQL 15), a walk from end to end over tens of thousands.
      for (let left = 3; ; left--) {
        const fresh = open()
        const [renewed, first] = [await took(replanned), await took(fresh)]
        await fresh.close()
        if (renewed.all <= 2 * first.all + 1000) break
        if (left === 1) {
          costly.push(`${label}: ${renewed.all} instead of ${first.all}`)
          break
        }
        await sleep(2_100)
      }
    }
    await Promise.all([old.close(), replanned.close()])
    expect(scanned).toEqual([])
    expect(costly).toEqual([])
  })
})
