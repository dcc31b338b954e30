import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../server/base/clock.ts'
import type { LiteServer } from '../../server/chain/liteserver.ts'
import type { LocalChain } from '../../server/chain/local/local-chain.ts'
import type { Tvm } from '../../server/tvm/tvm.ts'
import { TonError } from '../../shared/errors.ts'
import { createTestChain } from '../kit/chain/local-chain.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { ask } from '../kit/service/client.ts'
import { type BuiltService, builtService } from '../kit/service/process.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'
import { until } from '../kit/wait.ts'
import { indexUpTo, startIndexer } from './kit.ts'

/* Several processes on one database: one indexes, all serve; and what is there of another chain. */

const signal = AbortSignal.timeout(300_000)
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

describe('two processes on one database', () => {
  let service: BuiltService
  let maker: Tonway
  let reader: Tonway
  beforeAll(async () => {
    service = builtService
    maker = await startTonway({ blockTime: 0, liteserverPort: 0 })
  })
  afterAll(async () => {
    await reader?.close()
    await maker?.close()
  })
  const get = <T>(path: string) => ask<T>(reader.url + path)
  const lastSeen = async (): Promise<number | undefined> =>
    (await get<{ last?: { seqno: number } }>('/api/v3/masterchainInfo')).body.last?.seqno
  const status = async () => (await get<{ index: Record<string, unknown> }>('/status')).body.index
  const mine = async (blocks: number): Promise<number> => {
    const { control } = maker.app.network
    await control!.fund({ workchain: 0, hash: new Uint8Array(32).fill(blocks) }, 1_000_000_000n, signal)
    return (await control!.mine(blocks, signal)).seqno
  }

  it('the process that does not index serves v3 too, and indexes when the other one is killed', async () => {
    const database = await server.database()
    const databaseUrl = urlOf(database)
    const globalConfig = `${maker.url}/global.config.json`
    const flags = ['--network', 'copy', '--global-config', globalConfig, '--liteserver-port', 'off', '--log', 'error']
    const { child, ended } = service.start(['index', ...flags], { env: { DATABASE_URL: databaseUrl } })
    onTestFinished(() => void child.kill('SIGKILL'))
    const first = await mine(3)
    const published = async (): Promise<number> =>
      Number((await server.run<{ seqno: number }>(database, 'select mc_seqno as seqno from published_head'))[0]?.seqno ?? -1)
    await expect.poll(published).toBe(first)

    reader = await startTonway({ network: ['copy'], globalConfig, index: true, databaseUrl })
    await expect.poll(lastSeen).toBe(first)
    const second = await mine(4)
    await expect.poll(lastSeen).toBe(second)
    await expect.poll(status).toMatchObject({ phase: 'waiting', seqno: second, head: second, first: 1, lag: 0, error: '' })
    expect((await get('/ready')).status).toBe(200)

    child.kill('SIGKILL')
    await ended
    const third = await mine(5)
    await expect.poll(lastSeen).toBe(third)
    await expect.poll(status).toMatchObject({ phase: 'following', seqno: third, lag: 0 })
    const [blocks] = await server.run<{ count: string }>(database, 'select count(*) from blocks where workchain = -1')
    expect(Number(blocks?.count)).toBe(third)
  })
})

describe('an index of another chain', () => {
  let tvm: Tvm
  let chains: readonly LocalChain[]
  let database: ClientConfig
  beforeAll(async () => {
    tvm = createTestTvm({ workers: 1 })
    // Another time makes another zerostate.
    chains = await Promise.all([0, 1].map((n) => createTestChain(tvm, {}, { clock: { now: () => 1_760_000_000 + n } })))
    for (const chain of chains) await chain.control.mine(3, signal)
    database = await server.database()
  })
  afterAll(async () => {
    for (const chain of chains ?? []) await chain.close()
    await tvm?.close()
  })
  const untilError = async (deps: Parameters<typeof startIndexer>[2], chain = chains[1]!): Promise<string> => {
    const indexer = startIndexer(chain, database, { topics: [], ...deps })
    await until(() => indexer.status().error !== '' || indexer.status().phase === 'following')
    const { error } = indexer.status()
    await indexer.close()
    return error
  }
  const blocks = async (): Promise<string> => (await server.run<{ all: string }>(database, 'select sum(seqno) as all from blocks'))[0]!.all

  it('the index of another chain is left alone, whatever chain comes; that of a chain that no longer exists is replaced', async () => {
    await indexUpTo(chains[0]!, database, 3, { topics: [] })
    const before = await blocks()
    const refusal = 'the database holds the index of another chain (test): give another DATABASE_URL, or empty it'
    expect(await untilError({})).toBe(refusal)
    expect(await untilError({ isTransient: true })).toBe(refusal)
    expect(await blocks()).toBe(before)

    database = await server.database()
    await indexUpTo(chains[0]!, database, 3, { topics: [], isTransient: true })
    expect(await untilError({ network: 'elsewhere' })).toBe(refusal)
    await indexUpTo(chains[1]!, database, 3, { topics: [] })
    expect(await untilError({ isTransient: true }, chains[0]!)).toBe(refusal)
  })

  it('the index that an older release marked as that of a chain that ends is left alone once its chain was followed again', async () => {
    database = await server.database()
    await indexUpTo(chains[0]!, database, 3, { topics: [], isTransient: true })
    await indexUpTo(chains[0]!, database, 3, { topics: [] })
    expect(await untilError({})).toMatch(/another chain/)
  })

  it.each([
    ['refuses the index of a chain that is stored', true, expect.stringMatching(/^the database holds the index of another chain \(copy\)/)],
    ['replaces the index of a chain that ended with its process', false, ''],
  ])('a follower of another tonway %s', async (_, isStored, error) => {
    const databaseUrl = urlOf(await server.database())
    // A clock of its own makes another zerostate.
    for (const now of [1_760_000_000, 1_760_000_001]) {
      const dataDir = isStored ? mkdtempSync(join(tmpdir(), 'tonway-stored-')) : undefined
      onTestFinished(() => rmSync(dataDir ?? '', { recursive: true, force: true }))
      await using maker = await startTonway({ blockTime: 0, liteserverPort: 0, dataDir, clock: { ...systemClock, now: () => now } })
      await maker.app.network.control!.mine(2, signal)
      const globalConfig = `${maker.url}/global.config.json`
      await using reader = await startTonway({ network: ['copy'], globalConfig, index: true, databaseUrl })
      const status = async () => (await ask<{ index: { phase: string; error: string } }>(`${reader.url}/status`)).body.index
      await until(async () => ['following', 'refused'].includes((await status()).phase))
      expect((await status()).error).toEqual(now === 1_760_000_000 ? '' : error)
    }
  })

  it('an index that lost its database while no block comes says when it goes on', async () => {
    database = await server.database()
    const lines: string[] = []
    const note = (event: string): void => void lines.push(event)
    const indexer = startIndexer(chains[0]!, database, { topics: [], log: { debug() {}, info: note, warn: note, error: note } })
    await indexer.reached(3, signal)
    await server.run(
      database,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await until(() => lines.includes('index.recovered'))
    expect([lines, indexer.status().error, indexer.status().phase]).toEqual([['index.failed', 'index.recovered'], '', 'following'])
    await indexer.close()
  })

  it('a process that waits goes on waiting while no lite-server of its own works', async () => {
    database = await server.database()
    const chain = chains[0]!
    const leader = startIndexer(chain, database, { topics: [] })
    // The first that begins is the one that writes.
    await leader.reached(3, signal)
    let isAway = false
    const query: LiteServer['query'] = async (...args) => {
      if (isAway) throw new TonError('NO_WORKERS', 'no working lite-server')
      return await chain.query(...args)
    }
    const other = startIndexer({ ...chain, query }, database, { topics: [] })
    const { seqno } = chain.head!().id
    await until(() => other.status().phase === 'waiting' && other.status().seqno === seqno)
    isAway = true
    await chain.control.mine(3, signal)
    await until(() => other.status().error !== '' || other.status().seqno === seqno + 3)
    expect(other.status()).toMatchObject({ phase: 'waiting', seqno: seqno + 3, error: '' })
    await other.close()
    await leader.close()
  })

  it('the index of another chain is not served while its process indexes', async () => {
    database = await server.database()
    const leader = startIndexer(chains[0]!, database, { topics: [] })
    await leader.reached(3, signal)
    const other = startIndexer(chains[1]!, database, { topics: [] })
    await until(() => other.status().error !== '')
    expect(other.status()).toMatchObject({ phase: 'waiting', seqno: -1, error: expect.stringContaining('another chain (test)') })
    await other.close()
    await leader.close()
  })
})
