import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LiteServer, LiteServerError } from '../../server/chain/liteserver.ts'
import type { LocalChain } from '../../server/chain/local/local-chain.ts'
import { TOPICS } from '../../server/index/topics/registry.ts'
import { formatDifference } from '../../server/index/verify/compare.ts'
import { verifyIndex } from '../../server/index/verify/verify.ts'
import { migrate } from '../../server/store/migrate.ts'
import { MIGRATIONS } from '../../server/store/migrations/index.ts'
import { connect } from '../../server/store/postgres/connection.ts'
import type { BlockId } from '../../server/tlb/ids.ts'
import type { Tvm } from '../../server/tvm/tvm.ts'
import { createTestChain } from '../kit/chain/local-chain.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { copyLines } from '../kit/index/copy-lines.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'

/*
 * Databases that the release before 0008-as-recorded wrote (test/data/README.md says how), brought up to date: what the blocks say now is what stands
 * there, though no block is indexed anew.
 */

const data = (name: string): string => new URL(`../data/index-0007/${name}`, import.meta.url).pathname
const FIRST_OF_MIDDLE = 5
const { signal } = new AbortController()

interface Saved {
  readonly tables: Readonly<Record<string, { readonly columns: string; readonly lines: readonly string[] }>>
}

describe('a database of the release before', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tonway-0007-'))
  let server: TestServer
  let tvm: Tvm
  let chain: LocalChain

  beforeAll(async () => {
    writeFileSync(join(directory, 'chain.log'), gunzipSync(readFileSync(data('chain.log.gz'))))
    copyFileSync(data('chain.idx'), join(directory, 'chain.idx'))
    ;[server, tvm] = [await startTestServer(), createTestTvm({ workers: 1 })]
    chain = await createTestChain(tvm, { dataDir: directory })
  })
  afterAll(async () => {
    await chain?.close()
    await tvm?.close()
    await server?.close()
    rmSync(directory, { recursive: true, force: true })
  })

  /** The saved rows in the tables that they were written for. */
  const restore = async (name: string): Promise<{ readonly database: ClientConfig; readonly saved: Saved }> => {
    const saved = JSON.parse(gunzipSync(readFileSync(data(`${name}.json.gz`))).toString()) as Saved
    const database = await server.database('template0')
    const before = Object.fromEntries(Object.entries(MIGRATIONS).filter(([each]) => each < '0008'))
    await migrate(database, { name: 'tonway_migrations', migrations: before })
    const connection = await connect(database)
    for (const [table, { columns, lines }] of Object.entries(saved.tables)) await copyLines(connection, `${table} (${columns})`, lines)
    await connection.close()
    return { database, saved }
  }

  /** The index that began in the middle was given no whole states. */
  const stateless: () => LiteServer = () => ({
    ...chain,
    query: (asked, args, stop) =>
      asked === 'getState' && (args as { readonly id: BlockId }).id.seqno > 0
        ? Promise.reject(new LiteServerError(651, 'no whole states here'))
        : chain.query(asked, args, stop),
  })

  const verified = async (source: LiteServer, connection: ClientConfig, saved: Saved): Promise<readonly string[]> => {
    // Topics that came later are no part of what was saved. Later versions of the others make the same rows of these blocks: what they changed is not in them.
    const makers = new Map(saved.tables['index_extensions']!.lines.map((line) => line.split('\t') as [string, string]))
    const topics = TOPICS.filter(({ name }) => makers.has(name)).map((topic) => ({ ...topic, version: Number(makers.get(topic.name)) }))
    const report = await verifyIndex({ source, connection, tvm, network: 'test', topics }, signal)
    expect(report.rows).toBeGreaterThan(100)
    return report.differences.map(formatDifference)
  }

  it('an upgraded database of the release before has what the blocks say', async () => {
    const { database, saved } = await restore('whole')
    await migrate(database)
    expect(await verified(chain, database, saved)).toEqual([])
    const [traces] = await server.run<Record<string, string>>(
      database,
      `select count(*) filter (where m.msg_hash is null) as bare, count(*) filter (where t.external_hash = m.msg_hash) as told,
         count(*) filter (where t.external_hash_norm is not null) as norm
       from traces t join tx_by_hash h on h.hash = t.trace_id left join messages m on m.tx_account = h.account and m.tx_lt = h.lt and m.direction = 0`,
    )
    // Two came from outside, one of them not in its normal form; before, the others were told no hash.
    expect(traces).toEqual({ bare: '0', told: '9', norm: '1' })
    expect(saved.tables['traces']!.lines.filter((line) => line.split('\t')[1] === '\\N').length).toBe(7)
    const norms = await server.run(database, 'select from messages where msg_hash_norm is not null')
    expect(norms.length).toBe(1)
  })

  it('an upgraded database that began in the middle of a chain, with broken traces, has what the blocks say', async () => {
    const { database, saved } = await restore('middle')
    await migrate(database)
    expect(await verified(stateless(), database, saved)).toEqual([])
    const broken = await server.run(database, 'select from traces where state = 2 and external_hash is not null')
    expect(broken.length).toBe(5)
    expect(FIRST_OF_MIDDLE).toBe(Number(saved.tables['index_checkpoint']!.lines[0]!.split('\t')[3]))
  })

  it('without the migration the database would differ, so the check can fail', async () => {
    const { database, saved } = await restore('whole')
    await migrate(database)
    await server.run(database, 'update traces set external_hash = null where external_hash_norm is null')
    await server.run(database, 'update accounts set first_lt = first_lt + 1 where account in (select account from nft_items)')
    const found = await verified(chain, database, saved)
    expect(found.filter((text) => text.startsWith('traces')).length).toBe(8)
    expect(found.filter((text) => text.startsWith('accounts')).length).toBe(2)
  })
})
