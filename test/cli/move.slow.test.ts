import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeyPool } from '../../server/access/key-database.ts'
import { createKeyStore } from '../../server/access/key-queries.ts'
import { ACCESS_MIGRATIONS } from '../../server/access/migrations.ts'
import { move } from '../../server/cli/maintenance.ts'
import { runMove } from '../../server/network/move-database.ts'
import { migrate } from '../../server/store/migrate.ts'
import { INDEX_LOCK, tryLock } from '../../server/store/postgres/advisory-lock.ts'
import { connect } from '../../server/store/postgres/connection.ts'
import { createDatabase } from '../../server/store/postgres/database-server.ts'
import { attachEmbedded } from '../../server/store/postgres/embedded/server.ts'
import { TABLES } from '../../server/store/schema/tables.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { ask } from '../kit/service/client.ts'
import { startTonway, type Tonway, type TonwayOptions } from '../kit/service/tonway.ts'
import { configOf, runWith } from './kit.ts'

/* `tonway move`: from the embedded database of a data directory to a PostgreSQL of the operator. */

const signal = AbortSignal.timeout(300_000)
const COUNTS = TABLES.map(({ name }) => `select '${name}' as name, count(*)::text as rows from ${name}`).join(' union all ')

/** Creates a key, and the tables of keys if there are none. */
const createdKey = async (connection: ClientConfig, owner: string): Promise<string> => {
  await migrate(connection, ACCESS_MIGRATIONS)
  const pool = createKeyPool(connection)
  const { key } = await createKeyStore(pool, Date.now).create({ network: 'local', plan: 'plus', owner })
  await pool.end()
  return key
}

describe('move', () => {
  let folder: string
  let dataDir: string
  let server: TestServer
  /** What the embedded database has: rows of each table, the position, an answer, a key. */
  let counts: unknown
  let place: unknown
  let transactions: unknown
  let key: string
  /** The last moved block. */
  let last: number

  const serve = (options: TonwayOptions): Promise<Tonway> =>
    startTonway({ index: true, keys: 'on', blockTime: 0, dataDir, liteserverPort: 'off', ...options })
  const run = async (argv: readonly string[], stop?: { readonly at: string; readonly with: AbortController }) => {
    const config = configOf(...argv)
    const { databaseUrl = '' } = config
    const draw = (text: string): void => {
      if (stop && text.endsWith(stop.at)) stop.with.abort(new Error('stopped'))
    }
    const given = stop ? { draw, signal: stop.with.signal } : { signal }
    const moved = runWith((streams) => runMove(config, { dataDir: config.dataDir!, databaseUrl }, { ...streams, ...given }))
    return await moved.then(
      ({ code, out, err }) => ({ code, out, err }),
      (error: Error) => ({ error: error.message }),
    )
  }
  const to = (url: string): readonly string[] => ['--data-dir', dataDir, '--database-url', url]
  const listOf = async ({ url }: Tonway, apiKey: string): Promise<unknown> => {
    const { status, body } = await ask<{ transactions: unknown }>(`${url}/api/v3/transactions?limit=50&sort=asc&as_of=${last}`, {
      headers: { 'X-API-Key': apiKey },
    })
    expect([status, body]).toEqual([200, expect.anything()])
    return body.transactions
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tonway-move-'))
    // PostgreSQL may run as another user, who must be able to enter.
    chmodSync(folder, 0o711)
    dataDir = join(folder, 'data')
    server = await startTestServer()
    const service = await serve({})
    const { seqno } = await service.app.network.control!.mine(3, signal)
    await service.app.network.index!.reached(seqno, signal)
    last = seqno
    const connection = attachEmbedded(dataDir)!
    key = await createdKey(connection, 'alice')
    transactions = await listOf(service, key)
    counts = await server.run(connection, COUNTS)
    place = await server.run(connection, 'select * from index_checkpoint, published_head')
    await service.close()
  })
  afterAll(async () => {
    if (folder) rmSync(folder, { recursive: true, force: true })
    await server?.close()
  })

  it('a moved index has every row and key, and the service goes on with it', async () => {
    const target = await server.database('template0')
    const url = urlOf(target)
    const moved = await run(to(url))
    expect(moved).toEqual({
      code: 0,
      out: [
        expect.stringMatching(/^local: moved blocks 1 to \d+ \(\d+ rows\), 1 key$/),
        expect.stringContaining(`${dataDir}/postgres keeps everything`),
      ],
      err: [],
    })
    expect(await server.run(target, COUNTS)).toEqual(counts)
    expect(await server.run(target, 'select * from index_checkpoint, published_head')).toEqual(place)
    expect(await run(to(url))).toMatchObject({ code: 0, out: ['local: was moved before', expect.any(String)] })

    const service = await serve({ databaseUrl: url })
    try {
      const { seqno } = await service.app.network.control!.mine(2, signal)
      await service.app.network.index!.reached(seqno, signal)
      expect(await listOf(service, key)).toEqual(transactions)
      // The same index: a new one would have another epoch.
      const epoch = 'select epoch from published_head'
      expect(await server.run(target, epoch)).toEqual([{ epoch: (place as { epoch: string }[])[0]!.epoch }])
    } finally {
      await service.close()
    }
    expect(await run(to(url))).toEqual({ error: expect.stringMatching(/has an index already: give one that tonway has not used yet$/) })
  })

  it('a move that is interrupted leaves nothing, and can be repeated', async () => {
    const target = await server.database('template0')
    const stop = { at: 'local: transactions', with: new AbortController() }
    expect(await run(to(urlOf(target)), stop)).toEqual({ error: 'stopped' })
    const rows = (await server.run<{ rows: string }>(target, COUNTS)).map((each) => each.rows)
    expect(new Set(rows)).toEqual(new Set(['0']))
    expect(await run(to(urlOf(target)))).toMatchObject({ code: 0 })
    expect(await server.run(target, COUNTS)).toEqual(counts)
  })

  it('a database that is refused stays as it was, whichever release made its tables', async () => {
    const older = await server.database()
    await createdKey(older, 'bob')
    const last = 'select max(name) as name from tonway_migrations'
    await server.run(older, `delete from tonway_migrations where name = (${last})`)
    const migrations = await server.run(older, last)
    expect(await run(to(urlOf(older)))).toEqual({ error: expect.stringMatching(/has keys already/) })
    expect(await server.run(older, last)).toEqual(migrations)

    const led = await server.database('template0')
    const leader = await connect(led)
    expect(await tryLock(leader, INDEX_LOCK)).toBe(true)
    expect(await run(to(urlOf(led)))).toEqual({ error: expect.stringMatching(/is used by a running process that indexes/) })
    await leader.close()
    const tables = `select from pg_tables where schemaname = 'public' and tablename like any (array['index%', 'api%', 'tonway%'])`
    expect(await server.run(led, tables)).toEqual([])
  })

  it('a move of keys without an index can be repeated, until the new database has others', async () => {
    const other = join(folder, 'keys')
    const database = createDatabase({ databaseUrl: undefined, dataDir: other })
    const { connection } = await database.open(undefined, signal)
    await createdKey(connection, 'alice')
    await database.close()
    const target = await server.database('template0')
    const again = () => run(['--data-dir', other, '--database-url', urlOf(target)])
    expect(await again()).toMatchObject({ code: 0, out: ['local: moved no index, 1 key', expect.any(String)] })
    expect(await again()).toMatchObject({ code: 0, out: ['local: was moved before', expect.any(String)] })
    await createdKey(target, 'bob')
    expect(await again()).toEqual({ error: expect.stringMatching(/has keys already/) })
  })

  it('a move says what is missing, what is in use, and what is there already', async () => {
    const url = urlOf(await server.database('template0'))
    for (const half of [
      ['--data-dir', dataDir],
      ['--database-url', url],
    ]) {
      const { code, err } = await runWith((streams) => move({ config: configOf(...half) }, streams))
      expect({ code, err }).toEqual({ code: 2, err: [expect.stringMatching(/needs both: --data-dir.*--database-url/)] })
    }
    expect(await run(['--data-dir', join(folder, 'nothing'), '--database-url', url])).toMatchObject({
      code: 2,
      err: [expect.stringMatching(/there is no embedded database in .*nothing$/)],
    })
    const keyed = await server.database()
    await createdKey(keyed, 'bob')
    expect(await run(to(urlOf(keyed)))).toEqual({ error: expect.stringMatching(/has keys already/) })

    const service = await serve({})
    expect(await run(to(url))).toEqual({ error: expect.stringMatching(/is in use by another process: stop it first$/) })
    await service.close()
  })
})
