import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrateTables } from '../../server/cli/maintenance.ts'
import { connect } from '../../server/store/postgres/connection.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { configOf, listen, runWith } from './kit.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

it('migrate brings the tables of keys and index to this release, and does nothing the second time', async () => {
  const connection = await server.database()
  for (let run = 0; run < 2; run++) {
    const { streams, out } = listen()
    expect(await migrateTables({ config: configOf('--database-url', urlOf(connection)) }, streams)).toBe(0)
    expect(out).toEqual(['the tables of the keys are of this release', 'local: the tables of the index are of this release'])
  }
  const db = await connect(connection, 'test')
  const tables = await db.query(`select to_regclass('transactions') is not null and to_regclass('tonway_migrations') is not null as there`)
  expect(tables).toEqual([{ there: true }])
  await db.close()
})

it('migrate without a DATABASE_URL, or with one that does not answer, says so', async () => {
  const run = (...argv: string[]) => runWith((streams) => migrateTables({ config: configOf(...argv) }, streams))
  expect(await run()).toMatchObject({ code: 2, err: [expect.stringContaining('migrate needs DATABASE_URL')] })
  expect(await run('--database-url', 'postgres://me@127.0.0.1:1/none')).toMatchObject({
    code: 1,
    err: [expect.stringContaining('cannot migrate')],
  })
})
