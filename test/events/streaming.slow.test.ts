import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../kit/service/client.ts'
import type { V3Service } from '../kit/service/service.ts'
import { until } from '../kit/wait.ts'
import { rawOf } from '../v3/scene.ts'
import { type Event, type Sender, startEvents, stranger } from './kit.ts'
import { openSse, type SseReader } from './sse.ts'
import { openStream as openReader, type StreamReader } from './stream.ts'

/* Streaming v2 as its acceptance list says; the number of the row ends each title. */

let service: V3Service
let sender: Sender
let ws: string
let sse: string
beforeAll(async () => {
  ;({ service, sender } = await startEvents())
  ws = `${service.url.replace('http', 'ws')}/api/streaming/v2/ws`
  sse = `${service.url}/api/streaming/v2/sse`
})
afterAll(() => service?.close())

const ALL = ['transactions', 'actions', 'trace', 'account_state_change', 'jettons_change']

const openStream = (url = ws): Promise<StreamReader> => openReader(url)
const subscribe = (more: object = {}): object => ({ operation: 'subscribe', id: '1', types: ALL, ...more })
const types = (events: readonly Event[]): string[] => events.map(({ type }) => type)
/** Resolves when a reader has everything that the service has written to it. */
const heardAll = ({ op }: StreamReader): Promise<unknown> => op({ operation: 'ping' })

describe('streaming v2 over a WebSocket', () => {
  it('streaming v2 over a WebSocket answers pings with and without an id, and takes a key in the URL (19)', async () => {
    const { line, op } = await openStream(`${ws}?api_key=anything`)
    expect(await op({ operation: 'ping', id: 'p' })).toEqual({ id: 'p', status: 'pong' })
    expect(await op({ operation: 'ping' })).toEqual({ status: 'pong' })
    line.socket.terminate()
  })

  it('streaming v2 over a WebSocket tells only what the last subscribe named (20)', async () => {
    const [before, after] = [stranger(), stranger()]
    const [reader, other] = [await openStream(), await openStream()]
    const { events, op } = reader
    expect(await op(subscribe({ addresses: [rawOf(before)] }))).toEqual({ id: '1', status: 'subscribed' })
    expect(await op(subscribe({ id: '2', addresses: [rawOf(after)] }))).toEqual({ id: '2', status: 'subscribed' })
    await sender.send([before])
    await sender.send([after])
    await until(() => events.some(({ type }) => type === 'trace'))
    const accounts = events.flatMap(({ transactions }) => (Array.isArray(transactions) ? transactions.map(({ account }) => account) : []))
    expect(new Set(accounts)).toEqual(new Set([rawOf(after)]))
    expect(await op({ operation: 'unsubscribe', id: '3', addresses: [after.toString(), rawOf(stranger())] })).toEqual({
      id: '3',
      status: 'unsubscribed',
    })
    const told = events.length
    await other.op(subscribe({ addresses: [rawOf(after)] }))
    await sender.send([after])
    await until(() => other.events.some(({ type }) => type === 'trace'))
    await heardAll(reader)
    expect(events.length).toBe(told)
    for (const each of [reader, other]) each.close()
  })

  it('streaming v2 over a WebSocket takes the default of each member that a second subscribe leaves out (21)', async () => {
    const to = stranger()
    const { line, events, op } = await openStream()
    await op(subscribe({ addresses: [rawOf(to)], min_finality: 'pending', include_address_book: true }))
    await op(subscribe({ addresses: [rawOf(to)] }))
    await sender.send([to])
    await until(() => events.some(({ type }) => type === 'trace'))
    expect(events.every(({ finality }) => finality === 'finalized')).toBe(true)
    expect(events.every((event) => !('address_book' in event))).toBe(true)
    line.socket.terminate()
  })

  it('streaming v2 over a WebSocket refuses with an error frame that has the id, and stays open (22)', async () => {
    const { line, op } = await openStream()
    const addresses = [sender.raw]
    const cases: readonly (readonly [object | string, string])[] = [
      [{ operation: 'dance', id: '9' }, 'unknown operation: dance'],
      [subscribe({ id: '9', types: ['trace_lost'], addresses }), 'invalid event type: trace_lost'],
      [subscribe({ id: '9', addresses: ['nobody'] }), 'invalid address: nobody'],
      [subscribe({ id: '9', types: [] }), 'types are required'],
      [subscribe({ id: '9', types: ['transactions'] }), 'addresses are required'],
      [subscribe({ id: '9', addresses, min_finality: 'soon' }), 'invalid subscribe request: unknown finality state: soon'],
      [
        subscribe({ id: '9', addresses, types: ['actions'], trace_external_hash_norms: ['AA'] }),
        'trace_external_hash_norms requires type "trace"',
      ],
      [subscribe({ id: '9', types: ['trace'], trace_external_hash_norms: [' '] }), 'trace_external_hash_norms contains empty value'],
      [{ operation: 'unsubscribe', id: '9' }, 'addresses or trace_external_hash_norms are required'],
      [
        subscribe({ id: '9', addresses: Array.from({ length: 1001 }, () => rawOf(stranger())) }),
        'address limit exceeded: current 0 + new 1001 > max 1000',
      ],
      [subscribe({ id: '9', addresses: 'x' }), 'invalid subscribe request: addresses must be an array of strings'],
    ]
    for (const [message, error] of cases) expect(await op(message as object)).toEqual({ id: '9', error })
    const broken = (await op('{{{' as never)) as { error: string }
    expect(broken).toEqual({ error: expect.stringMatching(/^invalid request envelope: /) })
    expect(await op({ operation: 'ping' })).toEqual({ status: 'pong' })
    line.socket.terminate()
  })

  it('streaming v2 over a WebSocket takes an id that is a number, and echoes it (23)', async () => {
    const { line, op } = await openStream()
    expect(await op(subscribe({ id: 7, addresses: [sender.raw] }))).toEqual({ id: 7, status: 'subscribed' })
    line.socket.terminate()
  })

  it('streaming v2 tells traces by hash in any form, and by address, and needs one of them (24)', async () => {
    const to = stranger()
    const byAddress = await openStream()
    const { cursor } = (await byAddress.op(subscribe({ types: ['trace'], addresses: [rawOf(to)], with_cursor: true }))) as {
      cursor: string
    }
    await sender.send([to])
    await until(() => byAddress.events.length === 1)
    expect(await byAddress.op(subscribe({ types: ['trace'] }))).toMatchObject({
      error: 'trace_external_hash_norms are required for trace subscription',
    })
    const hash = byAddress.events[0]!.trace_external_hash_norm!
    const bytes = Buffer.from(hash, 'base64')
    for (const form of [hash, bytes.toString('hex'), bytes.toString('base64url')]) {
      const byHash = await openStream()
      // The trace is complete already: it is told from the cursor before it.
      await byHash.op(subscribe({ types: ['trace'], trace_external_hash_norms: [form], resume_from: cursor }))
      await until(() => byHash.events.length === 1)
      expect(byHash.events).toEqual(byAddress.events)
      byHash.line.socket.terminate()
    }
    byAddress.line.socket.terminate()
  })

  it('streaming v2 tells only final transactions of the subscribed accounts, newest first (25, 26, 27)', async () => {
    const [one, two] = [stranger(), stranger()]
    const { line, events, op } = await openStream()
    await op(subscribe({ addresses: [rawOf(one), rawOf(two)], min_finality: 'finalized' }))
    await sender.send([one, two])
    await until(() => events.some(({ type }) => type === 'trace'))
    const [told] = events.filter(({ type }) => type === 'transactions')
    expect(told!.transactions!.map(({ account }) => account).sort()).toEqual([rawOf(one), rawOf(two)].sort())
    const lts = told!.transactions!.map(({ lt }) => BigInt(lt))
    expect(lts[0]! >= lts[1]!).toBe(true)
    expect(events.every(({ finality }) => finality === 'finalized')).toBe(true)
    expect(types(events).filter((type) => type !== 'account_state_change')).toEqual(['transactions', 'actions', 'trace'])
    line.socket.terminate()
  })

  it('streaming v2 tells the state of an account as v3 has it (28)', async () => {
    const to = stranger()
    const { line, events, op } = await openStream()
    await op(subscribe({ types: ['account_state_change'], addresses: [to.toString()] }))
    await sender.send([to])
    await until(() => events.length > 0)
    const [account] = (
      await service.get<{ accounts: { balance: string; account_state_hash: string }[] }>(`accountStates?address=${rawOf(to)}`)
    ).body.accounts
    expect(events.at(-1)).toEqual({
      type: 'account_state_change',
      finality: 'finalized',
      account: rawOf(to),
      state: {
        hash: account!.account_state_hash,
        balance: account!.balance,
        extra_currencies: null,
        account_status: 'uninit',
        frozen_hash: null,
        data_hash: null,
        code_hash: null,
      },
    })
    line.socket.terminate()
  })

  it('streaming v2 tells the jetton wallets of an owner, but not those of a master (29), and that one is gone after a revert', async () => {
    const owner = stranger()
    const { address: jetton } = await service.call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN' })
    const [ofOwner, ofMaster] = [await openStream(), await openStream()]
    await ofOwner.op(
      subscribe({ types: ['jettons_change'], addresses: [rawOf(owner)], include_metadata: true, include_address_book: true }),
    )
    await ofMaster.op(subscribe({ types: ['jettons_change'], addresses: [jetton] }))
    const { snapshot } = await service.call('local.snapshot', {})
    await service.call('local.mintJetton', { jetton, owner: owner.toString(), amount: '250' })
    await service.settle()
    await until(() => ofOwner.events.some((event) => (event['jetton'] as { balance: string }).balance === '250'))
    await heardAll(ofMaster)
    expect(ofOwner.events.at(-1)).toMatchObject({ type: 'jettons_change', jetton: { owner: rawOf(owner), balance: '250' } })
    expect(ofMaster.events).toEqual([])
    // With the mint the wallet is undone.
    await service.call('local.revert', { snapshot })
    await until(() => (ofOwner.events.at(-1)!['jetton'] as { balance: string }).balance === '0')
    expect(ofOwner.events.at(-1)).toMatchObject({ type: 'jettons_change', jetton: { owner: rawOf(owner) } })
    for (const each of [ofOwner, ofMaster]) each.line.socket.terminate()
  })

  it('streaming v2 tells only actions of the wanted types (30)', async () => {
    const to = stranger()
    const [some, none] = [await openStream(), await openStream()]
    await some.op(subscribe({ types: ['actions'], addresses: [rawOf(to)], action_types: ['ton_transfer'] }))
    await none.op(subscribe({ types: ['actions'], addresses: [rawOf(to)], action_types: ['jetton_transfer'] }))
    await sender.send([to])
    await until(() => some.events.length > 0)
    await heardAll(none)
    expect(some.events[0]!.actions!.every(({ type }) => type === 'ton_transfer')).toBe(true)
    expect(none.events).toEqual([])
    for (const each of [some, none]) each.line.socket.terminate()
  })

  it('streaming v2 never invalidates a final trace (32), tells after a lost socket what was missed once and in order, and says if it cannot (37)', async () => {
    const to = stranger()
    const [whole, first] = [await openStream(), await openStream()]
    const wanted = { types: ['transactions', 'actions', 'trace'], addresses: [rawOf(to)] }
    await whole.op(subscribe({ ...wanted, with_cursor: true }))
    const ack = (await first.op(subscribe({ ...wanted, with_cursor: true }))) as { cursor: string }
    await sender.send([to])
    await until(() => first.events.some(({ type }) => type === 'trace'))
    first.line.socket.terminate()
    for (let i = 0; i < 2; i++) await sender.send([to])
    const second = await openStream()
    expect(await second.op(subscribe({ ...wanted, resume_from: first.events.at(-1)!.cursor }))).toMatchObject({
      status: 'subscribed',
      resumed: true,
    })
    await sender.send([to])
    await until(() => [whole, second].every(({ events }, i) => events.filter(({ type }) => type === 'trace').length === 4 - i))
    for (const each of [whole, second]) await heardAll(each)
    expect([...first.events, ...second.events]).toEqual(whole.events)
    expect(types(whole.events)).not.toContain('trace_invalidated')
    const stale = await openStream()
    const forged = ack.cursor.replace(/^(\d+)\.[\w-]{8}/, '$1.AAAAAAAA')
    expect(await stale.op(subscribe({ addresses: [rawOf(to)], resume_from: forged }))).toMatchObject({ resumed: false })
    expect(await stale.op(subscribe({ addresses: [rawOf(to)], resume_from: 'yesterday' }))).toMatchObject({ resumed: false })
    for (const each of [whole, second, stale]) each.line.socket.terminate()
  })

  it('streaming v2 tells every listener once of a reverted trace, whatever type it was told, and that its account is gone', async () => {
    const to = stranger()
    const wanted = [['transactions'], ['actions'], ['trace'], ALL]
    const streams = await Promise.all(wanted.map(() => openStream()))
    for (const [i, { op }] of streams.entries()) await op(subscribe({ types: wanted[i], addresses: [rawOf(to)] }))
    const seqno = sender.seqno()
    const { snapshot } = await service.call('local.snapshot', {})
    await sender.send([to])
    await until(() =>
      streams.every(({ events }, i) => events.some(({ type }) => type === (wanted[i]!.length > 1 ? 'trace' : wanted[i]![0]))),
    )
    const hash = streams[0]!.events[0]!.trace_external_hash_norm
    await service.call('local.revert', { snapshot })
    sender.rewind(seqno)
    const invalid = ({ events }: { events: Event[] }) => events.filter(({ type }) => type === 'trace_invalidated')
    await until(() => streams.every((stream) => invalid(stream).length > 0))
    // The account is gone with its first transaction.
    const states = () => streams.at(-1)!.events.filter(({ type }) => type === 'account_state_change')
    await until(() => states().at(-1)!.state!.account_status === 'nonexist')
    expect(states().at(-1)).toMatchObject({ account: rawOf(to), state: { balance: '0', code_hash: null } })
    await sender.send([stranger()])
    for (const stream of streams) {
      expect(invalid(stream)).toEqual([{ type: 'trace_invalidated', trace_external_hash_norm: hash }])
      stream.line.socket.terminate()
    }
  })

  it('streaming v2 tells a reader that keeps up all events of a burst', async () => {
    const to = stranger()
    const { line, events, op } = await openStream()
    await op(subscribe({ addresses: [rawOf(to)], min_finality: 'confirmed' }))
    const event = (i: number) =>
      ({
        body: { type: 'account_state_change', account: rawOf(to), wire: { hash: 'x'.repeat(500), balance: String(i) } },
        finality: 'confirmed',
        traceHash: undefined,
        otherHashes: [],
        place: '',
      }) as const
    // More than may wait for a reader for long. A slow machine has two seconds for them.
    const count = 1_200
    service.tonway.app.network.live!.publish(Array.from({ length: count }, (_, i) => event(i)))
    await until(() => events.length === count)
    expect(events.map(({ state }) => state!.balance)).toEqual(Array.from({ length: count }, (_, i) => String(i)))
    line.socket.terminate()
  })

  it('streaming v2 closes a peer that stops reading with 1013, while others miss nothing (36)', async () => {
    const to = stranger()
    const good = await openStream()
    const bad = await openStream()
    for (const each of [good, bad]) await each.op(subscribe({ addresses: [rawOf(to)], min_finality: 'confirmed' }))
    const hub = service.tonway.app.network.live!
    bad.line.socket.pause()
    const count = hub.count()
    const event = (i: number) =>
      ({
        body: { type: 'account_state_change', account: rawOf(to), wire: { hash: 'x'.repeat(40_000), balance: String(i) } },
        finality: 'confirmed',
        traceHash: undefined,
        otherHashes: [],
        place: '',
      }) as const
    for (let i = 0; i < 3_000; i++) {
      hub.publish([event(i)])
      // The good reader keeps up, however slow the machine is.
      if (i % 50 === 0) await until(() => good.events.length > i - 100)
    }
    // It is cut off: now it reads why.
    await until(() => hub.count() === count - 1)
    bad.line.socket.resume()
    expect((await bad.line.closed).code).toBe(1013)
    await until(() => good.events.length === 3_000)
    expect(good.events.map(({ state }) => state!.balance)).toEqual(Array.from({ length: 3_000 }, (_, i) => String(i)))
    good.line.socket.terminate()
  })
})

describe('streaming v2 over SSE', () => {
  const body = (more: object = {}): object => ({ id: 's', types: ['transactions'], addresses: [sender.raw], ...more })
  let reader: SseReader

  it('an SSE stream begins with connected, names its events, and is neither compressed nor collected by proxies (33)', async () => {
    reader = await openSse(sse, body())
    expect(reader.status).toBe(200)
    expect(reader.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' })
    expect(reader.headers['content-encoding']).toBeUndefined()
    await until(() => reader.frames.length > 0)
    expect(reader.frames[0]).toEqual({ event: 'connected', data: { id: 's', status: 'subscribed' } })
    await sender.send([stranger()])
    await until(() => reader.frames.length > 1)
    expect(reader.frames[1]).toMatchObject({ event: 'event', data: { type: 'transactions', finality: 'finalized' } })
    expect(reader.frames[1]!.id).toBeUndefined()
    reader.close()
  })

  it('an SSE stream is refused with 400 and TON Center’s texts, and has a GET form for EventSource (34)', async () => {
    const refusal = async (message: unknown) => {
      const { status, body: said } = await ask<{ error: string }>(sse, {
        method: 'POST',
        body: typeof message === 'string' ? message : JSON.stringify(message),
      })
      return [status, said.error]
    }
    expect(await refusal(body({ types: [] }))).toEqual([400, 'types are required for subscription'])
    expect(await refusal(body({ addresses: [] }))).toEqual([400, 'addresses are required for subscription'])
    expect(await refusal('{')).toEqual([400, expect.stringMatching(/^invalid subscription request: /)])
    expect(await refusal(body({ addresses: Array.from({ length: 1001 }, () => rawOf(stranger())) }))).toEqual([
      400,
      'too many addresses: 1001 > max 1000',
    ])
    reader = await openSse(`${sse}?types=transactions,trace&addresses=${sender.raw}`)
    await until(() => reader.frames.length > 0)
    await sender.send([stranger()])
    await until(() => reader.frames.length > 2)
    const { id } = reader.frames[1]!
    reader.close()
    expect(id).toMatch(/^\d+\./)
    const again = await openSse(`${sse}?types=transactions,trace&addresses=${sender.raw}`, undefined, { 'Last-Event-ID': id! })
    await until(() => again.frames.length > 1)
    expect(again.frames[0]!.data).toMatchObject({ resumed: true })
    expect(again.frames[1]).toMatchObject({ data: { type: 'trace' } })
    again.close()
    expect((await ask(ws.replace('ws:', 'http:'))).status).toBe(426)
    const health = await ask(`${service.url}/api/streaming/healthz`)
    expect(health.body).toMatchObject({ ok: true, components: { index: { ok: true } } })
  })
})

describe('limits that a trusted gateway says', () => {
  let guarded: V3Service
  beforeAll(async () => {
    ;({ service: guarded } = await startEvents({ trustedProxies: ['127.0.0.1'] }))
  })
  afterAll(() => guarded?.close())

  it('limits from a trusted gateway are kept by key, and a client that closed its connection may come back at once (34, 35)', async () => {
    const url = `${guarded.url}/api/streaming/v2/sse`
    const headers = { 'X-Limiting-Key': 'k', 'X-Max-Parallel-Connections': '1', 'X-Max-Subscribed-Addr': '1' }
    const message = { id: 's', types: ['transactions'], addresses: [rawOf(stranger())] }
    const first = await openSse(url, message, headers)
    const over = await ask(url, { method: 'POST', body: JSON.stringify(message), headers })
    expect([over.status, over.body]).toEqual([429, { id: 's', error: 'connection limit reached: 1 active connections' }])
    const two = await ask(url, {
      method: 'POST',
      body: JSON.stringify({ ...message, addresses: [rawOf(stranger()), rawOf(stranger())] }),
      headers: { ...headers, 'X-Limiting-Key': 'other' },
    })
    expect(two.body).toMatchObject({ error: 'too many addresses: 2 > max 1' })
    first.close()
    const again = await openSse(url, message, headers)
    expect(again.status).toBe(200)
    again.close()
  })
})
