import { createHash } from 'node:crypto'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../../server/base/log.ts'
import { createReader, type Reader } from '../../../server/store/postgres/pool.ts'
import { createV3Handlers } from '../../../server/v3/index.ts'
import { parseParams } from '../../../shared/params.ts'
import { registry } from '../../../shared/registry.ts'
import { startTestServer, type TestServer } from '../../kit/index/database.ts'
import { fill } from '../../kit/index/filled.ts'
import { asSpread, splitTables } from '../../kit/index/spread.ts'
import { resultsOf } from '../../kit/service/results.ts'

/* On a cluster the hashes of a transaction's messages stand beside its key. Rows of earlier releases lack them. */

const IS_CLUSTER = process.env['TONWAY_TEST_CITUS_URL'] !== undefined
const METHOD = 'v3.adjacentTransactions'
const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

// A node of a real cluster has tables in place of the views.
describe.skipIf(IS_CLUSTER)('what is next to a transaction, asked of nodes', () => {
  let server: TestServer
  let database: ClientConfig
  let reader: Reader
  /** Statements that were refused by a node. */
  const failed: string[] = []

  beforeAll(async () => {
    server = await startTestServer()
    database = await server.database()
    await fill(server, database, 60)
    // One that sent nothing.
    await server.run(database, `delete from messages where direction = 1 and msg_hash = '\\x${hash('message 13')}'`)
    await server.run(database, `update tx_by_hash set out_msg_hashes = '' where hash = '\\x${hash('tx 12')}'`)
    await splitTables(server, database)
    reader = createReader(database, { connections: 2 })
  }, 120_000)
  afterAll(async () => {
    await reader?.close()
    await server?.close()
  })

  const askedOf = (of: Reader) => {
    const handlers = resultsOf(createV3Handlers({ reader: of, v2: {} as never }))
    const call = { signal: AbortSignal.timeout(60_000), requestId: '', log: silentLog, localAllowed: false, network: 'local' } as const
    return async (params: object): Promise<unknown> => {
      try {
        return await handlers[METHOD]!(parseParams(registry[METHOD] as never, params, 'body'), call)
      } catch (error) {
        return String(error)
      }
    }
  }
  const QUESTIONS = [0, 1, 2, 12, 13, 30, 58, 59, 61].flatMap((i) =>
    [undefined, 'in', 'out'].map((direction) => ({ hash: hash(`tx ${i}`), ...(direction && { direction }) })),
  )

  it('the answers are those of one database, with the hashes of messages and without', async () => {
    const [plain, spread] = [askedOf(reader), askedOf(asSpread(reader, (why) => void failed.push(why)))]
    for (const change of ['select 1', 'update tx_by_hash set in_msg_hash = null, out_msg_hashes = null']) {
      await server.run(database, change)
      for (const params of QUESTIONS) expect([params, await spread(params)]).toEqual([params, await plain(params)])
    }
    expect(failed).toEqual([])
    const both = (await spread({ hash: hash('tx 1') })) as { readonly transactions: readonly { readonly hash: string }[] }
    const b64 = (text: string): string => Buffer.from(hash(text), 'hex').toString('base64')
    expect(both.transactions.map((one) => one.hash)).toEqual([b64('tx 0'), b64('tx 2')])
    expect(await spread({ hash: hash('tx 12'), direction: 'out' })).toContain('adjacent transactions not found')
  })
})
