import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import type { Streams } from '../../server/cli/streams.ts'
import { networkConfigs } from '../../server/config/networks.ts'
import { runVerify } from '../../server/network/verify-index.ts'
import { claimPlace } from '../../server/store/postgres/embedded/claim.ts'
import type { Tvm } from '../../server/tvm/tvm.ts'
import { createTestChain } from '../kit/chain/local-chain.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { configOf, runWith } from './kit.ts'

/* What `tonway verify` leaves as it is where there is nothing to verify. */

describe('verify', () => {
  let folder: string
  let server: TestServer
  let tvm: Tvm
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tonway-verify-'))
    server = await startTestServer()
    tvm = createTestTvm({ workers: 1 })
    const chain = await createTestChain(tvm, { dataDir: join(folder, 'chain') })
    await chain.close()
  })
  afterAll(async () => {
    if (folder) rmSync(folder, { recursive: true, force: true })
    await server?.close()
    await tvm?.close()
  })

  /** Of the last of the networks. */
  const run = (...argv: readonly string[]) => {
    const config = configOf(...argv)
    const { signal } = new AbortController()
    const verify = (streams: Streams) => runVerify(networkConfigs(config).at(-1)!, config, { ...streams, log: silentLog, signal, tvm })
    return runWith(verify).catch((error: Error) => ({ error: error.message }))
  }

  it('verify makes no database cluster beside a kept chain', async () => {
    const before = readdirSync(join(folder, 'chain'))
    expect(await run('--data-dir', join(folder, 'chain'))).toEqual({
      code: 2,
      out: [],
      drawn: [],
      err: ['tonway: there is no index to verify: give the --data-dir or the DATABASE_URL that the service has'],
    })
    expect(readdirSync(join(folder, 'chain'))).toEqual(before)
  })

  it('verify leaves a damaged end as it is, and an open chain that is only read makes no block', async () => {
    const dataDir = join(folder, 'cut')
    cpSync(join(folder, 'chain'), dataDir, { recursive: true })
    const log = join(dataDir, 'chain.log')
    const whole = readFileSync(log)
    const chain = await createTestChain(tvm, { dataDir, isStill: true })
    await chain.close()
    expect(readFileSync(log).equals(whole)).toBe(true)
    appendFileSync(log, 'torn')
    expect(await run('--data-dir', dataDir)).toMatchObject({
      code: 2,
      err: [expect.stringMatching(/chain\.log has 4 damaged bytes after block \d+, and verify changes nothing: run tonway repair first/)],
    })
    expect(readFileSync(log)).toHaveLength(whole.length + 4)
  })

  it('verify makes no chain if there is none', async () => {
    const nowhere = join(folder, 'nowhere')
    const remedy = 'give the --data-dir (and the DATABASE_URL) that the service has'
    const refusal = (where: string) => ({ code: 2, err: [`tonway: verify needs a chain on disk${where}: ${remedy}`] })
    expect(await run('--data-dir', nowhere)).toMatchObject(refusal(`, and ${nowhere} has none`))
    expect(await run()).toMatchObject(refusal(''))
    expect(existsSync(nowhere)).toBe(false)
  })

  it('verify says at once that another process has the embedded database', async () => {
    const dataDir = join(folder, 'claimed')
    cpSync(join(folder, 'chain'), dataDir, { recursive: true })
    mkdirSync(join(dataDir, 'postgres', 'cluster'), { recursive: true })
    writeFileSync(join(dataDir, 'postgres', 'cluster', 'PG_VERSION'), '17')
    const leave = await claimPlace(join(dataDir, 'postgres'), undefined)
    // Waiting for it would take 30 seconds.
    expect(await run('--data-dir', dataDir)).toEqual({
      error: expect.stringMatching(/embedded PostgreSQL in .*claimed is in use by another process/),
    })
    leave()
  })

  it('verify makes no tables, and no database for a network', async () => {
    const connection = await server.database()
    const tables = `select count(*) from information_schema.tables where table_schema = 'public'`
    const settings = ['--data-dir', join(folder, 'chain'), '--database-url', urlOf(connection)]
    await server.run(connection, `drop schema public cascade; create schema public`)
    expect(await run(...settings)).toEqual({ error: 'the database holds no index' })
    expect(await server.run(connection, tables)).toEqual([{ count: '0' }])

    const second = await run('--network', 'local,testnet', ...settings)
    expect(second).toMatchObject({ code: 2, err: [expect.stringMatching(/there is no index to verify/)] })
    expect(await server.run(connection, 'select from pg_database where datname = $1', [`${connection.database}_testnet`])).toEqual([])
  })
})
