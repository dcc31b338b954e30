import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WHOLE_SHARD } from '../../../server/tlb/ids.ts'
import { differences, dump, indexUpTo } from '../../index/kit.ts'
import { createReplaySource } from '../../kit/chain/replay-source.ts'
import { startTestServer, type TestServer } from '../../kit/index/database.ts'
import { createTestPool, serve } from './kit.ts'

/* v3 is read from the tables: made over lite-servers, every row of every table is the one that is made from the files. */

const LAST = 120

describe(`the index of mainnet's first blocks over ADNL`, () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server?.close())

  it('the index over ADNL has the rows of the index over files', async () => {
    const source = createReplaySource(LAST)
    const [direct, remote] = [await server.database(), await server.database()]
    await indexUpTo(source, direct, LAST)
    const endpoint = await serve(source)
    const init = { ...source.store.zeroState, shard: WHOLE_SHARD, seqno: 0 }
    const pool = await createTestPool(source, [endpoint], { init, attemptMs: 30_000 })
    try {
      await pool.ready(60_000)
      await indexUpTo(pool, remote, LAST)
      expect(pool.status().servers[0]).toMatchObject({ faults: 0 })
    } finally {
      pool.close()
      await endpoint.close()
    }
    const rows = await dump(remote)
    expect(differences(await dump(direct), rows)).toEqual([])
    expect(rows['transactions']!.length).toBeGreaterThan(100)
  })
})
