import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSse } from '../../events/sse.ts'
import { until } from '../../kit/wait.ts'
import { get } from '../../kit/wire/connection.ts'
import { openLine } from '../../kit/wire/line.ts'
import { startService, type WireService } from '../../kit/wire/service.ts'

/* What is sent and in no block yet: what v3 and the streams say of it, and how that becomes final, or never does. */

let service: WireService
let wallet = ''
beforeAll(async () => {
  service = await startService('--index', 'on')
  await until(async () => (await service.ask(get('/ready?for=v3'))).status === 200, 50)
  const { wallets } = await service.rpc<{ wallets: readonly { readonly address: string }[] }>('local.wallets')
  wallet = wallets[0]!.address
  await service.rpc('local.setAutomine', { automine: false })
})
afterAll(() => service?.stop())

let accounts = 0
const newAccount = (): string => `0:${(++accounts).toString(16).padStart(64, 'D')}`
const v3 = async <T>(path: string): Promise<{ readonly status: number; readonly body: T }> => {
  const { status, json } = await service.ask(get(`/api/v3/${path}`))
  return { status, body: json as T }
}
interface Sent {
  readonly hash: string
  readonly hash_norm: string
}
/** Sends a transfer of the wallet, which stays pending until a block is made. */
const send = async (to: string, amount = '1000000000'): Promise<Sent> => {
  const { boc } = await service.rpc<{ boc: string }>('local.signTransfer', { from: wallet, to, amount, comment: 'hi', bounce: false })
  return service.rpc<Sent>('sendBocReturnHash', { boc })
}
const byHash = ({ hash }: Sent): string => `ext_msg_hash=${encodeURIComponent(hash)}`

interface Traces {
  readonly traces: readonly { readonly transactions: Readonly<Record<string, object>>; readonly transactions_order: readonly string[] }[]
}
const untilPending = async (sent: Sent): Promise<Traces> => {
  let found: Traces = { traces: [] }
  await until(async () => {
    found = (await v3<Traces>(`pendingTraces?${byHash(sent)}`)).body
    return found.traces.length > 0
  })
  return found
}

const RANKS = ['pending', 'confirmed', 'finalized']
const TYPES = ['transactions', 'actions', 'trace', 'account_state_change']
interface Event {
  readonly type?: string
  readonly finality?: string
  readonly trace_external_hash_norm?: string
}
const has = (events: readonly Event[], type: string, finality?: string): boolean =>
  events.some((event) => event.type === type && event.finality === finality)

describe('what is pending', () => {
  it('a message that is sent is in the pending lists until it is in a block, and then in the others', async () => {
    const to = newAccount()
    const sent = await send(to)
    const { traces } = await untilPending(sent)
    expect(traces).toMatchObject([
      {
        trace_id: null,
        external_hash: sent.hash,
        trace_info: { trace_state: 'pending' },
        actions: [
          {
            type: 'ton_transfer',
            success: true,
            finality: 'pending',
            trace_id: null,
            trace_external_hash_norm: sent.hash_norm,
            details: { destination: to, value: '1000000000', comment: 'hi' },
          },
        ],
      },
    ])
    const [trace] = traces
    expect(trace!.transactions_order).toHaveLength(2)
    for (const each of Object.values(trace!.transactions))
      expect(each).toMatchObject({ emulated: true, finality: 'pending', trace_external_hash: sent.hash })
    // By account, and by each form of the hash.
    for (const path of [
      `pendingTraces?account=${to}`,
      `pendingTraces?ext_msg_hash=${encodeURIComponent(sent.hash_norm)}`,
      `pendingTraces?ext_msg_hash=${Buffer.from(sent.hash, 'base64').toString('hex')}`,
    ])
      expect((await v3<Traces>(path)).body.traces.map(({ transactions_order }) => transactions_order)).toEqual([trace!.transactions_order])
    expect((await v3(`pendingActions?account=${to}&include_transactions=true`)).body).toMatchObject({
      actions: [{ type: 'ton_transfer', finality: 'pending', accounts: expect.arrayContaining([to]) }],
      address_book: { [to]: { user_friendly: expect.any(String) } },
    })
    expect((await v3(`pendingTransactions?account=${to}`)).body).toMatchObject({
      transactions: [{ account: to, emulated: true, finality: 'pending', in_msg: { value: '1000000000' } }],
    })
    expect((await v3<Traces>(`traces?msg_hash=${encodeURIComponent(sent.hash_norm)}`)).body.traces).toEqual([])

    await service.rpc('local.mine')
    await until(async () => (await v3<Traces>(`pendingTraces?${byHash(sent)}`)).body.traces.length === 0)
    expect((await v3(`traces?msg_hash=${encodeURIComponent(sent.hash_norm)}`)).body).toMatchObject({
      traces: [{ trace_id: expect.any(String), trace_info: { trace_state: 'complete' } }],
    })
    expect((await v3(`pendingActions?account=${to}`)).body).toMatchObject({ actions: [] })
    const { status, body } = await v3(`pendingTransactions?account=${to}`)
    expect([status, body]).toEqual([404, { error: 'emulated traces not found', code: 404 }])
  })

  it('streams tell what is pending and what is final, and never a lower finality after a higher one', async () => {
    const to = newAccount()
    const subscription = { types: TYPES, addresses: [to], min_finality: 'pending' }
    const line = await openLine(service, '/api/streaming/v2/ws')
    expect(await line.ask({ operation: 'subscribe', id: 's', ...subscription })).toEqual({ id: 's', status: 'subscribed' })
    const final = await openLine(service, '/api/streaming/v2/ws')
    await final.ask({ operation: 'subscribe', ...subscription, min_finality: 'finalized' })
    const sse = await openSse(`${service.url}/api/streaming/v2/sse`, subscription)
    const sent = await send(to)
    const all = (): readonly (readonly Event[])[] => [
      line.messages,
      sse.frames.flatMap(({ event, data }): Event[] => (event === 'event' ? [data!] : [])),
    ]
    for (const type of TYPES.slice(0, 3)) await until(() => all().every((events) => has(events, type, 'pending')))
    await service.rpc('local.mine')
    for (const type of TYPES) await until(() => [...all(), final.messages].every((events) => has(events, type, 'finalized')))
    for (const events of all())
      for (const type of TYPES) {
        const ranks = events.filter((event) => event.type === type).map(({ finality }) => RANKS.indexOf(finality!))
        expect(ranks, type).toEqual([...ranks].sort())
        // The state of an account is told once it is one.
        expect(ranks[0], type).toBe(type === 'account_state_change' ? 2 : 0)
      }
    expect(new Set(final.messages.slice(1).map(({ finality }) => finality))).toEqual(new Set(['finalized']))
    const hashes = [...all().flat(), ...final.messages].flatMap(({ trace_external_hash_norm: hash }) => hash ?? [])
    expect(new Set(hashes)).toEqual(new Set([sent.hash_norm]))
    for (const each of [line.socket, final.socket, sse]) each.close()
  })

  it('a pending trace that cannot happen any more is told once as invalid, to those who were told of it', async () => {
    const to = newAccount()
    const lines = await Promise.all(
      ['pending', 'finalized'].map(async (min_finality) => {
        const line = await openLine(service, '/api/streaming/v2/ws')
        await line.ask({ operation: 'subscribe', types: ['trace'], addresses: [to], min_finality })
        return line
      }),
    )
    const [saw, final] = lines
    // Two messages of one seqno: one of them is in the next block, the other one never is.
    const sent = [await send(to, '1'), await send(to, '2')]
    await until(() => new Set(saw!.messages.slice(1).map((event) => event['trace_external_hash_norm'])).size === 2)
    await service.rpc('local.mine')
    await until(() => has(saw!.messages, 'trace_invalidated') && has(final!.messages, 'trace', 'finalized'))
    const [mined] = final!.messages.slice(1)
    const lost = sent.map(({ hash_norm }) => hash_norm).filter((hash) => hash !== mined!['trace_external_hash_norm'])
    expect(lost).toHaveLength(1)
    expect(saw!.messages.filter(({ type }) => type === 'trace_invalidated')).toEqual([
      { type: 'trace_invalidated', trace_external_hash_norm: lost[0] },
    ])
    expect(final!.messages.some(({ type }) => type === 'trace_invalidated')).toBe(false)
    for (const { socket } of lines) socket.close()
  })
})
