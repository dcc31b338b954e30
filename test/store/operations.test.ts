import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../server/store/migrate.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { ask } from '../kit/service/client.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'

/* What an operator does with a database of a running service: another release, a backup. */

const signal = AbortSignal.timeout(300_000)

describe('operations on a database in use', () => {
  let server: TestServer
  let database: ClientConfig
  let service: Tonway
  let dataDir: string
  const start = (on: ClientConfig): Promise<Tonway> => startTonway({ index: true, blockTime: 0, dataDir, databaseUrl: urlOf(on) })
  const mine = async (blocks: number): Promise<number> => {
    const { seqno } = await service.app.network.control!.mine(blocks, signal)
    await service.app.network.index!.reached(seqno, signal)
    return seqno
  }
  /** Answers of v3 about the blocks up to `last`. */
  const answers = async ({ url }: Tonway, last: number): Promise<readonly unknown[]> => {
    const paths = [
      `blocks?limit=20&as_of=${last}`,
      `transactions?limit=20&as_of=${last}`,
      `messages?limit=20&as_of=${last}`,
      `traces?limit=5&mc_seqno=${last}`,
      'accountStates?address=-1:5555555555555555555555555555555555555555555555555555555555555555',
    ]
    const asked = await Promise.all(paths.map((path) => ask<unknown>(`${url}/api/v3/${path}`)))
    expect(asked.map(({ status }) => status)).toEqual(paths.map(() => 200))
    return asked.map(({ body }) => body)
  }

  beforeAll(async () => {
    server = await startTestServer()
    database = await server.database()
    dataDir = mkdtempSync(join(tmpdir(), 'tonway-operations-'))
    service = await start(database)
  })
  afterAll(async () => {
    await service?.close()
    await server?.close()
    if (dataDir) rmSync(dataDir, { recursive: true, force: true })
  })

  it('a service goes on while the next release migrates its tables, and one that is started anew is refused', async () => {
    const before = await mine(3)
    // So often that every connection has its statements prepared.
    for (let i = 0; i < 4; i++) await Promise.all(Array.from({ length: 8 }, () => answers(service, before)))
    const told = await answers(service, before)
    let isOver = false
    const reads = (async () => {
      while (!isOver) expect((await answers(service, before)).slice(0, 4)).toEqual(told.slice(0, 4))
    })()
    for (const table of ['blocks', 'transactions', 'messages', 'traces', 'accounts']) {
      await server.run(database, `alter table ${table} add column of_the_next_release integer`)
      await mine(1)
    }
    await server.run(database, `insert into tonway_migrations (name, timestamp) values ('9999-later', '2099-01-01')`)
    const after = await mine(2)
    isOver = true
    await reads
    expect(after).toBe(before + 7)
    expect((await answers(service, before)).slice(0, 4)).toEqual(told.slice(0, 4))
    await expect(migrate(database)).rejects.toThrow(/later tonway.* 9999-later$/)
    await server.run(database, `delete from tonway_migrations where name = '9999-later'`)
    for (const table of ['blocks', 'transactions', 'messages', 'traces', 'accounts'])
      await server.run(database, `alter table ${table} drop column of_the_next_release`)
  })

  it("an index is restored from a copy that PostgreSQL's own tools made in use, and the service goes on with it", async ({ skip }) => {
    const [row] = await server.run<{ server_version_num: string }>(database, 'show server_version_num')
    const tool = /\d+/.exec(spawnSync('pg_dump', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[0]
    const major = Math.floor(Number(row!.server_version_num) / 10_000)
    skip(
      tool === undefined || Number(tool) < major,
      `it needs pg_dump ${major}, and ${tool === undefined ? 'there is none' : `this is ${tool}`}`,
    )
    const before = await mine(3)
    const dumped = spawnSync('pg_dump', ['--format=custom', urlOf(database)], { maxBuffer: 1 << 30 })
    expect(dumped.stderr.toString()).toBe('')
    const told = await answers(service, before)
    const epochs = 'select epoch from published_head'
    const epoch = await server.run(database, epochs)
    // The copy is of a moment before these.
    const last = await mine(4)
    await service.close()
    const other = await server.database('template0')
    const restored = spawnSync('pg_restore', ['--clean', '--if-exists', '--no-owner', '--dbname', urlOf(other)], { input: dumped.stdout })
    expect(restored.stderr.toString()).toBe('')
    expect(await server.run(other, 'select mc_seqno from published_head')).toEqual([{ mc_seqno: before }])
    service = await start(other)
    await service.app.network.index!.reached(last, signal)
    expect((await answers(service, before)).slice(0, 4)).toEqual(told.slice(0, 4))
    // The same index: a new one would have another epoch.
    expect(await server.run(other, epochs)).toEqual(epoch)
  })
})
