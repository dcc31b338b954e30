import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../../server/base/log.ts'
import { startTonway, type Tonway } from '../../kit/service/tonway.ts'
import { until } from '../../kit/wait.ts'

/* One service makes the chain and serves it over ADNL; another one knows it by the global config alone. */

let maker: Tonway
let follower: Tonway

const call = async (to: Tonway, method: string, params: object = {}): Promise<unknown> => {
  const response = await fetch(`${to.url}/jsonRPC`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown }
  return error ?? result
}

beforeAll(async () => {
  maker = await startTonway({ blockTime: 0, liteserverPort: 0, index: false })
  await call(maker, 'local.mine', { blocks: 5 })
  follower = await startTonway({ network: ['copy'], globalConfig: `${maker.url}/global.config.json`, index: false })
})
afterAll(async () => {
  await follower?.close()
  await maker?.close()
})

describe('a service over the lite-server of another one', () => {
  it('answers as that one does', async () => {
    const { wallets } = (await call(maker, 'local.wallets')) as { wallets: { address: string }[] }
    const { address } = wallets[0]!
    await until(() => follower.app.network.chain.head().id.seqno === maker.app.network.chain.head().id.seqno)
    const { seqno } = maker.app.network.chain.head().id
    const master = { workchain: -1, shard: '-9223372036854775808' }
    for (const [method, params] of [
      ['getMasterchainInfo', {}],
      ['getAddressInformation', { address }],
      ['getWalletInformation', { address }],
      ['getTransactions', { address, limit: 5 }],
      ['lookupBlock', { ...master, seqno: 3 }],
      ['getBlockHeader', { ...master, seqno }],
      ['getBlockTransactions', { ...master, seqno }],
      ['shards', { seqno }],
      ['getMasterchainBlockSignatures', { seqno: 3 }],
      ['getConfigParam', { config_id: 34 }],
      ['runGetMethod', { address, method: 'seqno', stack: [] }],
      ['getAddressInformation', { address: 'nobody' }],
      ['lookupBlock', { ...master, seqno: 999_999 }],
    ] as const) {
      const [ours, theirs] = await Promise.all([call(follower, method, params), call(maker, method, params)])
      expect([method, ours]).toEqual([method, theirs])
      expect(theirs).toBeDefined()
    }
  })

  it('has no controls, and tells of its lite-servers', async () => {
    expect(await call(follower, 'local.mine', { blocks: 1 })).toMatchObject({ code: expect.any(Number) })
    const status = (await (await fetch(`${follower.url}/status`)).json()) as { liteservers: object }
    expect(status.liteservers).toMatchObject({ key_block: 1, servers: [{ state: 'ready', faults: 0, archival: true }] })
    expect((await fetch(`${follower.url}/ready`)).status).toBe(200)
    expect((await fetch(`${follower.url}/global.config.json`)).status).toBe(404)
  })

  it('says why there is no answer when its lite-server is gone', async () => {
    const gone = await startTonway({ blockTime: 0, liteserverPort: 0, index: false })
    await using copy = await startTonway({ network: ['copy'], globalConfig: `${gone.url}/global.config.json`, index: false })
    await gone.close()
    await until(() => copy.app.network.pool?.status().servers[0]?.state !== 'ready')
    const address = `0:${'1'.repeat(64)}`
    const response = await fetch(`${copy.url}/api/v2/getAddressInformation?address=${address}`)
    expect(response.status).toBe(542)
    expect(await response.json()).toMatchObject({
      ok: false,
      code: 542,
      error: expect.stringContaining('no working lite-server (127.0.0.1:'),
    })
  })

  it('names the network in what it logs of a lite-server', async () => {
    const told: unknown[] = []
    const logger = { ...silentLog, info: (event: string, fields?: object) => void told.push({ event, ...fields }) }
    await using _copy = await startTonway({ network: ['copy'], globalConfig: `${maker.url}/global.config.json`, index: false, logger })
    await until(() => told.length > 0)
    expect(told).toContainEqual({ event: 'liteserver.up', network: 'copy', server: expect.stringContaining('127.0.0.1:') })
  })

  it('does not start without a config, and says why', async () => {
    await expect(startTonway({ network: ['copy'], globalConfig: '/nowhere/global.config.json' })).rejects.toThrow(
      /cannot read the global config \/nowhere/,
    )
  })
})
