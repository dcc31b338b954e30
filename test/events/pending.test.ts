import { type Address, Cell, internal } from '@ton/core'
import { LiteSingleEngine } from 'ton-lite-client'
// The package has no exports map, and its functions stand nowhere else.
import { Functions } from 'ton-lite-client/dist/schema.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ManualMining, rawOf, startManualMining } from '../emulate/scene.ts'
import { sleep, until } from '../kit/wait.ts'
import { type Event, readRpc, stranger } from './kit.ts'
import { openSse } from './sse.ts'
import { openStream, type StreamReader } from './stream.ts'

/* What streams and subscriptions tell before a block; the number of the row of the acceptance list ends each title. */

let service: ManualMining
let seqno = 0
beforeAll(async () => {
  service = await startManualMining({ liteserverPort: 0 })
}, 120_000)
afterAll(() => service?.close())
beforeEach(async () => {
  // What a test left behind is in a block.
  await mine()
})

const ALL = ['transactions', 'actions', 'trace', 'account_state_change', 'jettons_change']
const RANKS = ['pending', 'confirmed', 'finalized']
const ws = (): string => `${service.url.replace('http', 'ws')}/api/streaming/v2/ws`
const gift = (to: Address, value = '1') => internal({ to, value, bounce: false, body: 'hi' })
const order = (to: Address, at: number, value?: string): string => service.v4.order(at, [gift(to, value)])
const send = async (boc: string): Promise<{ readonly hash: string; readonly norm: string }> => {
  const { hash, hash_norm } = await service.call('sendBocReturnHash', { boc })
  return { hash, norm: hash_norm }
}
const mine = (): Promise<void> => service.mine()
const subscribe = (to: Address, more: object = {}): object => ({
  operation: 'subscribe',
  id: '1',
  types: ALL,
  addresses: [rawOf(to)],
  min_finality: 'pending',
  ...more,
})
const stream = async (to: Address, more: object = {}): Promise<StreamReader> => {
  const reader = await openStream(ws())
  expect(await reader.op(subscribe(to, more))).toMatchObject({ status: 'subscribed' })
  return reader
}
/** The finalities of each type, in order. */
const finalities = (events: readonly Event[]): Record<string, string[]> => {
  const told: Record<string, string[]> = {}
  for (const { type, finality } of events) if (finality) told[type] = [...(told[type] ?? []), finality]
  return told
}
/** Whether no event has a lower finality than one before it about the same trace. */
const isRising = (events: readonly Event[]): boolean => {
  const highest = new Map<string, number>()
  return events.every(({ trace_external_hash_norm: hash, finality, type }) => {
    if (!hash || type === 'trace_invalidated') return true
    const rank = RANKS.indexOf(finality!)
    const before = highest.get(hash) ?? 0
    highest.set(hash, Math.max(rank, before))
    return rank >= before
  })
}
const has = (events: readonly Event[], type: string, finality?: string) => (): boolean =>
  events.some((event) => event.type === type && (finality === undefined || event.finality === finality))

describe('what is pending', () => {
  it('a pending transfer is kept as a text of less than 3,000 bytes, of 6,000 characters and more', async () => {
    const { hash } = await send(order(stranger(), seqno++))
    const told = async () => (await service.call('v3.pendingTraces', { ext_msg_hash: [hash] })).traces
    await until(async () => (await told()).length === 1)
    expect(JSON.stringify(await told()).length).toBeGreaterThan(6_000)
    const status = await fetch(`${service.url}/status`)
    const { pending } = (await status.json()) as { pending: { traces: number; bytes: number } }
    expect(pending.traces).toBe(1)
    expect(pending.bytes).toBeLessThan(3_000)
  })

  it('pending transactions, actions and traces are told over WebSocket, SSE and JSON-RPC, and later as finalized (25)', async () => {
    const to = stranger()
    const overWs = await stream(to, { include_address_book: true, include_metadata: true })
    const sse = await openSse(`${service.url}/api/streaming/v2/sse`, { types: ALL, addresses: [rawOf(to)], min_finality: 'pending' })
    const overRpc = await readRpc(service.tonway.wsUrl, { types: ALL, addresses: [rawOf(to)], min_finality: 'pending' })
    const { hash, norm } = await send(order(to, seqno++))
    await until(has(overWs.events, 'trace', 'pending'))
    const [transactions, actions, trace] = overWs.events
    expect(overWs.events.map(({ type }) => type)).toEqual(['transactions', 'actions', 'trace'])
    expect(transactions).toMatchObject({
      finality: 'pending',
      trace_external_hash_norm: norm,
      transactions: [
        { account: rawOf(to), emulated: true, finality: 'pending', trace_external_hash: hash, in_msg: { value: '1000000000' } },
      ],
      address_book: {
        [rawOf(to)]: { user_friendly: expect.stringMatching(/^UQ|^0Q/) },
        [service.v4.raw]: { user_friendly: expect.any(String) },
      },
      metadata: {},
    })
    expect(actions).toMatchObject({
      actions: [{ type: 'ton_transfer', finality: 'pending', trace_id: null, trace_external_hash: hash, trace_external_hash_norm: norm }],
    })
    const [asked] = (await service.call('v3.pendingTraces', { ext_msg_hash: [hash] })).traces
    expect(trace).toMatchObject({ trace: asked!.trace, transactions: asked!.transactions, trace_external_hash_norm: norm })

    await mine()
    await until(() => [overWs.events, overRpc.events].every((events) => has(events, 'trace', 'finalized')()))
    const ofSse = (): Event[] => sse.frames.flatMap(({ event, data }) => (event === 'event' ? [data as Event] : []))
    await until(() => has(ofSse(), 'trace', 'finalized')())
    for (const events of [overWs.events, overRpc.events, ofSse()]) {
      const { transactions: own, actions: acts, trace: traces, account_state_change: states } = finalities(events)
      expect(own![0]).toBe('pending')
      for (const told of [own, acts, traces, states]) expect(told!.at(-1)).toBe('finalized')
      expect(states).not.toContain('pending')
      expect(isRising(events)).toBe(true)
      expect(events.map(({ type }) => type)).not.toContain('trace_invalidated')
    }
    for (const each of [overWs, overRpc, sse]) each.close()
  })

  it('pending events are not told to listeners of final ones (27), and are told by the hash of a trace that does not exist yet (24)', async () => {
    const to = stranger()
    const boc = order(to, seqno++)
    const hash = Cell.fromBase64(boc).hash().toString('hex')
    const [final, byHash] = [await stream(to, { min_finality: 'finalized' }), await openStream(ws())]
    await byHash.op({ operation: 'subscribe', types: ['trace'], trace_external_hash_norms: [hash], min_finality: 'pending' })
    await send(boc)
    await until(has(byHash.events, 'trace', 'pending'))
    await mine()
    for (const { events } of [final, byHash]) await until(has(events, 'trace', 'finalized'))
    expect(final.events.every(({ finality }) => finality === 'finalized')).toBe(true)
    expect(isRising(byHash.events)).toBe(true)
    for (const each of [final, byHash]) each.close()
  })

  it('pending events of two messages sent at once are told for both, the second on top of the first (40)', async () => {
    const to = stranger()
    const reader = await stream(to, { types: ['trace'] })
    const sent = [await send(order(to, seqno++, '1')), await send(order(to, seqno++, '2'))]
    await until(() => new Set(reader.events.map((event) => event.trace_external_hash_norm)).size === 2)
    const { traces } = await service.call('v3.pendingTraces', { ext_msg_hash: sent.map(({ hash }) => hash) })
    const [one, two] = traces.map(({ transactions, transactions_order: list }) => transactions![list![0]!]!)
    expect(two!.prev_trans_hash).toBe(one!.hash)
    await mine()
    await until(() => reader.events.filter(({ finality }) => finality === 'finalized').length === 2)
    expect(isRising(reader.events)).toBe(true)
    reader.close()
  })

  it('a pending message whose seqno another one took is invalidated once, for listeners that were told of it (31, 32)', async () => {
    const to = stranger()
    const [saw, final, other] = [await stream(to), await stream(to, { min_finality: 'finalized' }), await stream(stranger())]
    const [first, second] = [await send(order(to, seqno, '1')), await send(order(to, seqno, '2'))]
    seqno++
    await until(() => new Set(saw.events.map((event) => event.trace_external_hash_norm)).size === 2)
    await mine()
    await until(has(saw.events, 'trace_invalidated'))
    await until(has(saw.events, 'trace', 'finalized'))
    const mined = saw.events.find(({ type, finality }) => type === 'trace' && finality === 'finalized')!.trace_external_hash_norm
    const invalid = saw.events.filter(({ type }) => type === 'trace_invalidated')
    expect(invalid).toEqual([{ type: 'trace_invalidated', trace_external_hash_norm: mined === first.norm ? second.norm : first.norm }])
    expect([...final.events, ...other.events].map(({ type }) => type)).not.toContain('trace_invalidated')
    expect((await service.call('v3.pendingTraces', { ext_msg_hash: [first.hash, second.hash] })).traces).toEqual([])
    for (const each of [saw, final, other]) each.close()
  })

  it('pending events are told again to a reader who comes back, over JSON-RPC and streaming v2', async () => {
    const to = stranger()
    const params = { types: ['trace'], addresses: [rawOf(to)], min_finality: 'pending', include_address_book: true }
    const before = await readRpc(service.tonway.wsUrl, params)
    const { cursor } = before.events[0]!
    before.close()
    const { norm } = await send(order(to, seqno++))
    const overRpc = await readRpc(service.tonway.wsUrl, { ...params, since: cursor })
    const overWs = await openStream(ws())
    expect(await overWs.op({ operation: 'subscribe', ...params, resume_from: cursor })).toMatchObject({ resumed: true })
    for (const { events } of [overRpc, overWs]) {
      await until(has(events, 'trace', 'pending'))
      const [told] = events.filter(({ type }) => type === 'trace')
      expect(told).toMatchObject({ trace_external_hash_norm: norm, address_book: { [rawOf(to)]: {} } })
    }
    await mine()
    for (const { events } of [overRpc, overWs]) {
      await until(has(events, 'trace', 'finalized'))
      expect(finalities(events)['trace']).toEqual(['pending', 'finalized'])
    }
    for (const each of [overRpc, overWs]) each.close()
  })

  it('no pending event is told of a refused message', async () => {
    const to = stranger()
    const reader = await stream(to)
    await expect(send(service.v3.order(0, [gift(to)]))).rejects.toThrow('cannot apply external message')
    const { norm } = await send(order(to, seqno++))
    await until(has(reader.events, 'trace', 'pending'))
    expect(new Set(reader.events.map((event) => event.trace_external_hash_norm))).toEqual(new Set([norm]))
    reader.close()
  })

  it('each message that is in a block at once can be read when it is sent, and no pending event of it comes after a final one', async () => {
    await service.call('local.setAutomine', { automine: true })
    const to = stranger()
    const readers = [await stream(to), await stream(to, { types: ['transactions'] })]
    const rpc = await readRpc(service.tonway.wsUrl, { types: ALL, addresses: [rawOf(to)], min_finality: 'pending' })
    // Of one wallet at most twenty messages in ten seconds are followed (flood-guard.ts), and this file sends from one.
    for (let i = 0; i < 6; i++) {
      const { norm } = await send(order(to, seqno++))
      // A trace leaves the first list once the second one has it.
      const { traces: pending } = await service.call('v3.pendingTraces', { ext_msg_hash: [norm] })
      expect(pending.length > 0 || (await service.call('v3.traces', { msg_hash: [norm] })).traces.length > 0, `message ${i}`).toBe(true)
    }
    await service.settle()
    for (const { events } of [...readers, rpc]) {
      await until(() => events.filter(({ type, finality }) => type === 'transactions' && finality === 'finalized').length === 6)
      await sleep(50)
      expect(isRising(events)).toBe(true)
      expect(events.map(({ type }) => type)).not.toContain('trace_invalidated')
    }
    for (const each of [...readers, rpc]) each.close()
    await service.call('local.setAutomine', { automine: false })
  })

  it('mytonwallet gets its answers: its socket, pendingActions at its start, pendingTraces of the normalized hash', async () => {
    const to = stranger()
    const url = `${ws()}?appVersion=26.8.8&platform=web`
    const reader = await openStream(url)
    const message = {
      operation: 'subscribe',
      id: '1',
      types: ['actions', 'account_state_change', 'jettons_change'],
      addresses: [service.v4.address.toString({ bounceable: false }), to.toString()],
      min_finality: 'pending',
      include_address_book: true,
      include_metadata: true,
      supported_action_types: ['v1'],
    }
    expect(await reader.op(message)).toEqual({ id: '1', status: 'subscribed' })
    expect(await reader.op({ operation: 'ping' })).toEqual({ status: 'pong' })
    const { norm } = await send(order(to, seqno++))
    await until(has(reader.events, 'actions', 'pending'))
    const told = reader.events.find(({ type }) => type === 'actions')!
    const book = told['address_book'] as Record<string, { user_friendly: string; interfaces: string[] }>
    // It groups actions by the friendly form of each account.
    for (const account of told.actions!.flatMap(({ accounts }) => accounts)) expect(book[account]!.user_friendly).toMatch(/^UQ|^0Q/)
    expect(told['metadata']).toEqual({})
    const { status, body } = await service.get<{ actions: { trace_external_hash_norm: string }[]; address_book: object; metadata: object }>(
      `pendingActions?account=${service.v4.raw}&supported_action_types=v1&include_transactions=true`,
    )
    expect([status, body.actions.map((action) => action.trace_external_hash_norm)]).toEqual([200, [norm]])
    expect(Object.keys(body.address_book)).toContain(service.v4.raw)
    const traces = await service.get<{ traces: { actions: unknown[]; transactions: object }[] }>(
      `pendingTraces?ext_msg_hash=${encodeURIComponent(norm)}&supported_action_types=v1`,
    )
    expect(traces.body.traces).toMatchObject([{ actions: [{ type: 'ton_transfer' }], trace_info: { trace_state: 'pending' } }])
    await mine()
    await until(has(reader.events, 'actions', 'finalized'))
    expect(isRising(reader.events)).toBe(true)
    const after = await service.get<{ actions: unknown[] }>(`pendingActions?account=${service.v4.raw}&supported_action_types=v1`)
    expect(after.body.actions).toEqual([])
    reader.close()
  })

  it('walletkit gets its answers: its socket with a key, pendingTraces that are not empty, pendingTransactions', async () => {
    const to = stranger()
    const reader = await openStream(`${ws()}?api_key=none`)
    const id = `sync-${Date.now()}-1`
    const types = ['transactions', 'actions', 'account_state_change', 'jettons_change', 'trace']
    const addresses = [service.v4.address.toString()]
    expect(await reader.op({ operation: 'subscribe', id, types, addresses, min_finality: 'pending', include_metadata: true })).toEqual({
      id,
      status: 'subscribed',
    })
    const { hash, norm } = await send(order(to, seqno++))
    await until(has(reader.events, 'transactions', 'pending'))
    const isWhole = (transaction: object): void => {
      // Without one of these its mapper drops the transaction.
      expect(transaction).toMatchObject({
        trace_external_hash: hash,
        account_state_before: { hash: expect.any(String) },
        account_state_after: { hash: expect.any(String) },
        block_ref: {},
        description: { storage_ph: {}, compute_ph: {} },
      })
    }
    for (const each of reader.events.find(({ type }) => type === 'transactions')!.transactions!) isWhole(each)
    const { body } = await service.get<{ traces: { transactions: Record<string, object> }[] }>(
      `pendingTraces?ext_msg_hash=${encodeURIComponent(norm)}`,
    )
    expect(body.traces).toHaveLength(1)
    for (const each of Object.values(body.traces[0]!.transactions)) isWhole(each)
    const pending = await service.get<{ transactions: object[] }>(`pendingTransactions?account=${addresses[0]}`)
    expect([pending.status, pending.body.transactions.length]).toEqual([200, 1])
    expect(await reader.op({ operation: 'unsubscribe', id: `clear-${Date.now()}-2`, addresses })).toMatchObject({ status: 'unsubscribed' })
    reader.close()
  })

  it('pending events are told of a message that came by the lite-server port, and one that is refused there has the error of the chain', async () => {
    const to = stranger()
    const reader = await stream(to, { types: ['trace'] })
    const config = (await (await fetch(`${service.url}/global.config.json`)).json()) as {
      liteservers: { port: number; id: { key: string } }[]
    }
    const [{ port, id }] = config.liteservers as [(typeof config.liteservers)[0]]
    const engine = new LiteSingleEngine({ host: `tcp://127.0.0.1:${port}`, publicKey: Buffer.from(id.key, 'base64') })
    await new Promise<void>((resolve) => engine.once('ready', () => resolve()))
    const sendThere = (boc: string) =>
      engine.query(Functions.liteServer_sendMessage, { kind: 'liteServer.sendMessage', body: Buffer.from(boc, 'base64') })
    const boc = order(to, seqno++)
    expect(await sendThere(boc)).toMatchObject({ status: 1 })
    await until(has(reader.events, 'trace', 'pending'))
    const hash = Cell.fromBase64(boc).hash().toString('base64')
    expect((await service.call('v3.pendingTraces', { ext_msg_hash: [hash] })).traces).toHaveLength(1)
    await expect(sendThere(service.v3.order(0, [gift(to)]))).rejects.toThrow('cannot apply external message')
    engine.close()
    await mine()
    await until(has(reader.events, 'trace', 'finalized'))
    reader.close()
  })
})
