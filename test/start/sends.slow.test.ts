import type { OpenedContract, Sender } from '@ton/core'
import { TonClient, WalletContractV4 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { tonCore } from '../../client/adapters/ton-core.ts'
import { createClient, webSocket } from '../../client/index.ts'
import { startTonway } from '../../server/start/start.ts'
import type { Tonway, TonwayOptions } from '../../server/start/types.ts'
import { Counter } from './counter.ts'
import { keysOf, transfer } from './transfer.ts'

/* When sends of the program resolve: once their transactions are in a block. */

type Open = <T extends WalletContractV4 | Counter>(contract: T) => OpenedContract<T>

/** The ways of a program into its own tonway. */
const WAYS: readonly (readonly [string, (tonway: Tonway) => Open])[] = [
  ['open() over its client', (tonway) => tonCore(tonway.client).open as Open],
  [
    'TonClient over its adapter',
    ({ endpoint, httpAdapter }) => {
      const client = new TonClient({ endpoint, httpAdapter })
      return ((contract) => client.open(contract)) as Open
    },
  ],
  ['its WebSocket', ({ url, WebSocket }) => tonCore(createClient({ transport: webSocket({ url, WebSocket }) })).open as Open],
  ['its fetch', ({ url, fetch }) => tonCore(createClient({ url, fetch: fetch as typeof globalThis.fetch })).open as Open],
]
const PLACES: readonly (readonly [string, TonwayOptions])[] = [
  ['in the same thread', {}],
  ['in a thread of its own', { thread: true }],
]

/** The first funded wallet, and a counter that it owns. */
const opened = async (tonway: Tonway, open: Open) => {
  const { publicKey, secretKey } = await keysOf(tonway)
  const wallet = open(WalletContractV4.create({ workchain: 0, publicKey }))
  const sender: Sender = wallet.sender(secretKey)
  return { wallet, sender, counter: open(new Counter(wallet.address)) }
}

const FRIEND = `0:${'77'.repeat(32)}`

describe.each(PLACES)('sends of the program, to a tonway %s', (_, place) => {
  let tonway: Tonway
  beforeAll(async () => {
    tonway = await startTonway({ port: 'off', ...place })
  })
  afterAll(() => tonway?.close())

  it.each(WAYS)('a contract that is deployed and called by %s answers with what was sent', async (__, way) => {
    const { sender, counter } = await opened(tonway, way(tonway))
    await counter.sendDeploy(sender)
    const before = await counter.getCounter()
    await counter.sendIncrease(sender, 5)
    await counter.sendIncrease(sender, 6)
    expect(await counter.getCounter()).toBe(before + 11)
  })
})

describe.each(PLACES.slice(0, 2))('what becomes of a sent message, in a tonway %s', (_, place) => {
  it('without automine a send resolves when it is accepted, and the block is made by local.mine', async () => {
    await using tonway = await startTonway({ port: 'off', ...place })
    await tonway.client.local.setAutomine({ automine: false })
    const { wallet, sender, counter } = await opened(tonway, tonCore(tonway.client).open as Open)
    await counter.sendDeploy(sender)
    expect(await wallet.getSeqno()).toBe(0)
    await tonway.client.local.mine({ count: 1 })
    expect(await Promise.all([wallet.getSeqno(), counter.getCounter()])).toEqual([1, 0])
  })

  it('a send that waits when automine is turned off resolves, because it is accepted', async () => {
    await using tonway = await startTonway({ port: 'off', ...place })
    const boc = await transfer(tonway, 0, FRIEND, '1')
    const { client } = tonway
    const [sent, { automine }] = await Promise.all([client.sendBoc({ boc }), client.local.setAutomine({ automine: false })])
    expect([sent['@type'], automine]).toEqual(['ok', false])
  })

  it('a message that waits while the chain is reverted says that it is in no block', async () => {
    await using tonway = await startTonway({ port: 'off', ...place })
    const { client } = tonway
    const mark = await client.local.snapshot()
    // Blocks of many messages keep the sent one waiting.
    const busy = Promise.allSettled(
      Array.from({ length: 200 }, (__, i) => client.local.fund({ address: `0:${i.toString(16).padStart(64, '0')}`, amount: '5' })),
    )
    const sent = client.sendBoc({ boc: await transfer(tonway, 0, FRIEND, '1') }).catch((error: Error) => error.message)
    await Promise.all([busy, client.local.revert(mark)])
    // It may have been in a block before.
    expect(await sent).toSatisfy(
      (answer: unknown) => typeof answer === 'object' || String(answer).includes('the chain was reverted meanwhile'),
    )
  })

  it('a message that the account does not accept is refused with the exit code', async () => {
    await using tonway = await startTonway({ port: 'off', ...place })
    const boc = await transfer(tonway, 7, FRIEND, '1')
    await expect(tonway.client.sendBoc({ boc })).rejects.toMatchObject({ kind: 'CHAIN', message: expect.stringMatching(/exitcode=33/) })
  })

  it('a message that is sent twice at once is in a block once, and both sends resolve', async () => {
    await using tonway = await startTonway({ port: 'off', ...place })
    const boc = await transfer(tonway, 0, FRIEND, '1')
    const [first, second] = await Promise.all([tonway.client.sendBocReturnHash({ boc }), tonway.client.sendBocReturnHash({ boc })])
    expect(second).toEqual(first)
    expect(await tonway.client.getAddressBalance({ address: FRIEND })).toBe('1000000000')
  })

  it('of two messages with one seqno that are sent at once, one says why it is in no block', async () => {
    await using tonway = await startTonway({ port: 'off', ...place })
    const bocs = await Promise.all(['1', '2'].map((value) => transfer(tonway, 0, FRIEND, value)))
    const sent = await tonway.client.batch(bocs.map((boc) => ({ method: 'sendBoc', params: { boc } }) as const))
    expect(sent.map(({ ok }) => ok).sort()).toEqual([false, true])
    // Refused at once, or by the block.
    expect(sent.find(({ ok }) => !ok)).toMatchObject({ error: { kind: 'CHAIN', message: expect.stringMatching(/exitcode=33/) } })
  })
})

describe.each(PLACES)('sends while the chain can make no block, to a tonway %s', (_, place) => {
  /** So many blocks are held back that messages wait, although automine is on. Whoever waits for a block gets an error, however busy the machine is. */
  const withoutBlocks = async (options: TonwayOptions): Promise<Tonway> => {
    const tonway = await startTonway({ ...place, ...options })
    const { local } = tonway.client
    await local.holdShardBlocks({ hold: true })
    for (let i = 0; i < 20; i++) await local.mine({ count: 1 })
    return tonway
  }

  it('the program waits for a block, and who sends by the port does not', async () => {
    await using tonway = await withoutBlocks({})
    const inside = tonway.client.sendBoc({ boc: await transfer(tonway, 0, FRIEND, '1') }).catch((error: Error) => error.message)
    const { url } = tonway
    const overSocket = createClient({ transport: webSocket({ url, WebSocket }) })
    for (const [client, value] of [[createClient({ url }), '2'] as const, [overSocket, '3'] as const])
      expect(await client.sendBoc({ boc: await transfer(tonway, 0, FRIEND, value) })).toEqual({ '@type': 'ok' })
    overSocket.close()
    expect(await inside).toContain('accepted, but is in no block after 8 seconds')
  })

  it('with waitForBlock: false a send resolves when it is accepted, whatever its way', async () => {
    await using tonway = await withoutBlocks({ port: 'off', waitForBlock: false })
    expect(await tonway.client.sendBoc({ boc: await transfer(tonway, 0, FRIEND, '1') })).toEqual({ '@type': 'ok' })
    for (const [, way] of WAYS) {
      const { wallet, sender } = await opened(tonway, way(tonway))
      await sender.send({ to: wallet.address, value: 1n })
      expect(await wallet.getSeqno()).toBe(0)
    }
  })
})
