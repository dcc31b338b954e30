import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatDifference } from '../../server/index/verify/compare.ts'
import { verifyIndex } from '../../server/index/verify/verify.ts'
import { createReplaySource } from '../kit/chain/replay-source.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { until } from '../kit/wait.ts'
import { differences, dump, indexUpTo, startIndexer } from './kit.ts'
import { createTally, makeTallyTables } from './tally.ts'

const LAST = 60
const { signal } = new AbortController()

describe('tables of a topic', () => {
  let server: TestServer
  let empty: string
  let indexed: ClientConfig & { readonly database: string }
  const tvm = createTestTvm({ workers: 1 })
  const deps = { tvm, topics: [createTally('seqno')] }
  const source = createReplaySource(LAST)
  beforeAll(async () => {
    server = await startTestServer()
    const made = await server.database()
    await makeTallyTables(server, made)
    empty = made.database
    indexed = await server.database(empty)
    await indexUpTo(source, indexed, LAST, deps)
  })
  afterAll(async () => {
    await server?.close()
    await tvm.close()
  })

  it('tables of a topic have rows of the start state, of states built from updates, and of results of get-methods', async () => {
    const { tally_contracts: contracts = [], tally_received: received = [], accounts } = await dump(indexed, deps.topics)
    const columns = contracts.map((row) => row.split('\t'))
    expect(columns.length).toBe(accounts.filter((row) => row.split('\t')[3] === '2').length)
    expect(columns.filter(([, mcSeqno]) => mcSeqno === '0').length).toBeGreaterThan(0)
    expect(columns.filter(([, , , , exitCode, answer]) => exitCode === '0' && Number(answer) >= 0).length).toBeGreaterThan(0)
    expect(columns.filter(([, , , , exitCode]) => exitCode !== '0').length).toBeGreaterThan(0)
    expect(received.length).toBeGreaterThan(100)
    expect(received[0]!.split('\t')[6]).toMatch(/^it's \\\\ "\d+"\\tof\\n\d+$/)
    const data = await server.run<{ same: boolean }>(
      indexed,
      `select encode(a.data_hash, 'hex') = t.described::json ->> 'data' and a.mc_seqno = t.mc_seqno as same from tally_contracts t join accounts a using (account)`,
    )
    expect(data.every(({ same }) => same)).toBe(true)
  })

  it('tables of a topic are the same block by block as in groups', async () => {
    const stepwise = await server.database(empty)
    for (const last of [1, 2, 3, 17, 18, LAST]) await indexUpTo(createReplaySource(last), stepwise, last, deps)
    expect(differences(await dump(stepwise, deps.topics), await dump(indexed, deps.topics))).toEqual([])
  })

  it('verify checks the tables of a topic', async () => {
    const copy = await server.database(indexed.database)
    const verify = async () => (await verifyIndex({ source, connection: copy, ...deps }, signal)).differences.map(formatDifference)
    expect(await verify()).toEqual([])
    await server.run(copy, `delete from tally_received where ctid = (select min(ctid) from tally_received)`)
    await server.run(copy, `update tally_received set note = note || '!' where ctid = (select max(ctid) from tally_received)`)
    await server.run(copy, `update tally_contracts set described = '{}' where ctid = (select max(ctid) from tally_contracts)`)
    await server.run(copy, `update tally_contracts set account = sha256(account) where ctid = (select min(ctid) from tally_contracts)`)
    const found = await verify()
    expect(found.filter((each) => each.startsWith('tally_received')).length).toBe(2)
    expect(found.filter((each) => each.startsWith('tally_contracts')).length).toBe(3)
    expect(found.length).toBe(5)
  })

  it('tables of another version are made anew, with all others', async () => {
    const copy = await server.database(indexed.database)
    await server.run(copy, `update index_extensions set version = 0`)
    await expect(verifyIndex({ source, connection: copy, ...deps }, signal)).rejects.toThrow(/another release/)
    await server.run(copy, `delete from tally_contracts`)
    await indexUpTo(source, copy, LAST, deps)
    expect(differences(await dump(copy, deps.topics), await dump(indexed, deps.topics))).toEqual([])
  })

  it('tables of a newer release are left alone', async () => {
    const copy = await server.database(indexed.database)
    await server.run(copy, `update index_extensions set version = version + 1 where name = 'core'`)
    const indexer = startIndexer(source, copy, deps)
    await until(() => indexer.status().error !== '')
    expect(indexer.status()).toMatchObject({ phase: 'refused', error: 'the index was made by a newer release of tonway' })
    await indexer.close()
    const rows = ({ transactions }: Awaited<ReturnType<typeof dump>>) => transactions
    expect(rows(await dump(copy, deps.topics))).toEqual(rows(await dump(indexed, deps.topics)))
  })
})
