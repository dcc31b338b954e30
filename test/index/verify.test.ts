import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LiteFunction, type LiteServer, LiteServerError } from '../../server/chain/liteserver.ts'
import type { LocalChain } from '../../server/chain/local/local-chain.ts'
import { createSelection } from '../../server/index/service/account-selection.ts'
import { TOPICS } from '../../server/index/topics/registry.ts'
import type { Topic } from '../../server/index/topics/topic.ts'
import { formatDifference } from '../../server/index/verify/compare.ts'
import { type VerifyDeps, verifyIndex } from '../../server/index/verify/verify.ts'
import { bytea, int4 } from '../../server/store/schema/column.ts'
import { table } from '../../server/store/schema/table.ts'
import type { Tvm } from '../../server/tvm/tvm.ts'
import { createTestPool, serve } from '../chain/lite/kit.ts'
import { createTestChain } from '../kit/chain/local-chain.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { CITUS_URL } from '../kit/index/citus.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { indexUpTo } from './kit.ts'

/* What verify looks at besides rows of blocks, and how it ends. */

const BLOCKS = 6
const { signal } = new AbortController()

/** Its table is made a view that takes its time, for those who read it. */
const slow: Topic = {
  name: 'slow',
  version: 1,
  tables: [table('slow_rows', { kind: 'event', key: ['account'], group: 'transactions', columns: { account: bytea, mc_seqno: int4 } })],
  derive: async () => [],
}

describe('verify', () => {
  let server: TestServer
  let tvm: Tvm
  let chain: LocalChain
  let indexed: string
  let deps: Omit<VerifyDeps, 'connection'>
  const topics = [...TOPICS, slow]

  beforeAll(async () => {
    ;[server, tvm] = [await startTestServer(), createTestTvm({ workers: 1 })]
    chain = await createTestChain(tvm)
    await chain.control.fund({ workchain: 0, hash: new Uint8Array(32).fill(7) }, 1_000_000_000n, signal)
    // Of a contract its block shows the balance alone.
    await chain.control.fund(chain.control.wallets()[0]!.address, 1_000_000_000n, signal)
    await chain.control.mine(BLOCKS - chain.head!().id.seqno, signal)
    const made = await server.database()
    indexed = made.database
    await indexUpTo(chain, made, BLOCKS, { tvm, topics })
    await server.run(made, 'create table slow_rows (account bytea, mc_seqno integer)')
    deps = { source: chain, tvm, topics, network: 'test' }
  })
  afterAll(async () => {
    await chain?.close()
    await tvm?.close()
    await server?.close()
  })

  const found = async (connection: ClientConfig, more: Partial<VerifyDeps> = {}): Promise<readonly string[]> =>
    (await verifyIndex({ ...deps, ...more, connection }, signal)).differences.map(formatDifference)
  /** What verify finds when a statement has been at a copy of the index. */
  const foundAfter = async (statement: string, more: Partial<VerifyDeps> = {}): Promise<readonly string[]> => {
    const connection = await server.database(indexed)
    await server.run(connection, statement)
    return found(connection, more)
  }

  it('verify finds nothing in a correct index', async () => {
    expect(await foundAfter('select')).toEqual([])
  })

  it.each([
    ['update published_head set mc_seqno = mc_seqno + 500', `published_head 1: mc_seqno is ${BLOCKS + 500}, the blocks say ${BLOCKS}`],
    ['update published_head set mc_seqno = mc_seqno - 500', `published_head 1: mc_seqno is ${BLOCKS - 500}, the blocks say ${BLOCKS}`],
    ['update published_head set utime = 5', /^published_head 1: utime is 5, the blocks say 1760\d+$/],
    ['delete from published_head', 'published_head 1: the row is missing'],
    [`update index_checkpoint set root_hash = '\\xab'`, /^index_checkpoint 1: root_hash is \\xab, the blocks say \\x[0-9a-f]{64}$/],
    [`update index_checkpoint set file_hash = '\\xcd'`, /^index_checkpoint 1: file_hash is \\xcd, the blocks say \\x[0-9a-f]{64}$/],
    [`update index_checkpoint set network = 'mine'`, 'index_checkpoint 1: network is mine, the blocks say test'],
  ] as const)('verify finds %s', async (statement, text) => {
    expect(await foundAfter(statement)).toEqual([typeof text === 'string' ? text : expect.stringMatching(text)])
  })

  it('verify takes rows of an earlier release, which lack the hashes of messages, but not other hashes', async () => {
    expect(await foundAfter('update tx_by_hash set in_msg_hash = null, out_msg_hashes = null')).toEqual([])
    const [lost] = await foundAfter('update tx_by_hash set in_msg_hash = null where in_msg_hash is not null')
    expect(lost).toMatch(/^tx_by_hash .*: in_msg_hash is /)
    const [wrong] = await foundAfter(`update tx_by_hash set out_msg_hashes = '\\xab' where out_msg_hashes = ''`)
    expect(wrong).toMatch(/^tx_by_hash .*: out_msg_hashes is /)
  })

  it('verify finds a checkpoint beyond the chain, and one behind the written rows', async () => {
    const beyond = await foundAfter('update index_checkpoint set mc_seqno = mc_seqno + 500')
    expect(beyond).toEqual([`index_checkpoint 1: mc_seqno is ${BLOCKS + 500}, the blocks say ${BLOCKS}`])
    const behind = await foundAfter('update index_checkpoint set mc_seqno = mc_seqno - 1')
    expect(behind).toContainEqual(expect.stringMatching(/^index_checkpoint 1: root_hash is/))
    expect(behind).toContainEqual(`published_head 1: mc_seqno is ${BLOCKS}, the blocks say ${BLOCKS - 1}`)
    expect(behind).toContainEqual(expect.stringMatching(/^blocks .*: no block has this row$/))
  })

  it('verify accepts an index that has just begun, and finds its wrong head', async () => {
    const connection = await server.database()
    const { init } = await chain.query('getMasterchainInfo', {}, signal)
    await server.run(connection, `insert into index_checkpoint values (1, 'test', $1, 1, 0, $1, $2)`, [init.rootHash, init.fileHash])
    await server.run(connection, 'insert into published_head values (1, 0, 9, 0)')
    await server.run(connection, `insert into index_extensions values ('core', 1)`)
    const texts = await found(connection, { topics: [] })
    expect(texts).toContainEqual('published_head 1: utime is 9, the blocks say 0')
    expect(texts.filter((text) => text.startsWith('index_checkpoint'))).toEqual([])
  })

  it('verify works over lite-servers too', async () => {
    const endpoint = await serve(chain)
    const pool = await createTestPool(chain, [endpoint])
    try {
      await pool.ready(60_000)
      expect(await foundAfter('select', { source: pool, reverts: false })).toEqual([])
      expect(await foundAfter('update published_head set utime = 5', { source: pool, reverts: false })).toHaveLength(1)
    } finally {
      pool.close()
      await endpoint.close()
    }
  })

  it('verify counts the states that the source no longer has', async () => {
    const without = (...refused: readonly LiteFunction[]): LiteServer => ({
      ...chain,
      query: (fn, args, stop) =>
        refused.includes(fn) ? Promise.reject(new LiteServerError(651, 'not here any more')) : chain.query(fn, args, stop),
    })
    const connection = await server.database()
    await indexUpTo(without('getState'), connection, BLOCKS, { tvm, topics: [], from: 2 })
    const check = (source: LiteServer) => verifyIndex({ source, connection, tvm, topics: [] }, signal)
    expect(await check(without('getState'))).toMatchObject({ differences: [], forgotten: 0 })
    const { differences, forgotten } = await check(without('getState', 'getAccountState'))
    expect(forgotten).toBeGreaterThan(0)
    expect(differences.length).toBeGreaterThan(0)
  })

  it('verify says that the index moves on meanwhile', async () => {
    const connection = await server.database(indexed)
    const source: LiteServer = {
      ...chain,
      async query(fn, args, stop) {
        if (fn === 'getBlock') await server.run(connection, 'update index_checkpoint set mc_seqno = mc_seqno + 1')
        return chain.query(fn, args, stop)
      },
    }
    await expect(found(connection, { source })).rejects.toThrow(/moved on meanwhile/)
    // Nothing of it is left.
    expect(await server.run(connection, `select from pg_namespace where nspname like 'tonway_verify%'`)).toEqual([])
  })

  it.each([
    [`delete from tonway_migrations where name = (select max(name) from tonway_migrations)`, /earlier release of tonway: a start/],
    [`insert into tonway_migrations values ('9999-later', '2030')`, /made by a later tonway/],
    ['update index_extensions set version = version + 1', /made with other settings \(TONWAY_INDEX_ACCOUNTS\), or by another release/],
    ['truncate index_checkpoint', /holds no index/],
    ['drop table tonway_migrations', /holds no index/],
  ])('verify says what it cannot verify: %s', async (statement, text) => {
    await expect(foundAfter(statement)).rejects.toThrow(text)
  })

  it('verify says that the index was made for other accounts', async () => {
    await expect(foundAfter('select', { selection: createSelection([], [-1]) })).rejects.toThrow(/TONWAY_INDEX_ACCOUNTS/)
  })

  // On a cluster workers sleep, and the coordinator waits for them.
  it.skipIf(CITUS_URL !== undefined).each([
    [
      'in its last joins',
      ['drop table slow_rows', `create view slow_rows as select '\\x00'::bytea as account, 1 as mc_seqno from pg_sleep(600)`],
      'PgSleep',
    ],
    [
      'in its reads of rows',
      ['alter table messages rename to held', 'create view messages as select held.* from held, pg_sleep(600)'],
      'PgSleep',
    ],
  ])('verify ends soon after an abort, %s', async (_, statements, event) => {
    const connection = await server.database(indexed)
    for (const statement of statements) await server.run(connection, statement)
    const stop = new AbortController()
    const verifying = verifyIndex({ ...deps, connection }, stop.signal)
    const settled = verifying.catch((error: unknown) => error)
    const busy = async (): Promise<number> => {
      const rows = await server.run(
        connection,
        `select from pg_stat_activity where datname = current_database() and application_name = 'tonway-verify' and wait_event = $1`,
        [event],
      )
      return rows.length
    }
    await expect.poll(busy).toBeGreaterThan(0)
    const reason = new Error('stopped')
    stop.abort(reason)
    expect(await settled).toBe(reason)
    // And the database does nothing for it any more.
    await expect.poll(busy).toBe(0)
  })
})
