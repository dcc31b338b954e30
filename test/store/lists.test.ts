import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesList, integersList, textsList } from '../../server/store/postgres/lists.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'

let server: TestServer
let database: ClientConfig

beforeAll(async () => {
  server = await startTestServer()
  database = await server.database()
})

afterAll(() => server.close())

describe('lists in PostgreSQL’s binary form', () => {
  /** A list as the server reads it. */
  const read = async (type: string, list: Buffer): Promise<unknown> =>
    (await server.run<{ list: unknown }>(database, `select $1::${type} as list`, [list]))[0]!.list

  it.each([
    [[]],
    [['']],
    [['jetton_transfer', 'nft_mint']],
    [['ä', '€uro', '🙂', 'with "quotes", a comma and a \\', 'NULL', ' ']],
  ])('texts arrive as they are: %j', async (texts) => {
    expect(await read('text[]', textsList(texts))).toEqual(texts)
  })

  it('bytes and integers arrive as they are', async () => {
    const bytes = [Buffer.alloc(0), Buffer.from('00ff', 'hex'), Buffer.alloc(36, 7)]
    expect(await read('bytea[]', bytesList(bytes))).toEqual(bytes)
    expect(await read('bigint[]', integersList(['-9223372036854775808', '0', '42']))).toEqual(['-9223372036854775808', '0', '42'])
  })
})
