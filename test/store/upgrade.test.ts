import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HEAD_QUERY } from '../../server/store/head/index-head.ts'
import { type MigrationSet, migrate } from '../../server/store/migrate.ts'
import { MIGRATIONS } from '../../server/store/migrations/index.ts'
import { CITUS_URL } from '../kit/index/citus.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'

/* The tables are brought up to date while a service of the release before reads them. */

/** The migrations from 0014 on, undone: what the tables were before them. */
const UNDONE = [
  'create index dns_entries_wallet on dns_entries (wallet) where wallet is not null',
  'drop index dns_entries_shortest',
  'create index messages_body on messages using hash (body_hash) where listed',
  'create index messages_init on messages using hash (init_hash) where init_hash is not null',
  'create index messages_hash_norm on messages using hash (msg_hash_norm) where msg_hash_norm is not null',
  'create index transactions_trace on transactions using hash (trace_id)',
  'create index traces_external_hash_norm on traces using hash (external_hash_norm) where external_hash_norm is not null',
  'drop index messages_body_hash, messages_init_hash, messages_msg_hash_norm, transactions_trace_id, traces_hash_norm',
  'drop table token_flags',
  'drop table hooks',
  'create table departed_changes (account bytea not null primary key)',
  'alter table index_checkpoint drop column changes',
  'alter table published_head drop column changes',
  'alter table tx_by_hash drop column in_msg_hash, drop column out_msg_hashes',
  `delete from tonway_migrations where name >= '0014'`,
]
const setOf = (names: readonly string[]): MigrationSet => ({
  name: 'tonway_migrations',
  migrations: Object.fromEntries(names.map((name) => [name, MIGRATIONS[name]!])),
})
/** What the release before 0014 asks first in every answer. */
const PLACE_BEFORE = `select h.mc_seqno, h.utime, h.epoch, c.network from published_head h, index_checkpoint c`

describe.skipIf(CITUS_URL !== undefined)('an upgrade beside readers (tables of its own: not on a cluster)', () => {
  let server: TestServer
  let connection: ClientConfig
  beforeAll(async () => {
    server = await startTestServer()
    connection = await server.database()
    for (const statement of UNDONE) await server.run(connection, statement)
    await server.run(
      connection,
      `insert into index_checkpoint (id, network, zero_hash, first_mc_seqno, mc_seqno, root_hash, file_hash) values (1, 'test', '', 1, 1, '', '')`,
    )
    await server.run(connection, 'insert into published_head (id, mc_seqno, utime, epoch) values (1, 1, 1, 1)')
  }, 60_000)
  afterAll(async () => {
    await server?.close()
  })

  it('reads of the release before go on while the tables change, and none of them is a deadlock', { timeout: 60_000 }, async () => {
    let isOver = false
    let reads = 0
    const read = async (): Promise<void> => {
      const client = new Client(connection)
      await client.connect()
      try {
        while (!isOver) {
          const { rowCount } = await client.query(PLACE_BEFORE)
          expect(rowCount).toBe(1)
          reads++
        }
      } finally {
        await client.end()
      }
    }
    const reading = Array.from({ length: 8 }, read)
    const all = Promise.all(reading)
    all.catch(() => {})
    await expect.poll(() => reads).toBeGreaterThan(100)
    // A range of a backfill that the release before has begun.
    await server.run(connection, 'create schema tonway_range_7')
    await server.run(connection, 'create table tonway_range_7.tx_by_hash (like tx_by_hash including all)')
    await migrate(connection, setOf(Object.keys(MIGRATIONS)))
    expect(await server.run(connection, 'select hash, in_msg_hash, out_msg_hashes from tonway_range_7.tx_by_hash')).toEqual([])
    await server.run(connection, 'drop schema tonway_range_7 cascade')
    const before = reads
    await expect.poll(() => reads).toBeGreaterThan(before + 100)
    isOver = true
    await all
    expect(await server.run(connection, HEAD_QUERY.sql)).toMatchObject([{ isChanging: false, changes: 0 }])
  })

  it('the tables do not wait for ever for a reader that does not end, and all is as before', { timeout: 60_000 }, async () => {
    for (const statement of UNDONE) await server.run(connection, statement)
    const long = new Client(connection)
    await long.connect()
    await long.query('begin')
    await long.query(PLACE_BEFORE)
    await expect(migrate(connection)).rejects.toMatchObject({ code: '55P03' })
    expect(await server.run(connection, PLACE_BEFORE)).toHaveLength(1)
    await long.query('commit')
    await long.end()
    await migrate(connection)
    expect(await server.run(connection, HEAD_QUERY.sql)).toHaveLength(1)
  })
})
