import { sql } from 'kysely'
import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createSpreadReader } from '../../../server/store/nodes/nodes.ts'
import type { Reader } from '../../../server/store/postgres/pool.ts'
import { readIndex, type View } from '../../../server/store/queries/head.ts'
import { startTestServer, type TestServer } from '../../kit/index/database.ts'
import { fill } from '../../kit/index/filled.ts'
import { splitTables } from '../../kit/index/spread.ts'

/* The reader of a cluster at a server that says that it is one, with itself as the only node. */

const IS_CLUSTER = process.env['TONWAY_TEST_CITUS_URL'] !== undefined

/** What Citus has in its catalog, with views as the shards of `accounts`. */
const catalogOf = ({ host, port }: Client): readonly string[] => [
  `insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion) values (99999, 'citus', 10, 2200, false, '0')`,
  `create function citus_version() returns text language sql return 'none'`,
  'create table pg_dist_partition (logicalrelid regclass, partmethod "char")',
  'create table pg_dist_shard (logicalrelid regclass, shardid bigint, shardminvalue text, shardmaxvalue text)',
  // Its value is not what ours is, so that every node is asked.
  'create function worker_hash(value bytea) returns integer language sql return 0',
  'create table pg_dist_placement (placementid bigint, shardid bigint, groupid integer)',
  'create table pg_dist_node (nodeid integer, groupid integer, nodename text, nodeport integer, noderole text, isactive boolean)',
  `insert into pg_dist_partition values ('accounts', 'h')`,
  `insert into pg_dist_shard select 'accounts', 102000 + i, '0', '0' from generate_series(0, 3) as i`,
  'insert into pg_dist_placement select i, 102000 + i, 1 from generate_series(0, 3) as i',
  `insert into pg_dist_node values (1, 1, '${host}', ${port}, 'primary', true)`,
]

const { signal } = new AbortController()

describe.skipIf(IS_CLUSTER)('a reader that asks the nodes of a cluster', () => {
  let server: TestServer
  let database: ClientConfig
  let reader: Reader
  const run = (text: string): Promise<unknown> => server.run(database, text)

  beforeAll(async () => {
    server = await startTestServer()
    database = await server.database()
    await fill(server, database, 300)
    await splitTables(server, database)
    for (const text of catalogOf(new Client(database))) await run(text)
    reader = createSpreadReader(database, { connections: 3 })
  }, 120_000)

  afterAll(async () => {
    await reader?.close()
    await server?.close()
  })

  /** How an answer was read at last, and its accounts. */
  const read = (): Promise<{ isSpread: boolean; accounts: number }> =>
    readIndex(reader, signal, async (view) => {
      const rows = await view.shards(view.sql.selectFrom('accounts').select('account'))
      return { isSpread: view.isSpread, accounts: new Set(rows.map(({ account }) => account.toString('hex'))).size }
    })
  const untilSpread = (): Promise<number> =>
    vi.waitFor(
      async () => {
        const { isSpread, accounts } = await read()
        expect(isSpread).toBe(true)
        return accounts
      },
      { timeout: 5_000, interval: 50 },
    )

  it('nodes have the rows that the coordinator has', async () => {
    const [row] = await server.run<{ count: string }>(database, 'select count(*) from accounts')
    expect(await untilSpread()).toBe(Number(row!.count))
  })

  it('a read that is torn while its statements run leaves the nodes in use', async () => {
    await untilSpread()
    await run('update index_checkpoint set mc_seqno = mc_seqno + 1')
    const ends: Promise<unknown>[] = []
    const slowly = async (view: View): Promise<boolean> => {
      const reading = (async () => {
        await view.shards(sql`select pg_sleep(0.1)`.compile(view.sql))
        await view.shards(view.sql.selectFrom('accounts').select('account').limit(1))
      })()
      ends.push(reading.catch(() => {}))
      await reading
      return view.isSpread
    }
    expect(await readIndex(reader, signal, slowly)).toBe(false)
    expect(ends).toHaveLength(2)
    await Promise.all(ends)
    await run('update index_checkpoint set mc_seqno = mc_seqno - 1')
    await untilSpread()
  })

  it('while actions are derived anew, answers are read in transactions', async () => {
    await untilSpread()
    await run(`delete from actions_progress`)
    await run(`insert into actions_progress (id, version, end_lt, trace_id, done) values (1, 1, 0, '', false)`)
    expect((await read()).isSpread).toBe(false)
    await run('update actions_progress set done = true')
    await untilSpread()
  })

  it('a statement over a table that nodes lack is read of the coordinator', async () => {
    await untilSpread()
    const found = await readIndex(reader, signal, async (view) => ({
      isSpread: view.isSpread,
      rows: await view.shards(view.sql.selectFrom('transactions').select('hash').limit(5)),
    }))
    expect(found).toMatchObject({ isSpread: false, rows: { length: 5 } })
  })

  describe('after a shard has moved', () => {
    const moved = async (then: (spread: () => Promise<boolean>) => Promise<void>): Promise<void> => {
      const own = createSpreadReader(database, { connections: 2 })
      try {
        const spread = (): Promise<boolean> =>
          readIndex(own, signal, async (view) => {
            await view.shards(view.sql.selectFrom('accounts').select('account').limit(1))
            return view.isSpread
          })
        await vi.waitFor(async () => expect(await spread()).toBe(true), { timeout: 5_000, interval: 50 })
        await run('update pg_dist_placement set placementid = placementid + 1000 where placementid % 1000 = 3')
        // The node has the rows of this head until Citus removes them.
        expect(await spread()).toBe(true)
        await then(spread)
      } finally {
        await own.close()
      }
    }

    it('an answer at a new head is read again', () =>
      moved(async (spread) => {
        await run('update published_head set utime = utime + 1')
        expect(await spread()).toBe(false)
      }))

    it('an answer is read again a second later, without a new head too', () =>
      moved((spread) => vi.waitFor(async () => expect(await spread()).toBe(false), { timeout: 2_000, interval: 50 })))
  })
})
