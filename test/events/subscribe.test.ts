import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLine, post, rpcRequest } from '../kit/service/client.ts'
import type { V3Service } from '../kit/service/service.ts'
import { until } from '../kit/wait.ts'
import { rawOf } from '../v3/scene.ts'
import { type Event, readRpc, type Sender, startEvents, stranger } from './kit.ts'

let service: V3Service
let sender: Sender
let wsUrl: string
beforeAll(async () => {
  ;({ service, sender } = await startEvents())
  wsUrl = service.tonway.wsUrl
})
afterAll(() => service?.close())

const ALL = ['transactions', 'actions', 'trace', 'account_state_change', 'jettons_change']

describe('subscriptions over JSON-RPC', () => {
  it('subscriptions over JSON-RPC tell a transfer as states, transactions, actions and its trace, as v3 tells them', async () => {
    const to = stranger()
    const reader = await readRpc(wsUrl, {
      types: ALL,
      addresses: [rawOf(to), sender.address.toString()],
      include_address_book: true,
      include_metadata: true,
    })
    expect(reader.events).toEqual([{ type: 'subscribed', cursor: expect.stringMatching(/^\d+\./) }])
    const hash = await sender.send([to])
    await until(() => reader.of('trace').length > 0)
    const [transactions] = reader.of('transactions')
    const [trace] = (
      await service.get<{ traces: { trace_id: string }[] }>(
        `traces?msg_hash=${encodeURIComponent(hash)}&include_actions=true&include_accounts=true`,
      )
    ).body.traces as never as [
      { transactions_order: string[]; transactions: Record<string, { hash: string }>; trace: object; actions: { action_id: string }[] },
    ]
    expect(
      reader
        .of('transactions')
        .flatMap((event) => event.transactions!.map((each) => each.hash))
        .sort(),
    ).toEqual([...trace.transactions_order].sort())
    for (const told of transactions!.transactions!) expect(told).toEqual({ ...trace.transactions[told.hash], trace_external_hash: hash })
    expect(reader.of('trace')[0]).toMatchObject({ finality: 'finalized', trace: trace.trace, metadata: {} })
    expect(reader.of('actions').flatMap((event) => event.actions!.map((each) => each.action_id))).toEqual(
      trace.actions.map((each) => each.action_id),
    )
    const { accounts } = (
      await service.get<{ accounts: { address: string; balance: string; account_state_hash: string }[] }>(
        `accountStates?address=${rawOf(to)}`,
      )
    ).body
    expect(reader.of('account_state_change').find((event) => event.account === rawOf(to))).toMatchObject({
      state: { balance: accounts[0]!.balance, hash: accounts[0]!.account_state_hash, account_status: 'uninit' },
      address_book: { [rawOf(to)]: { user_friendly: expect.stringMatching(/^UQ|^0Q/) } },
    })
    const order = reader.events.slice(1).map(({ cursor }) => cursor!)
    expect(new Set(order).size).toBe(order.length)
    reader.close()
  })

  it('subscriptions over JSON-RPC tell each block once, in order', async () => {
    const reader = await readRpc(wsUrl, { types: ['blocks'] })
    await sender.send([stranger()])
    await sender.send([stranger()])
    const head = service.tonway.app.network.chain.head().id.seqno
    await until(() => reader.of('block').some(({ seqno, workchain }) => seqno === head && workchain === -1))
    const seqnos = reader.of('block').flatMap(({ seqno, workchain }) => (workchain === -1 ? [seqno!] : []))
    expect(seqnos).toEqual(Array.from({ length: seqnos.length }, (_, i) => seqnos[0]! + i))
    reader.close()
  })

  it('subscriptions over JSON-RPC resume after a lost socket: everything that was missed once, and then live', async () => {
    const to = stranger()
    const params = { types: ALL, addresses: [rawOf(to)] }
    const first = await readRpc(wsUrl, params)
    const whole = await readRpc(wsUrl, params)
    await sender.send([to], 'one')
    await until(() => first.of('trace').length === 1)
    // Cut in the middle of a block: only the first two of its events are known.
    const known = first.events.slice(0, 3)
    first.close()
    for (let i = 0; i < 3; i++) await sender.send([to], `missed ${i}`)
    await until(() => whole.of('trace').length === 4)
    const second = await readRpc(wsUrl, { ...params, since: known.at(-1)!.cursor })
    await sender.send([to], 'live')
    await until(() => second.of('trace').length === (known.some(({ type }) => type === 'trace') ? 4 : 5))
    await until(() => whole.of('trace').length === 5)
    const keyOf = ({ type, cursor }: Event): string => `${type} ${cursor}`
    // A replay tells each state once, with its newest value.
    const lasting = (events: readonly Event[]): string[] =>
      events.filter(({ type }) => ['transactions', 'actions', 'trace'].includes(type)).map(keyOf)
    expect(lasting([...known, ...second.events])).toEqual(lasting(whole.events))
    expect(second.of('account_state_change').at(-1)).toEqual(whole.of('account_state_change').at(-1))
    expect(second.of('account_state_change').length).toBe(2)
    expect(second.events[0]).toMatchObject({ type: 'subscribed', resumed: true })
    second.close()
    whole.close()
  })

  it('subscriptions over JSON-RPC tell a reset after a revert and then the truth, live and to those who come back', async () => {
    const [kept, undone] = [stranger(), stranger()]
    const params = { types: ALL, addresses: [rawOf(kept), rawOf(undone)] }
    const live = await readRpc(wsUrl, params)
    await sender.send([kept])
    const seqno = sender.seqno()
    const { snapshot } = (await service.call('local.snapshot', {})) as never as { snapshot: string }
    const target = service.tonway.app.network.chain.head().id.seqno
    await sender.send([undone])
    await until(() => live.of('trace').length === 2)
    const { cursor } = live.events.at(-1)!
    await service.call('local.revert', { snapshot } as never)
    sender.rewind(seqno)
    await until(() => live.of('reset').length === 1)
    expect(live.of('reset')[0]).toMatchObject({ seqno: target })
    await sender.send([kept])
    await until(() => live.of('trace').length === 3)
    const back = await readRpc(wsUrl, { ...params, since: cursor })
    await until(() => back.of('trace').length === 1)
    expect(back.events[0]).toMatchObject({ type: 'subscribed', resumed: false })
    expect(back.of('reset')[0]).toMatchObject({ seqno: target })
    expect(back.of('transactions').map((event) => event.transactions![0]!.hash)).toEqual([
      live.of('transactions').at(-1)!.transactions![0]!.hash,
    ])
    // The other account is gone again, and who was told its state is told so.
    await until(() => live.of('account_state_change').some(({ account, state }) => account === rawOf(undone) && state!.balance === '0'))
    expect(live.of('account_state_change').findLast(({ account }) => account === rawOf(undone))).toMatchObject({
      state: { account_status: 'nonexist', code_hash: null },
    })
    live.close()
    back.close()
  })

  it('subscriptions over JSON-RPC are refused over HTTP with the reason, and with the fault of their parameters', async () => {
    const over = await post(`${service.url}/jsonRPC`, rpcRequest('subscribe', { types: ['blocks'] }))
    expect(over.body).toMatchObject({ error: { code: -32600, message: expect.stringContaining('WebSocket') } })
    const line = await openLine(wsUrl)
    const refusal = async (params: object) =>
      ((await line.ask(rpcRequest('subscribe', params))) as { error: { message: string } }).error.message
    expect(await refusal({})).toBe('types are required')
    expect(await refusal({ types: ['nothing'] })).toBe('invalid event type: nothing')
    expect(await refusal({ types: ['transactions'] })).toMatch(/^addresses are required/)
    expect(await refusal({ types: ['blocks'], since: 'yesterday' })).toMatch(/cursor/)
    expect(await refusal({ types: ['transactions'], addresses: ['x'] })).toMatch(/address/)
    expect(await refusal({ types: ['transactions'], addresses: Array.from({ length: 10_000 }, () => rawOf(stranger())) })).toMatch(
      /maximum length/,
    )
    expect(await refusal({ types: ['blocks'], min_finality: 'soon' })).toBe('unknown finality state: soon')
    expect(await line.ask(rpcRequest('unsubscribe', { subscription: '7' }))).toMatchObject({ result: false })
    line.socket.terminate()
  })

  it('subscriptions over JSON-RPC end with unsubscribe, and survive a storm of both', async () => {
    const line = await openLine(wsUrl)
    for (let i = 0; i < 300; i++) {
      const { result } = (await line.ask(rpcRequest('subscribe', { types: ['transactions'], addresses: [sender.raw] }))) as {
        result: string
      }
      await until(() => line.waiting.length > 0)
      line.waiting.length satisfies number
      await line.next()
      expect(await line.ask(rpcRequest('unsubscribe', { subscription: result }))).toMatchObject({ result: true })
    }
    await sender.send([stranger()])
    expect(line.waiting).toEqual([])
    expect(service.tonway.app.network.live!.count()).toBe(0)
    line.socket.terminate()
  })
})
