import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LocalChain } from '../../server/chain/local/local-chain.ts'
import { rpc } from '../kit/service/client.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'
import { askHost, callSocket } from './kit.ts'

interface Info {
  readonly last: { readonly seqno: number; readonly root_hash: string }
}
const kind = 'local' as const

/** Kills the chain of a network as it is, whatever it was doing. */
const kill = ({ app }: Tonway, name: string): Promise<void> => (app.networks.supervisor(name)!.network()!.source as LocalChain).close()

const untilReady = ({ app }: Tonway, name: string): Promise<void> => expect.poll(() => app.networks.supervisor(name)!.phase()).toBe('ready')

describe('two embedded chains in one process', () => {
  let folder: string
  let tonway: Tonway
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tonway-networks-'))
    tonway = await startTonway({
      network: ['local', 'dev'],
      networks: { dev: { kind, hosts: ['dev-chain.example'], globalId: -77 } },
      blockTime: 0,
      dataDir: join(folder, 'data'),
      liteserverPort: 0,
    })
  })
  afterAll(async () => {
    await tonway?.close()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })
  const seqnoOf = async (prefix: string): Promise<number> => (await rpc<Info>(tonway.url + prefix, 'getMasterchainInfo')).last.seqno

  it('two embedded chains in one process have their own blocks, controls and caches', async () => {
    const before = [await seqnoOf('/local'), await seqnoOf('/dev')] as const
    await rpc(`${tonway.url}/dev`, 'local.mine', { count: 5 })
    expect([await seqnoOf('/local'), await seqnoOf('/dev'), await seqnoOf('')]).toEqual([before[0], before[1] + 5, before[0]])
    const block = { workchain: -1, shard: '-9223372036854775808', seqno: 1 }
    const ids = await Promise.all(
      ['', '/local', '/dev'].map((prefix) => rpc<{ global_id: number }>(tonway.url + prefix, 'getBlockHeader', block)),
    )
    expect(ids.map(({ global_id }) => global_id)).toEqual([-3, -3, -77])
  })

  it('the network is chosen by path, by host, and by default, on every transport', async () => {
    const seqnos = { local: await seqnoOf('/local'), dev: await seqnoOf('/dev') }
    expect(seqnos.dev).not.toBe(seqnos.local)
    const rpc = { jsonrpc: '2.0', id: 1, method: 'getMasterchainInfo', params: {} }
    const of = (body: unknown): number => (body as { result: Info }).result.last.seqno
    for (const [prefix, host, network] of [
      ['', undefined, 'local'],
      ['', 'elsewhere.example', 'local'],
      ['', 'dev.localhost:8081', 'dev'],
      ['', 'dev-chain.example', 'dev'],
      ['/dev', undefined, 'dev'],
      ['/local', 'dev.localhost', 'local'],
    ] as const) {
      const expected = seqnos[network]
      const at = (path: string, body?: object) => askHost(tonway.url, { path: `${prefix}${path}`, body, ...(host && { host }) })
      expect([network, of((await at('/api/v2/getMasterchainInfo')).body)]).toEqual([network, expected])
      expect(of((await at('/api/v2/getMasterchainInfo', {})).body)).toBe(expected)
      expect(of((await at('/api/v2/jsonRPC', rpc)).body)).toBe(expected)
      expect(of((await at('/jsonRPC', rpc)).body)).toBe(expected)
      expect(((await at('/jsonRPC', [rpc, rpc])).body as unknown[]).map(of)).toEqual([expected, expected])
      expect(of(await callSocket(tonway.url, `${prefix}/jsonRPC`, host, 'getMasterchainInfo'))).toBe(expected)
      const status = (await at('/status')).body as { network: string; head: { seqno: number }; networks: { network: string }[] }
      expect(status).toMatchObject({ network, head: { seqno: expected } })
      expect(status.networks.map((each) => each.network)).toEqual(['local', 'dev'])
      expect(await at('/ready')).toMatchObject({ status: 200, body: { seqno: expected } })
      expect((await at('/global.config.json')).body).toMatchObject({
        liteservers: [{ port: tonway.app.networks.supervisor(network)!.network()!.endpoint!.port }],
      })
    }
    expect((await askHost(tonway.url, { path: '/nonet/api/v2/getMasterchainInfo' })).status).toBe(404)
  })

  it('a network that is killed answers 503 with its reason, the other goes on, and it comes back where it was', async () => {
    const seqno = await seqnoOf('/dev')
    const head = await rpc<Info>(`${tonway.url}/dev`, 'getMasterchainInfo')
    // Calls of the other network all the while, each of them answered.
    let over = false
    const others = (async () => {
      let answered = 0
      while (!over) {
        await rpc(`${tonway.url}/local`, 'local.mine', { count: 1 })
        answered++
      }
      return answered
    })()
    await kill(tonway, 'dev')
    const room = tonway.app.networks.supervisor('dev')!
    await expect.poll(() => room.phase(), { interval: 1 }).toBe('failed')
    const down = await askHost(tonway.url, { path: '/dev/api/v2/getMasterchainInfo' })
    // It may be back already.
    if (down.status !== 200) {
      expect(down).toMatchObject({
        status: 503,
        body: { ok: false, code: 503, error: expect.stringMatching(/^network dev is not available: .+/) },
      })
      expect(Number(down.retryAfter)).toBeGreaterThan(0)
      expect((await askHost(tonway.url, { path: '/local/ready' })).status).toBe(200)
    }
    await untilReady(tonway, 'dev')
    over = true
    expect(await others).toBeGreaterThan(0)
    const after = await rpc<Info>(`${tonway.url}/dev`, 'getMasterchainInfo')
    expect(after.last.seqno).toBeGreaterThanOrEqual(seqno)
    const block = { workchain: -1, shard: '-9223372036854775808', seqno }
    expect(await rpc(`${tonway.url}/dev`, 'lookupBlock', block)).toMatchObject({ root_hash: head.last.root_hash })
    expect((await askHost(tonway.url, { path: '/dev/ready' })).status).toBe(200)
  })

  it('a directory belongs to one network, and another one does not use it', async () => {
    await tonway.close()
    await expect(
      startTonway({ network: ['other'], networks: { other: { kind } }, blockTime: 0, dataDir: join(folder, 'data') }),
    ).rejects.toThrow(/holds the chain of network local/)
    // Nothing is written before it is refused: no database of keys, no key block, no mark.
    const before = readdirSync(join(folder, 'data')).sort()
    await expect(startTonway({ network: ['mainnet'], dataDir: join(folder, 'data'), keys: 'on', index: true })).rejects.toThrow(
      /holds the chain of network local, not of mainnet/,
    )
    const unmarked = join(folder, 'unmarked')
    mkdirSync(unmarked)
    copyFileSync(join(folder, 'data', 'chain.log'), join(unmarked, 'chain.log'))
    await expect(startTonway({ network: ['mainnet'], dataDir: unmarked, keys: 'on', index: true })).rejects.toThrow(
      /holds an embedded chain, but network mainnet is followed over lite-servers/,
    )
    expect(readdirSync(join(folder, 'data')).sort()).toEqual(before)
    expect(readdirSync(unmarked)).toEqual(['chain.log'])
    // A mark that was not written to its end.
    writeFileSync(join(folder, 'data', 'network'), '')
    tonway = await startTonway({ network: ['local'], blockTime: 0, dataDir: join(folder, 'data') })
    expect(await seqnoOf('')).toBeGreaterThan(0)
  })
})

describe('two indexes on one PostgreSQL', () => {
  it('two indexes on one PostgreSQL have the rows of their own networks', async () => {
    await using tonway = await startTonway({ network: ['local', 'dev-2'], networks: { 'dev-2': { kind } }, blockTime: 0, index: true })
    await rpc(`${tonway.url}/dev-2`, 'local.mine', { count: 4 })
    const indexed = (prefix: string): Promise<number> =>
      rpc<{ last: { seqno: number } }>(tonway.url + prefix, 'v3.masterchainInfo').then(
        ({ last }) => last.seqno,
        () => -1,
      )
    await expect.poll(() => indexed('/dev-2')).toBe(5)
    await expect.poll(() => indexed('')).toBe(1)
    const { networks } = (await askHost(tonway.url, { path: '/status' })).body as { networks: unknown }
    expect(networks).toMatchObject([
      { network: 'local', seqno: 1 },
      { network: 'dev-2', seqno: 5 },
    ])
  })
})

describe('a network whose lite-servers are all dead at the start', () => {
  it('a network whose lite-servers are all dead at the start answers 503 with the reason, and works when they do', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tonway-dead-'))
    try {
      const making = { blockTime: 0, liteserverPort: 0, dataDir: join(folder, 'maker') } as const
      const maker = await startTonway(making)
      await rpc(maker.url, 'local.mine', { count: 3 })
      const { port } = maker.app.network.endpoint!
      const file = join(folder, 'global.config.json')
      writeFileSync(file, JSON.stringify((await askHost(maker.url, { path: '/global.config.json' })).body))
      await maker.close()

      await using tonway = await startTonway({ network: ['far', 'local'], networks: { far: { globalConfig: file } }, blockTime: 0 })
      expect(tonway.app.networks.supervisor('local')!.phase()).toBe('ready')
      await expect.poll(() => tonway.app.networks.supervisor('far')!.phase()).toBe('failed')
      const down = await askHost(tonway.url, { path: '/api/v2/getMasterchainInfo' })
      expect(down).toMatchObject({
        status: 503,
        body: { error: expect.stringMatching(/^network far is not available: .*127\.0\.0\.1:\d+/) },
      })
      expect(await askHost(tonway.url, { path: '/ready' })).toMatchObject({ status: 503, body: { phase: 'failed' } })
      const status = await askHost(tonway.url, { path: '/status' })
      expect(status.body).toMatchObject({ network: 'far', phase: 'failed', fault: expect.stringContaining('127.0.0.1') })
      expect((await rpc<Info>(`${tonway.url}/local`, 'getMasterchainInfo')).last.seqno).toBeGreaterThan(0)
      const batch = [
        { jsonrpc: '2.0', id: 1, method: 'getMasterchainInfo' },
        { jsonrpc: '2.0', id: 2, method: 'detectHash', params: { hash: 'x' } },
      ]
      expect(
        ((await askHost(tonway.url, { path: '/jsonRPC', body: batch })).body as { error: { data: { kind: string } } }[])[0],
      ).toMatchObject({
        id: 1,
        error: { data: { kind: 'UNAVAILABLE' } },
      })

      await using again = await startTonway({ ...making, liteserverPort: port })
      await expect.poll(() => tonway.app.networks.supervisor('far')!.phase()).toBe('ready')
      const { last } = await rpc<Info>(again.url, 'getMasterchainInfo')
      await expect.poll(() => rpc<Info>(`${tonway.url}/far`, 'getMasterchainInfo').then((info) => info.last)).toEqual(last)
      // What is not an embedded chain has no controls, whoever asks.
      await expect(rpc(`${tonway.url}/far`, 'local.mine', { count: 1 })).rejects.toThrow(
        'local.mine is not served here: the network is no embedded chain',
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
