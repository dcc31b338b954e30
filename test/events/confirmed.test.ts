import { type Address, internal } from '@ton/core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from '../../server/app.ts'
import { silentLog } from '../../server/base/log.ts'
import { loadConfig } from '../../server/cli/load-config.ts'
import { networkConfigs } from '../../server/config/networks.ts'
import type { Config } from '../../server/config/settings.ts'
import { planSharedSource } from '../../server/network/shared-lite-server.ts'
import { type Emulation, rawOf, startEmulation } from '../emulate/scene.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { startTestServer, urlOf } from '../kit/index/database.ts'
import { ask } from '../kit/service/client.ts'
import { startV3, type V3Service } from '../kit/service/service.ts'
import { until } from '../kit/wait.ts'
import { type Event, type RpcReader, readRpc, stranger } from './kit.ts'
import { openStream, type StreamReader } from './stream.ts'

/* Payments that are in a signed shard block before the masterchain names it: on the chain's own service, and on one that follows it and did not send them. */

let maker: Emulation
let follower: V3Service
let seqno = 0
beforeAll(async () => {
  maker = await startEmulation({ liteserverPort: 0 })
  await maker.settle()
  follower = await startV3({ network: ['copy'], globalConfig: `${maker.url}/global.config.json` })
  await follower.indexed()
}, 120_000)
afterAll(async () => {
  await follower?.close()
  await maker?.close()
})
const open: { close(): void }[] = []
afterEach(async ({ task }) => {
  // What this follower waits for cannot be seen from its events.
  if (task.result?.state === 'fail') for (const { url } of [maker, follower]) console.error(await (await fetch(`${url}/status`)).text())
  for (const each of open.splice(0)) each.close()
  await hold(false)
})

const TYPES = ['transactions', 'actions', 'trace']
const hold = (on: boolean): Promise<{ readonly blocks: number }> => maker.call('local.holdShardBlocks', { hold: on })
const pay = async (to: Address): Promise<string> => {
  const boc = maker.v4.order(seqno++, [internal({ to, value: '1', bounce: false, body: 'hi' })])
  return (await maker.call('sendBocReturnHash', { boc })).hash_norm
}
const read = async (url: string, to: Address, finality = 'confirmed'): Promise<RpcReader> => {
  const ws = `${url.replace('http', 'ws')}/jsonRPC`
  const reader = await readRpc(ws, { types: TYPES, addresses: [rawOf(to)], min_finality: finality, include_address_book: true })
  open.push(reader)
  return reader
}
const stream = async (url: string, to: Address): Promise<StreamReader> => {
  const reader = await openStream(`${url.replace('http', 'ws')}/api/streaming/v2/ws`)
  const message = { operation: 'subscribe', types: TYPES, addresses: [rawOf(to)], min_finality: 'confirmed' }
  expect(await reader.op(message)).toMatchObject({ status: 'subscribed' })
  open.push(reader)
  return reader
}
const told = (events: readonly Event[], type: string): (string | undefined)[] =>
  events.filter((event) => event.type === type).map(({ finality }) => finality)
const has = (events: readonly Event[], type: string, finality: string) => (): boolean => told(events, type).includes(finality)

describe('a payment in a signed block', () => {
  it('confirmed is told of it everywhere, on a service that did not send it too, and then finalized', async () => {
    const to = stranger()
    const services = [maker, follower]
    const readers = await Promise.all(services.map(({ url }) => read(url, to)))
    const streams = await Promise.all(services.map(({ url }) => stream(url, to)))
    await hold(true)
    const norm = await pay(to)
    for (const [i, service] of services.entries()) {
      const all = [readers[i]!.events, streams[i]!.events]
      for (const events of all) {
        for (const type of TYPES) await until(has(events, type, 'confirmed'))
        expect(new Set(events.flatMap(({ finality }) => finality ?? []))).toEqual(new Set(['confirmed']))
        const event = events.find(({ type }) => type === 'transactions')!
        expect(event).toMatchObject({
          trace_external_hash_norm: norm,
          transactions: [{ account: rawOf(to), emulated: false, finality: 'confirmed', in_msg: { value: '1000000000' } }],
        })
      }
      const { transactions } = await service.call('v3.pendingTransactions', { account: [rawOf(to)] })
      expect(transactions).toMatchObject([{ finality: 'confirmed', emulated: false, account_state_after: { balance: expect.any(String) } }])
      const { traces } = await service.call('v3.pendingTraces', { ext_msg_hash: [norm] })
      expect(traces).toMatchObject([{ trace_info: { transactions: 2, pending_messages: 0 } }])
      const { actions } = await service.call('v3.pendingActions', { account: rawOf(to) })
      expect(actions).toMatchObject([{ type: 'ton_transfer', finality: 'confirmed', trace_external_hash_norm: norm }])
      expect((await service.call('v3.transactions', { account: [rawOf(to)] })).transactions).toEqual([])
    }
    const [early] = (await follower.call('v3.pendingTransactions', { account: [rawOf(to)] })).transactions
    await hold(false)
    for (const { events } of [...readers, ...streams]) {
      for (const type of TYPES) await until(has(events, type, 'finalized'))
      expect(events.map(({ type }) => type)).not.toContain('trace_invalidated')
      for (const type of TYPES) expect(told(events, type).at(-1)).toBe('finalized')
    }
    const [final] = (await follower.call('v3.transactions', { account: [rawOf(to)] })).transactions
    expect([final!.hash, final!.lt, final!.total_fees]).toEqual([early!.hash, early!.lt, early!.total_fees])
    await until(async () => (await follower.call('v3.pendingActions', { account: rawOf(to) })).actions.length === 0)
  })

  it('pending answers tell of it without any listener', async () => {
    const to = stranger()
    await hold(true)
    const norm = await pay(to)
    const pending = async () => (await follower.call('v3.pendingActions', { account: rawOf(to) })).actions
    await until(async () => (await pending()).length > 0)
    expect(await pending()).toMatchObject([{ type: 'ton_transfer', finality: 'confirmed', trace_external_hash_norm: norm }])
  })

  it('two blocks one after the other are both confirmed, the later one found by the block before it', async () => {
    const [first, second] = [stranger(), stranger()]
    await hold(true)
    await pay(first)
    await pay(second)
    await until(async () => (await hold(true)).blocks === 2)
    const readers = [await read(follower.url, first), await read(follower.url, second)]
    for (const to of [first, second])
      await until(async () => (await follower.call('v3.pendingActions', { account: rawOf(to) })).actions.length === 1)
    await hold(false)
    for (const { events } of readers) await until(has(events, 'trace', 'finalized'))
  })

  it('a block that a revert drops takes its transactions back', async () => {
    const to = stranger()
    const { snapshot } = await maker.call('local.snapshot', {})
    const reader = await read(follower.url, to)
    const own = await read(maker.url, to, 'pending')
    await hold(true)
    const norm = await pay(to)
    for (const { events } of [reader, own]) await until(has(events, 'trace', 'confirmed'))
    await maker.call('local.revert', { snapshot })
    seqno--
    for (const { events } of [reader, own])
      await until(() => events.some(({ type, trace_external_hash_norm: hash }) => type === 'trace_invalidated' && hash === norm))
    await until(async () => (await follower.call('v3.pendingActions', { account: rawOf(to) })).actions.length === 0)
    await hold(false)
    await pay(to)
    await until(has(reader.events, 'trace', 'finalized'))
  }, 120_000)

  it('coins that no message from outside brought are confirmed too, in a trace without a hash', async () => {
    const to = stranger()
    const reader = await read(follower.url, to)
    await hold(true)
    const { transaction_id: id } = await maker.call('local.fund', { address: to.toRawString(), amount: '5' })
    await until(has(reader.events, 'trace', 'confirmed'))
    const event = reader.events.find(({ type }) => type === 'transactions')!
    expect(event).toMatchObject({ trace_external_hash_norm: null, transactions: [{ hash: id.hash, trace_external_hash: null }] })
    const { traces } = await follower.call('v3.pendingTraces', { account: rawOf(to) })
    expect(traces).toMatchObject([{ external_hash: null, trace_id: null }])
    await hold(false)
    await until(has(reader.events, 'trace', 'finalized'))
  })

  it('a message that is sent on top of a confirmed one is emulated on the account after it', async () => {
    const [first, second] = [stranger(), stranger()]
    const reader = await read(maker.url, first, 'pending')
    await hold(true)
    await pay(first)
    await until(has(reader.events, 'trace', 'confirmed'))
    await maker.call('local.setAutomine', { automine: false })
    try {
      await pay(second)
      const finalities = async () =>
        (await maker.call('v3.pendingTransactions', { account: [maker.v4.raw] })).transactions.map(({ finality }) => finality)
      await expect.poll(finalities).toEqual(['pending', 'confirmed'])
    } finally {
      await maker.call('local.setAutomine', { automine: true })
    }
    await hold(false)
  })

  it('status tells whose word it is', async () => {
    const status = (await (await fetch(`${follower.url}/status`)).json()) as { pending: { confirmed: object } }
    expect(status.pending.confirmed).toMatchObject({
      note: expect.stringContaining('the word of the lite-servers'),
      needs: 1,
      servers: [{ server: expect.stringContaining('127.0.0.1'), asked: true, reason: null }],
    })
  })

  it('a worker that reads through the first one names the lite-servers and not the port between them', async () => {
    const globalConfig = `${maker.url}/global.config.json`
    const { body } = await ask<{ liteservers: { port: number }[] }>(globalConfig)
    const database = await startTestServer()
    const tvm = createTestTvm({ workers: 1 })
    const config: Config = {
      ...loadConfig({ argv: [], env: {}, file: undefined }).config,
      ...{ port: 0, liteserverPort: 'off', metadata: false, anonymousRps: 'unlimited', network: ['copy'], globalConfig },
      databaseUrl: urlOf(await database.database()),
    }
    const source = await planSharedSource(networkConfigs(config)[0]!)
    const start = (worker: number, index: boolean): Promise<App> =>
      startApp({ ...config, index }, { log: silentLog, tvm, worker, sources: new Map([['copy', { ...source, opens: worker === 1 }]]) })
    const [first, second] = [await start(1, false), await start(2, true)]
    try {
      const { body: status } = await ask<{ pending: { confirmed: object } }>(`${second.url}/status`)
      const servers = [{ server: `127.0.0.1:${body.liteservers[0]!.port}`, asked: true, reason: null }]
      expect(status.pending.confirmed).toMatchObject({ servers })
    } finally {
      await second.close(1_000)
      await first.close(1_000)
      await tvm.close()
      await database.close()
    }
  })
})
