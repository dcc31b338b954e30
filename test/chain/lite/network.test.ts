import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../../server/base/log.ts'
import { serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { ask, post, type RpcReply, rpc, rpcRequest } from '../../kit/service/client.ts'
import { startTonway, type Tonway } from '../../kit/service/tonway.ts'
import { until } from '../../kit/wait.ts'

/* One service makes the chain and serves it over ADNL; another one knows it by the global config alone. */

const boc = (cell: Cell): string => Buffer.from(serializeBoc(cell)).toString('base64')

let maker: Tonway
let follower: Tonway

beforeAll(async () => {
  maker = await startTonway({ blockTime: 0, liteserverPort: 0, index: false })
  await rpc(maker.url, 'local.mine', { count: 5 })
  follower = await startTonway({ network: ['copy'], globalConfig: `${maker.url}/global.config.json`, index: false })
})
afterAll(async () => {
  await follower?.close()
  await maker?.close()
})

describe('a service over the lite-server of another one', () => {
  it('a service over the lite-server of another one gives the same answers', async () => {
    const { wallets } = await rpc<{ wallets: { address: string }[] }>(maker.url, 'local.wallets')
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
      // Refusals are compared too.
      const asked = [follower, maker].map(({ url }) => post(`${url}/jsonRPC`, rpcRequest(method, params)))
      const [ours, theirs] = (await Promise.all(asked)).map(({ body }) => body as RpcReply)
      expect([method, ours]).toEqual([method, theirs])
      expect(theirs!.result ?? theirs!.error).toBeDefined()
    }
  })

  it('a service over the lite-server of another one runs a transaction again, with the same steps', async () => {
    const address = `0:${'5a'.repeat(32)}`
    // PUSHINT 7, NEWC, 8 STU, ENDC, POP c4
    const code = boc(beginCell().storeUint(0x77c8cb07c9ed54n, 56).end())
    await rpc(maker.url, 'local.setAccount', { address, balance: '1000000000', code, data: boc(beginCell().end()) })
    const from = `0:${'5b'.repeat(32)}`
    const { transaction_id } = await rpc<{ transaction_id: { lt: string } }>(maker.url, 'local.sendInternal', {
      from,
      to: address,
      amount: '100000000',
    })
    await until(() => follower.app.network.chain.head().id.seqno === maker.app.network.chain.head().id.seqno)
    const params = { address, lt: transaction_id.lt }
    const traced = await rpc<{ trace: { steps: readonly { instruction: string }[] } }>(follower.url, 'trace.transaction', params)
    expect(traced).toMatchObject({ transaction_id, version: 15, exit_code: 0, result: 'success', trace: { exit: 'success' } })
    expect(traced.trace.steps.map(({ instruction }) => instruction)).toEqual([
      'PUSHINT 7',
      'NEWC',
      'STU 8',
      'ENDC',
      'POP c4',
      'implicit RET',
    ])
    expect(await rpc(maker.url, 'trace.transaction', params)).toEqual(traced)
    expect(await rpc(maker.url, 'local.traceTransaction', params)).toEqual(traced)
    await expect(rpc(follower.url, 'trace.transaction', { address, lt: '1' })).rejects.toThrow(/has no transaction at lt 1/)
  })

  it('a service over lite-servers has no controls, and shows its lite-servers in the status', async () => {
    await expect(rpc(follower.url, 'local.mine', { count: 1 })).rejects.toThrow('local.mine is not served here')
    const status = (await ask(`${follower.url}/status`)).body as { liteservers: object }
    expect(status.liteservers).toMatchObject({ key_block: 1, servers: [{ state: 'ready', faults: 0, archival: true }] })
    expect((await ask(`${follower.url}/ready`)).status).toBe(200)
    expect((await ask(`${follower.url}/global.config.json`)).status).toBe(404)
  })

  it('a service whose lite-server is gone says why there is no answer', async () => {
    const gone = await startTonway({ blockTime: 0, liteserverPort: 0, index: false })
    await using copy = await startTonway({ network: ['copy'], globalConfig: `${gone.url}/global.config.json`, index: false })
    await gone.close()
    await until(() => copy.app.network.pool?.status().servers[0]?.state !== 'ready')
    const address = `0:${'1'.repeat(64)}`
    const response = await ask(`${copy.url}/api/v2/getAddressInformation?address=${address}`)
    expect(response.status).toBe(542)
    expect(response.body).toMatchObject({
      ok: false,
      code: 542,
      error: expect.stringContaining('no working lite-server (127.0.0.1:'),
    })
  }, 120_000)

  it('the log names the network of a lite-server', async () => {
    const told: unknown[] = []
    const logger = { ...silentLog, info: (event: string, fields?: object) => void told.push({ event, ...fields }) }
    await using _copy = await startTonway({ network: ['copy'], globalConfig: `${maker.url}/global.config.json`, index: false, logger })
    await until(() => told.length > 0)
    expect(told).toContainEqual({ event: 'liteserver.up', network: 'copy', server: expect.stringContaining('127.0.0.1:') })
  })

  it('a service without a global config does not start, and says why', async () => {
    await expect(startTonway({ network: ['copy'], globalConfig: '/nowhere/global.config.json' })).rejects.toThrow(
      /cannot read the global config \/nowhere/,
    )
  })
})
