import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeyPool } from '../../../server/access/key-database.ts'
import { createKeyStore } from '../../../server/access/key-queries.ts'
import { type Address, startAddress } from '../../kit/index/address.ts'
import { type Replicated, startReplicated } from '../../kit/index/replicated.ts'
import { ask } from '../../kit/service/client.ts'
import { startTonway, type Tonway } from '../../kit/service/tonway.ts'
import { until } from '../../kit/wait.ts'

/* The whole service on a replicated database: one that writes and reads at replicas, and one that has a replica alone. */

const signal = AbortSignal.timeout(300_000)

let servers: Replicated
let address: Address
/** Writes to the primary and reads at both standbys. */
let maker: Tonway
/** Has the second standby as its only database. */
let reader: Tonway

const READERS = `select count(*) as n from pg_stat_activity where application_name = 'tonway'`

interface Status {
  readonly index: Record<string, unknown>
  readonly replicas?: readonly {
    readonly server: string
    readonly state: string
    readonly lag_ms: number | null
    readonly trouble: string | null
  }[]
}
const get = <T>({ url }: Tonway, path: string, headers = {}) => ask<T>(url + path, { headers })
const statusOf = async (service: Tonway): Promise<Status> => (await get<Status>(service, '/status')).body
const headOf = async (service: Tonway): Promise<number> => {
  const { status, body } = await get<{ last?: { seqno: number }; error?: string }>(service, '/api/v3/masterchainInfo')
  if (status !== 200) throw new Error(`${status}: ${body.error}`)
  return body.last!.seqno
}
const mine = async (blocks: number): Promise<number> => (await maker.app.network.control!.mine(blocks, signal)).seqno

beforeAll(async () => {
  servers = await startReplicated(2)
  address = await startAddress(servers.primary.port)
  const databaseUrl = servers.primary.url.replace(/:\d+\//, `:${address.port}/`)
  const common = { index: true, keys: 'on' as const, blockTime: 0 }
  maker = await startTonway({
    ...common,
    databaseUrl,
    databaseReadUrl: servers.standbys.map(({ url }) => url),
    liteserverPort: 0,
  })
  await maker.app.network.index!.reached(0, signal)
  await servers.replayed()
  reader = await startTonway({
    ...common,
    network: ['copy'],
    globalConfig: `${maker.url}/global.config.json`,
    databaseUrl: servers.standbys[1]!.url,
  })
})
afterAll(async () => {
  await reader?.close()
  await maker?.close()
  await address?.close()
  await servers?.close()
})

describe('a service with read replicas', () => {
  it('a service with read replicas reads v3 there, shows them in /status, and follows the chain', async () => {
    await until(async () => (await statusOf(maker)).replicas?.every(({ state }) => state === 'in use') === true)
    const seqno = await mine(3)
    await until(async () => (await headOf(maker)) === seqno)
    // How far a replica is behind is known once the primary was seen too.
    await until(async () => (await statusOf(maker)).replicas?.every(({ lag_ms }) => lag_ms !== null) === true)
    const { replicas } = await statusOf(maker)
    expect(replicas).toEqual(
      servers.standbys.map(({ port }) => ({
        server: `127.0.0.1:${port}`,
        state: 'in use',
        seqno: expect.any(Number),
        lag_ms: expect.any(Number),
        trouble: null,
      })),
    )
    const metrics = await (await fetch(`${maker.url}/metrics`)).text()
    expect(metrics).toContain(`tonway_replica_up{network="local",server="127.0.0.1:${servers.standbys[0]!.port}"} 1`)
    // Reads leave connections where they were.
    const counts = servers.standbys.map((standby) => standby.run<{ n: string }>(READERS))
    expect((await Promise.all(counts)).some(([read]) => Number(read!.n) > 0)).toBe(true)
  })
})

describe('a service with a replica alone', () => {
  it('a service with only a replica answers v3 and writes nothing', async () => {
    const seqno = await mine(2)
    await until(async () => (await headOf(reader)) === seqno)
    await until(async () => (await statusOf(reader)).index['seqno'] === seqno)
    expect((await statusOf(reader)).index).toMatchObject({ phase: 'waiting', error: '' })
    expect((await get(reader, '/ready')).status).toBe(200)
    const { body } = await get<{ blocks: unknown[] }>(reader, '/api/v3/blocks?limit=5')
    expect(body.blocks.length).toBeGreaterThan(0)
  })
})

describe('keys', () => {
  it('a new key is accepted, and a revoked one refused, without a restart, also where a replica is the only database', async () => {
    const pool = createKeyPool({ connectionString: servers.primary.url })
    const store = createKeyStore(pool, () => Date.now())
    for (const [service, network] of [
      [maker, 'local'],
      [reader, 'copy'],
    ] as const) {
      const { key, record } = await store.create({ network, plan: 'advanced', owner: 'somebody' })
      const status = async (): Promise<number> => (await get(service, '/api/v3/masterchainInfo', { 'X-API-Key': key })).status
      await until(async () => (await status()) === 200)
      await store.revoke(record.id)
      await until(async () => (await status()) === 401)
    }
    await pool.end()
  })
})

describe('a failover', () => {
  it('after a failover to a standby reads go on, no head goes back, nothing that was published is lost, and the index continues', async () => {
    const before = await mine(2)
    await until(async () => (await headOf(maker)) === before)
    await servers.replayed()
    let isOver = false
    const heads: number[] = []
    const failures: string[] = []
    const asking = (async () => {
      while (!isOver) {
        await headOf(maker).then(
          (head) => heads.push(head),
          (error: Error) => failures.push(error.message),
        )
      }
    })()
    await servers.primary.kill()
    const [promoted] = servers.standbys
    await promoted!.run('select pg_promote()')
    address.lead(promoted!.port)
    const after = await mine(3)
    await until(async () => (await headOf(maker).catch(() => 0)) === after)
    isOver = true
    await asking
    expect(failures).toEqual([])
    expect(heads).toEqual([...heads].sort((a, b) => a - b))
    const rows = await promoted!.run<{ seqno: number }>('select seqno from blocks where workchain = -1 order by seqno')
    expect(rows.map(({ seqno }) => seqno)).toEqual(Array.from({ length: after }, (_, i) => i + 1))
    // The promoted one is the primary now. The other standby has nobody to follow, and is left out.
    await until(async () => {
      const { replicas } = await statusOf(maker)
      return replicas![0]!.state === 'in use' && replicas![1]!.state === 'behind'
    })
    expect(await headOf(reader)).toBe(before)
  })
})
