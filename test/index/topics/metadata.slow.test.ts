import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Address, beginCell } from '@ton/core'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../../server/base/log.ts'
import { createFetcher, type Fetcher } from '../../../server/metadata/fetcher.ts'
import { createFetch } from '../../../server/net/fetch.ts'
import { createV3Handlers } from '../../../server/v3/index.ts'
import { parseParams } from '../../../shared/params.ts'
import { type MethodName, type ParamsIn, type Result, registry } from '../../../shared/registry.ts'
import { resultsOf } from '../../kit/service/results.ts'
import { until } from '../../kit/wait.ts'
import { type Assets, account, raw, speaking, startAssets } from './kit.ts'

/* What tokens keep off the chain: fetched in the background from a server of our own, every sort of nonsense among it. */

const bodies: Record<
  string,
  { readonly type?: string; readonly body: string | (() => string); readonly status?: number; readonly to?: string }
> = {
  '/good.json': {
    body: JSON.stringify({ name: 'Gold', symbol: 'AU', decimals: '7', image: 'https://example.org/au.png', attributes: [1] }),
  },
  '/page.json': { type: 'text/html', body: '<html></html>' },
  '/lies.json': { body: '<html></html>' },
  '/list.json': { body: '[1,2]' },
  '/deep.json': { body: `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}` },
  '/endless.json': { body: () => `{"a":"${'x'.repeat(5 << 20)}"}` },
  '/file.json': { status: 302, to: 'file:///etc/passwd', body: '' },
  '/mintless.json': { body: JSON.stringify({ name: 'Drop', custom_payload_api_uri: 'https://example.org/api' }) },
  '/proto.json': { body: '{"__proto__":{"valid":false},"name":"P\\u0000\\ud800"}' },
}

const NO_FLAGS = { is_scam: false, is_nsfw: false }

describe('metadata', () => {
  let assets: Assets
  let server: Server
  let base: string
  let fetcher: Fetcher
  let shaky = 0
  let silentFetches = 0
  let ask: <M extends MethodName>(method: M, params: ParamsIn<M>) => Promise<Result<M>>

  /** v3 over the index of the service, with a fetcher of the test's own. */
  const asking = ({ want }: Fetcher): typeof ask => {
    const handlers = resultsOf(createV3Handlers({ reader: assets.tonway.app.network.index!.reader, want, v2: {} as never }))
    const call = { signal: new AbortController().signal, requestId: '', log: silentLog, localAllowed: true, network: 'local' }
    return (method, params) => handlers[method]!(parseParams(registry[method], params, 'body'), call) as never
  }

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/shaky.json') {
        response.writeHead(++shaky < 3 ? 503 : 200, { 'content-type': 'application/json' }).end('{"name":"At last"}')
        return
      }
      if (request.url?.startsWith('/silent')) return void silentFetches++
      const found = bodies[(request.url ?? '').split('?')[0]!]
      if (!found) return void response.writeHead(404).end()
      const { body } = found
      response.writeHead(found.status ?? 200, { 'content-type': found.type ?? 'application/json', ...(found.to && { location: found.to }) })
      response.end(typeof body === 'string' ? body : body())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    assets = await startAssets()
    const index = assets.tonway.app.network.index!
    fetcher = createFetcher({
      // Its own machine is private: allowed here alone.
      fetch: createFetch({ isAllowed: () => true, resolve: async () => ['127.0.0.1'], timeout: 1_000 }),
      connection: index.connection,
      log: silentLog,
      now: () => Math.floor(Date.now() / 1000),
      pause: 20,
      retry: 1,
    })
    ask = asking(fetcher)
  })
  afterAll(async () => {
    await fetcher?.close()
    await assets?.close()
    server?.closeAllConnections()
    server?.close()
  })

  /** A jetton whose content is a link. */
  const jetton = async (byte: number, uri: string): Promise<Address> => {
    const master = account(byte)
    const nobody = { slice: beginCell().storeUint(0, 2).endCell() }
    const content = { cell: beginCell().storeUint(1, 8).storeStringTail(uri).endCell() }
    await assets.put(master, speaking({ get_jetton_data: [5n, -1n, nobody, content, { cell: beginCell().endCell() }] }))
    return master
  }
  const told = async (master: Address) => (await ask('v3.metadata', { address: [raw(master)] }))[raw(master)]

  it('an answer does not wait for metadata, which is there soon after', async () => {
    const master = await jetton(0x51, `${base}/good.json`)
    expect(await told(master)).toEqual({
      is_indexed: false,
      token_info: [{ valid: true, type: 'jetton_masters', ...NO_FLAGS, extra: { uri: `${base}/good.json` } }],
    })
    await expect
      .poll(() => told(master))
      .toEqual({
        is_indexed: true,
        token_info: [
          {
            valid: true,
            type: 'jetton_masters',
            name: 'Gold',
            symbol: 'AU',
            image: 'https://example.org/au.png',
            ...NO_FLAGS,
            extra: { uri: `${base}/good.json`, decimals: '7', attributes: [1] },
          },
        ],
      })
    // It stands in other answers too.
    const { metadata } = await ask('v3.jetton.masters', { address: [raw(master)] })
    expect(metadata[raw(master)]?.token_info[0]?.name).toBe('Gold')
    expect((await ask('v3.jetton.masters', { address: [raw(master)], x_no_metadata: true })).metadata).toEqual({})
  })

  it.each<[string, Parameters<typeof speaking>[0], object | undefined]>([
    [
      'not claimed',
      { is_claimed: [0n] },
      { amount: null, start_from: null, expire_at: null, custom_payload_api_uri: ['https://example.org/api'] },
    ],
    ['claimed', { is_claimed: [-1n] }, undefined],
    ['of no mintless jetton', {}, undefined],
  ])('the metadata of a jetton wallet %s', async (name, methods, expected) => {
    const slice = (of: Address | null) => ({ slice: beginCell().storeAddress(of).endCell() })
    const [master, wallet] = [account(0x80 + name.length), account(0xc0 + name.length)]
    const content = { cell: beginCell().storeUint(1, 8).storeStringTail(`${base}/mintless.json`).endCell() }
    const empty = { cell: beginCell().endCell() }
    const data = { get_jetton_data: [9n, -1n, slice(null), content, empty], get_wallet_address: [slice(wallet)] }
    await assets.place(master, speaking(data))
    await assets.put(wallet, speaking({ get_wallet_data: [9n, slice(account(0xa1)), slice(master), empty], ...methods }))
    await told(master)
    await expect.poll(async () => (await told(master))?.token_info[0]?.name).toBe('Drop')
    const { jetton_wallets } = await ask('v3.jetton.wallets', { jetton_address: [raw(master)] })
    expect(jetton_wallets.map(({ mintless_info }) => mintless_info)).toEqual([expected])
  })

  it.each([
    '/page.json',
    '/lies.json',
    '/list.json',
    '/deep.json',
    '/endless.json',
    '/file.json',
    '/nothing.json',
  ])('%s is remembered as no metadata', async (path) => {
    const master = await jetton(0x60 + Object.keys(bodies).indexOf(path), `${base}${path}`)
    await told(master)
    await expect.poll(() => told(master)).toEqual({ is_indexed: true, token_info: [{ valid: false, type: 'jetton_masters', ...NO_FLAGS }] })
  })

  it('strange texts in metadata are kept as they are', async () => {
    const master = await jetton(0x71, `${base}/proto.json`)
    await told(master)
    await expect.poll(async () => (await told(master))?.token_info[0]).toMatchObject({ valid: true, name: 'P\0\ud800' })
  })

  it('a download that failed for a while is tried again', async () => {
    const master = await jetton(0x72, `${base}/shaky.json`)
    await told(master)
    await expect.poll(async () => (await told(master))?.token_info[0]?.name).toBe('At last')
    expect(shaky).toBe(3)
  })

  it('a link with a zero byte is not fetched, and tokens beside it are fetched', async () => {
    const strange = await jetton(0x74, `${base}/good.json?\0`)
    await told(strange)
    const master = await jetton(0x75, `${base}/good.json?beside`)
    await told(master)
    await told(strange)
    await expect.poll(async () => (await told(master))?.token_info[0]?.name).toBe('Gold')
    expect(await told(strange)).toMatchObject({ is_indexed: true, token_info: [{ extra: { uri: `${base}/good.json?\0` } }] })
  })

  it('many tokens of a silent host do not delay a token of another host', async () => {
    for (let i = 0; i < 40; i++) await jetton(i, `${base}/silent?${i}`)
    const silent = Array.from({ length: 40 }, (_, i) => raw(account(i)))
    await ask('v3.metadata', { address: silent })
    await until(() => silentFetches === 8)
    const master = await jetton(0x76, `${base.replace('127.0.0.1', 'other.example')}/good.json`)
    await told(master)
    await expect.poll(async () => (await told(master))?.token_info[0]?.name).toBe('Gold')
    // Eight of the silent ones are fetched at a time, and each takes a second.
    expect(silentFetches).toBeLessThan(40)
  })

  it('thousands of tokens of a silent host do not delay a token of another host', async () => {
    const config = assets.tonway.app.network.index!.connection()!
    const db = new Client(config)
    await db.connect()
    // Copies of a token with other accounts and links, in place of thousands of contracts.
    const [first] = (await db.query(`select * from jetton_masters limit 1`)).rows
    const tokens = Array.from({ length: 3_000 }, (_, i) => Buffer.concat([first.account.subarray(0, -4), Buffer.from([1, 2, i >> 8, i])]))
    await db.query(
      `insert into jetton_masters select (jsonb_populate_record(m, jsonb_build_object('account', t.account,
        'content', jsonb_build_object('uri', $2 || t.account)::text))).* from jetton_masters m, unnest($1::bytea[]) as t(account)
        where m.account = $3`,
      [tokens, `${base}/silent?`, first.account],
    )
    await db.end()
    for (const token of tokens) fetcher.want(token)
    const master = await jetton(0x77, `${base.replace('127.0.0.1', 'third.example')}/good.json`)
    const before = silentFetches
    await told(master)
    await expect.poll(async () => (await told(master))?.token_info[0]?.name).toBe('Gold')
    expect(silentFetches - before).toBeLessThan(100)
  })

  it('metadata is never fetched from machines of the private network', async () => {
    const private_ = createFetcher({
      fetch: createFetch(),
      connection: assets.tonway.app.network.index!.connection,
      log: silentLog,
      now: () => Math.floor(Date.now() / 1000),
      pause: 20,
    })
    ask = asking(private_)
    const master = await jetton(0x73, `${base}/good.json?private`)
    await told(master)
    await expect.poll(() => told(master)).toEqual({ is_indexed: true, token_info: [{ valid: false, type: 'jetton_masters', ...NO_FLAGS }] })
    await private_.close()
  })
})
