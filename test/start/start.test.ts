import { mnemonicToPrivateKey } from '@ton/crypto'
import { Address, internal, TonClient, WalletContractV4 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, pages, watch, webSocket } from '../../client/index.ts'
import { startTonway } from '../../server/start/start.ts'
import { createUseTonway } from '../../server/start/tests.ts'
import type { Tonway, TonwayOptions } from '../../server/start/types.ts'
import { useTonway } from '../../server/start/vitest.ts'

const FRIEND = `0:${'77'.repeat(32)}`
const OTHER = `0:${'88'.repeat(32)}`

/** Sends coins with the unmodified TonClient, from the first funded wallet; resolves when its seqno has changed. */
const transfer = async (tonway: Pick<Tonway, 'endpoint' | 'httpAdapter' | 'wallets'>, to: string, value: string): Promise<TonClient> => {
  const { mnemonic } = tonway.wallets.find(({ version }) => version === 'v4R2')!
  const keys = await mnemonicToPrivateKey([...mnemonic])
  const client = new TonClient({ endpoint: tonway.endpoint, httpAdapter: tonway.httpAdapter })
  const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }))
  const seqno = await wallet.getSeqno()
  const messages = [internal({ to: Address.parseRaw(to), value, bounce: false })]
  await wallet.sendTransfer({ seqno, secretKey: keys.secretKey, messages })
  await expect.poll(() => wallet.getSeqno()).toBe(seqno + 1)
  return client
}

/** A tonway in the thread of the test, and one in a thread of its own. */
const PLACES: readonly (readonly [string, TonwayOptions])[] = [
  ['in the same thread', {}],
  ['in a thread of its own', { thread: true }],
]

describe.each(PLACES)('a tonway %s', (_, place) => {
  it('a tonway without a port serves its client, TonClient, fetch and a WebSocket in memory', async () => {
    await using tonway = await startTonway({ ...place, port: 'off' })
    const client = await transfer(tonway, FRIEND, '1.5')
    await expect.poll(() => client.getBalance(Address.parseRaw(FRIEND))).toBeGreaterThan(1_499_000_000n)
    const result = await tonway.client.getAddressBalance({ address: FRIEND })
    expect(result).toMatch(/^1499\d{6}$/)
    expect(await (await tonway.fetch(`/api/v2/getAddressBalance?address=${FRIEND}`)).json()).toMatchObject({ ok: true, result })
    const socket = createClient({ transport: webSocket({ url: tonway.url, WebSocket: tonway.WebSocket }) })
    expect(await socket.getAddressBalance({ address: FRIEND })).toBe(result)
    socket.close()
    // Nothing listens at its name.
    await expect(fetch(tonway.url)).rejects.toThrow()
  }, 120_000)

  it('a tonway with a port serves everybody, and fetch of this process too', async () => {
    await using tonway = await startTonway(place)
    expect(tonway.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const [outside, inside] = await Promise.all([fetch, tonway.fetch].map(async (ask) => (await ask(`${tonway.url}/health`)).status))
    expect([outside, inside]).toEqual([200, 200])
  })

  it('several tonways side by side have chains of their own', async () => {
    await using one = await startTonway({ ...place, port: 'off' })
    await using two = await startTonway({ ...place, port: 'off', globalId: -7 })
    await one.client.local.fund({ address: FRIEND, amount: '5' })
    expect(await Promise.all([one, two].map(({ client }) => client.getAddressBalance({ address: FRIEND })))).toEqual(['5', '0'])
    expect(one.wallets[1]!.address).not.toBe(two.wallets[1]!.address)
  })

  it('a closed tonway refuses calls, and closing again does nothing', async () => {
    const tonway = await startTonway({ ...place, port: 'off' })
    await tonway.client.getMasterchainInfo()
    await tonway.close()
    await tonway.close()
    await expect(tonway.fetch('/health')).rejects.toThrow('fetch failed')
  })
})

describe.each(PLACES)('calls to a tonway %s', (_, place) => {
  let tonway: Tonway
  beforeAll(async () => {
    tonway = await startTonway({ ...place, port: 'off' })
  })
  afterAll(() => tonway?.close())

  it('many calls at once over kept connections all get their own answers', async () => {
    const asked = Array.from({ length: 300 }, (_, i) => `0:${i.toString(16).padStart(64, '0')}`)
    const answers = await Promise.all(
      asked.map(async (address) => {
        const reply = await tonway.fetch('/api/v2/jsonRPC', {
          method: 'POST',
          body: JSON.stringify({ id: address, jsonrpc: '2.0', method: 'getAddressBalance', params: { address } }),
        })
        return ((await reply.json()) as { id: string }).id
      }),
    )
    expect(answers).toEqual(asked)
  })

  it('a large answer arrives whole through a connection in memory', async () => {
    const text = await (await tonway.fetch('/openapi.json')).text()
    expect(text.length).toBeGreaterThan(300_000)
    expect(JSON.parse(text)).toHaveProperty('openapi')
  })

  it('an aborted call rejects with the reason of its signal', async () => {
    const reason = new Error('enough')
    await expect(tonway.fetch('/health', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const controller = new AbortController()
    const events = await tonway.fetch('/api/v2/getMasterchainInfo', { signal: controller.signal })
    expect(events.status).toBe(200)
  })

  it('an HTTP adapter rejects with the answer where axios expects that', async () => {
    const validateStatus = (status: number): boolean => status === 200
    const asked = tonway.httpAdapter({ url: '/api/v2/getAddressBalance?address=x', method: 'get', validateStatus })
    await expect(asked).rejects.toMatchObject({ isAxiosError: true, response: { status: 422 } })
  })
})

describe('options that cannot be', () => {
  it.each([
    [{ prot: 1 }, 'startTonway: unknown setting prot; did you mean port?'],
    [{ port: -1 }, 'startTonway: port=-1 must be a whole number from 0 to 65535'],
    [{ port: 'any' as never }, 'startTonway: port="any" must be a whole number from 0 to 65535'],
    [{ blockTime: '1ms' }, 'startTonway: blockTime="1ms" must be seconds'],
    [{ workers: 2 }, 'startTonway: workers is for the command'],
    [{ thread: 'yes' as never }, 'startTonway: thread="yes" must be true or false'],
    [{ thread: true, globalId: 0.5 }, 'startTonway: globalId=0.5'],
    [{ index: 'maybe' as never }, 'startTonway: index="maybe" must be on or off'],
  ])('startTonway(%j) says what is wrong', async (options, text) => {
    await expect(startTonway(options)).rejects.toThrow(text)
  })

  it.each(PLACES)('a port in use is an error that names it, %s', async (_, place) => {
    await using tonway = await startTonway()
    const port = Number(new URL(tonway.url).port)
    await expect(startTonway({ ...place, port })).rejects.toThrow(`port ${port} of 127.0.0.1 is in use by another process`)
  })

  it('two tonways on one directory: the second one says who has it', async () => {
    const { mkdtemp, rm } = await import('node:fs/promises')
    const dataDir = await mkdtemp('/tmp/tonway-start-')
    try {
      await using _ = await startTonway({ port: 'off', dataDir })
      await expect(startTonway({ port: 'off', dataDir })).rejects.toThrow(`is in use by process ${process.pid}`)
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  it.each(PLACES)('without an index a wait for it is refused, %s', async (_, place) => {
    await using tonway = await startTonway({ ...place, port: 'off' })
    await expect(tonway.indexed()).rejects.toThrow('there is no index; start it with index: true')
    await expect(tonway.client.v3.transactions({})).rejects.toThrow('there is no index (start with')
  })

  it('a URL of another service is refused by fetch', async () => {
    await using tonway = await startTonway({ port: 'off' })
    await expect(tonway.fetch('https://toncenter.com/api')).rejects.toThrow('https://toncenter.com is not this tonway')
  })
})

describe.each(PLACES)('a tonway with an index, %s', (_, place) => {
  let tonway: Tonway
  beforeAll(async () => {
    tonway = await startTonway({ ...place, port: 'off', index: true })
    await tonway.indexed()
  })
  afterAll(() => tonway?.close())

  const count = async (): Promise<number> => (await tonway.client.v3.transactions({ account: FRIEND, limit: 10 })).transactions.length

  it('v3 shows a transfer, and after a revert shows it no more', async () => {
    const mark = await tonway.client.local.snapshot()
    await tonway.client.local.fund({ address: FRIEND, amount: '5' })
    await tonway.indexed()
    expect(await count()).toBe(1)
    await tonway.client.local.revert(mark)
    await tonway.indexed()
    expect(await count()).toBe(0)
  })

  it('watch follows the chain over a WebSocket in memory', async () => {
    const client = createClient({ transport: webSocket({ url: tonway.url, WebSocket: tonway.WebSocket }) })
    let subscribed = (): void => {}
    const subscription = new Promise<void>((resolve) => {
      subscribed = resolve
    })
    const events = watch(client, { account: FRIEND }, { onSubscribed: () => subscribed() })[Symbol.asyncIterator]()
    let event = events.next()
    await subscription
    await tonway.client.local.fund({ address: FRIEND, amount: '6' })
    // The test before has reverted the chain, which a new reader may be told first.
    while ((await event).value?.type !== 'transactions') event = events.next()
    await events.return?.(undefined)
    client.close()
    const rows = []
    for await (const row of pages(tonway.client.v3.transactions, { account: FRIEND, limit: 1 })) rows.push(row)
    expect(rows.length).toBeGreaterThan(0)
  })
})

describe('useTonway', () => {
  const chain = useTonway({ port: 'off' })
  beforeAll(async () => {
    await chain.client.local.fund({ address: FRIEND, amount: '7' })
  })
  const balance = (address: string): Promise<string> => chain.client.getAddressBalance({ address })

  it('a test sees what beforeAll has set up', async () => {
    expect(await balance(FRIEND)).toBe('7')
    // Not FRIEND again: its second transaction pays for storage, and a second of that costs a nanogram.
    await chain.client.local.fund({ address: OTHER, amount: '1' })
    expect(await balance(OTHER)).toBe('1')
  })
  it('the next test does not see what the test before did', async () => {
    expect(await Promise.all([FRIEND, OTHER].map(balance))).toEqual(['7', '0'])
  })
  it('a test can turn automine off and hold shard blocks', async () => {
    await Promise.all([chain.client.local.setAutomine({ automine: false }), chain.client.local.holdShardBlocks({ hold: true })])
    const { boc } = await chain.client.local.signTransfer({ from: chain.wallets[0]!.address, to: OTHER, amount: '1', bounce: false })
    await chain.client.sendBoc({ boc })
  })
  it('the test after it has automine and shard blocks as before, and no message that waited', async () => {
    expect(await chain.client.local.setAutomine({})).toEqual({ automine: true })
    expect(await chain.client.local.holdShardBlocks({})).toEqual({ hold: false, blocks: 0 })
    expect(await balance(OTHER)).toBe('0')
  })
  it('members of a tonway that does not run yet say so', () => {
    const none = { beforeAll: () => {}, afterAll: () => {}, beforeEach: () => {}, afterEach: () => {} }
    const later = createUseTonway(none)()
    expect(() => later.url).toThrow(
      'useTonway(): url can be used in tests and hooks only, and useTonway() itself is called outside of them: at the top of a file or in a describe',
    )
  })
})
