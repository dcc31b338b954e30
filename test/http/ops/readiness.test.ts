import { describe, expect, it } from 'vitest'
import { VERSION } from '../../../server/base/version.ts'
import { createHeadTimes } from '../../../server/metrics/head-times.ts'
import { troublesOf as allTroublesOf, clockNotes } from '../../../server/metrics/troubles.ts'
import { ask } from '../../kit/service/client.ts'
import { startTransport } from '../../kit/service/test-transports.ts'
import { startTonway } from '../../kit/service/tonway.ts'

const index = (seqno: number) => ({
  phase: 'following' as const,
  seqno,
  head: seqno,
  first: 1,
  lag: 0,
  transactions: 0,
  blocksPerSecond: 0,
  transactionsPerSecond: 0,
  secondsLeft: 0,
  failedTraces: 0,
  leftOut: 0,
  tracesLeft: 0,
  error: '',
  cause: '',
  database: '',
})
const troublesOf = (...args: Parameters<typeof allTroublesOf>) => allTroublesOf(...args).troubles
const head = (seqno: number, utime = 1_000) => ({ seqno, utime, root_hash: '', epoch: 0 })

describe('how far behind', () => {
  const clock = { at: 0 }
  const times = () => createHeadTimes(60, () => clock.at)

  it('the lag is told by the heads of the last seconds', () => {
    clock.at = 0
    const heads = times()
    expect(heads.floor()).toBe(-1)
    for (let i = 0; i <= 100; i++) {
      clock.at = i * 1_000
      heads.seen(i)
    }
    expect(heads.age()).toBe(0)
    // Whoever has what was the head a minute ago is within the minute.
    expect(heads.floor()).toBe(40)
    clock.at = 130_000
    expect([heads.age(), heads.floor()]).toEqual([30, 70])
    clock.at = 500_000
    expect(heads.floor()).toBe(100)
  })

  it('after a start the lag is told by the first head', () => {
    clock.at = 0
    const heads = times()
    heads.seen(5_000)
    clock.at = 10_000
    heads.seen(5_010)
    expect(heads.floor()).toBe(5_000)
  })

  it('the lag follows a revert, and few heads are kept however fast they come', () => {
    clock.at = 0
    const heads = times()
    for (let i = 0; i < 50_000; i++) {
      clock.at = i
      heads.seen(i)
    }
    expect(heads.floor()).toBe(0)
    heads.seen(30_000)
    expect(heads.floor()).toBe(0)
    clock.at = 50_000 + 61_000
    expect(heads.floor()).toBeLessThanOrEqual(30_000)
    expect(heads.floor()).toBeGreaterThan(29_000)
  })
})

describe('what troubles a network', () => {
  const clock = { at: 0 }
  const times = createHeadTimes(60, () => clock.at)
  times.seen(10)
  const deps = { within: 60, times, idle: 1, now: undefined }

  it('a network has no troubles while head and index are there', () => {
    expect(troublesOf({ head: head(10), index: index(10) }, deps)).toEqual([])
    expect(troublesOf({ head: head(10), index: undefined }, deps)).toEqual([])
  })

  it('an index whose database is away is a trouble, however near the head its rows are, and the cause names no host', () => {
    const away = {
      ...index(10),
      phase: 'failing' as const,
      error: 'connect ECONNREFUSED 10.0.0.5:5432',
      cause: 'the database cannot be reached',
    }
    const troubles = ['the index is failing: the database cannot be reached']
    // v2 reads no index, so nothing troubles it.
    expect(allTroublesOf({ head: head(10), index: away }, deps)).toEqual({ troubles, v2_troubles: [] })
    // What is no fault of the database is one when the index falls behind by it.
    expect(troublesOf({ head: head(10), index: { ...away, cause: '' } }, deps)).toEqual([])
    const above = troublesOf({ head: head(10), index: { ...away, cause: '', seqno: 12 } }, deps)
    expect(above).toEqual(['the index is failing above a chain that went back'])
  })

  it('no block, an old block, an old time of a block and an index that is behind are troubles', () => {
    expect(troublesOf({ head: undefined, index: undefined }, deps)).toEqual(['there is no block yet'])
    expect(troublesOf({ head: head(10), index: index(-1) }, deps)).toEqual(['the index is following, 11 blocks behind'])
    expect(troublesOf({ head: head(10), index: { ...index(-1), phase: 'backfill' } }, deps)).toEqual([
      'the index is catching up, 11 blocks behind',
    ])
    expect(troublesOf({ head: head(10, 1_000), index: undefined }, { ...deps, now: () => 1_061 })).toEqual([
      'the newest block known is 61 s old by the clock of this machine',
    ])
    expect(troublesOf({ head: head(10, 1_000), index: undefined }, { ...deps, now: () => 1_060 })).toEqual([])
    // A clock that is behind makes no answer old, but it is said.
    const behind = { ...deps, now: () => 939 }
    expect(troublesOf({ head: head(10, 1_000), index: undefined }, behind)).toEqual([])
    expect(clockNotes(head(10, 1_000), behind)).toEqual(['the clock of this machine is wrong: the newest block is 61 s ahead of it'])
    expect(clockNotes(head(10, 1_000), { ...deps, now: () => 940 })).toEqual([])
    expect(clockNotes(head(10, 1_000), deps)).toEqual([])
    clock.at = 61_000
    expect(troublesOf({ head: head(10), index: undefined }, deps)).toEqual(['no new block for 61 s'])
    // None was promised.
    expect(troublesOf({ head: head(10), index: undefined }, { ...deps, idle: 0 })).toEqual([])
    // Blocks that come every minute are not late after one.
    expect(troublesOf({ head: head(10), index: undefined }, { ...deps, idle: 60 })).toEqual([])
  })
})

describe('/health, /ready and /status', () => {
  it('/health, /ready and /status are about the network of the request', async () => {
    const figures = (network: string) =>
      network === 'second' ? { phase: 'failed' as const, fault: 'no lite-server', head: undefined } : {}
    const server = await startTransport({ networks: ['local', 'second'], figures })
    const get = <T = unknown>(path: string, headers = {}) => ask<T>(server.url + path, { headers })
    const summary = async (headers = {}) =>
      (await get<{ networks: { network: string; phase: string; fault?: string }[] }>('/status', headers)).body.networks.map(
        ({ network, phase, fault }) => [network, phase, fault],
      )
    try {
      expect(await get('/ready')).toMatchObject({ status: 200, retryAfter: null, body: { ok: true, phase: 'ready', troubles: [] } })
      expect(await get('/second/ready')).toMatchObject({
        status: 503,
        retryAfter: '1',
        body: { ok: false, phase: 'failed', troubles: ['no lite-server'] },
      })
      expect((await get('/second/health')).status).toBe(200)
      const { body } = await get('/second/status')
      expect(body).toMatchObject({ ok: true, network: 'second', phase: 'failed', version: VERSION, memory: { rss: expect.any(Number) } })
      expect(await summary()).toEqual([
        ['local', 'ready', undefined],
        ['second', 'failed', 'no lite-server'],
      ])
      expect((await summary({ 'X-Forwarded-For': '203.0.113.9' }))[1]).toEqual(['second', 'failed', 'not shown to other machines'])
      const metrics = (await get('/metrics')).text
      expect(metrics.match(/^tonway_(?:ready|head_age_seconds)\{.*/gm)).toEqual([
        'tonway_ready{network="local"} 1',
        'tonway_ready{network="second"} 0',
        'tonway_head_age_seconds{network="local"} 0',
      ])
      server.http.readiness.isStopping = true
      expect(await get('/ready')).toMatchObject({ status: 503, body: { phase: 'stopping', troubles: ['the network is stopping'] } })
    } finally {
      await server.close()
    }
  })

  it('/ready?for= is about one interface, and /ready tells of both', async () => {
    const trouble = 'the index is failing: the database cannot be reached'
    const figures = (network: string) => {
      if (network === 'off') return {}
      return network === 'away' ? { index: index(1), troubles: [trouble] } : { index: index(1), troubles: ['late'], v2_troubles: ['late'] }
    }
    const server = await startTransport({ networks: ['away', 'late', 'off'], figures })
    const get = async (path: string) => {
      const { status, body } = await ask<{ ok: boolean; troubles: string[]; v2: object; v3: object; error?: string }>(server.url + path)
      return { status, ...body }
    }
    const well = { ok: true, troubles: [] }
    const ill = (...troubles: string[]) => ({ ok: false, troubles })
    try {
      const apis = { v2: well, v3: ill(trouble) }
      expect(await get('/ready')).toMatchObject({ status: 503, ...ill(trouble), ...apis })
      expect(await get('/ready?for=v2')).toMatchObject({ status: 200, ...well, ...apis })
      expect(await get('/ready?for=v3')).toMatchObject({ status: 503, ...ill(trouble), ...apis })
      for (const path of ['/late/ready', '/late/ready?for=v2', '/late/ready?for=v3'])
        expect(await get(path)).toMatchObject({ status: 503, ...ill('late'), v2: ill('late'), v3: ill('late') })
      // A service without an index is ready for all that it serves.
      const noIndex = ill('v3 is not served: the index is off')
      expect(await get('/off/ready')).toMatchObject({ status: 200, ...well, v2: well, v3: noIndex })
      expect(await get('/off/ready?for=v2')).toMatchObject({ status: 200, ...well })
      expect(await get('/off/ready?for=v3')).toMatchObject({ status: 503, ...noIndex })
      for (const wrong of ['v4', '', 'v2&for=v3', 'V2'])
        expect(await get(`/ready?for=${wrong}`)).toMatchObject({
          status: 400,
          ok: false,
          error: 'for must be v2 or v3; /ready without it is about both',
        })
    } finally {
      await server.close()
    }
  })

  it('/health, /ready and /status name lite-servers and their troubles only to callers on this machine', async () => {
    const server = { server: '10.0.0.7:30000', state: 'waiting', seqno: 5, latency: 1, in_flight: 0, queries: 1, faults: 1 }
    const trouble = 'connect ECONNREFUSED 10.0.0.7:30000'
    const liteservers = {
      key_block: 1,
      servers: [
        { ...server, trouble },
        { ...server, trouble: null },
      ],
    }
    const replicas = [{ server: '10.0.0.8:5432', state: 'away', seqno: null, lag_ms: null, trouble: 'connect ECONNREFUSED 10.0.0.8:5432' }]
    const service = await startTransport({ figures: () => ({ liteservers, replicas }) })
    const told = async (headers: Record<string, string>) =>
      (await ask<{ liteservers: object; replicas: object }>(`${service.url}/status`, { headers })).body
    try {
      expect(await told({})).toMatchObject({ liteservers, replicas })
      const outside = await told({ 'X-Forwarded-For': '203.0.113.9' })
      expect(outside.replicas).toMatchObject([{ server: 'not shown to other machines', trouble: 'not shown to other machines' }])
      expect(outside.liteservers).toMatchObject({
        key_block: 1,
        servers: [
          { server: 'not shown to other machines', trouble: 'not shown to other machines', seqno: 5 },
          { server: 'not shown to other machines', trouble: null },
        ],
      })
    } finally {
      await service.close()
    }
  })

  it('/ready waits for the index, and says how far it is', async () => {
    await using tonway = await startTonway({ index: true, blockTime: 0 })
    const ready = () => ask<{ ok: boolean; troubles: string[]; index_seqno: number }>(`${tonway.url}/ready`)
    const first = await ready()
    if (first.status === 503) expect(first.body.troubles[0]).toMatch(/^the index is \w+/)
    await expect.poll(async () => (await ready()).status).toBe(200)
    expect(await ready()).toMatchObject({ status: 200, body: { ok: true, troubles: [], index_seqno: expect.any(Number) } })
    const metrics = (await ask(`${tonway.url}/metrics`)).text
    expect(metrics).toMatch(/^tonway_ready\{network="local"\} 1$/m)
    expect(metrics).toMatch(/^tonway_index_lag_blocks\{network="local"\} 0$/m)
    expect(metrics).toMatch(/^tonway_tvm_workers\{network="local"\} 1$/m)
    // The room for the data, and the connections to the database.
    expect(metrics).toMatch(/^tonway_data_free_bytes\{network="local"\} [1-9]\d+/m)
    expect(metrics).toMatch(/^tonway_data_size_bytes\{network="local"\} [1-9]\d+/m)
    expect(metrics).toMatch(/^tonway_database_connections\{network="local",state="used"\} \d+$/m)
    expect(metrics).toMatch(/^tonway_database_waiting\{network="local"\} 0$/m)
  })
})
