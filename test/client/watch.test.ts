import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import {
  createClient,
  fallback,
  http,
  type TonClientError,
  type WatchEvent,
  type WatchState,
  watch,
  webSocket,
} from '../../client/index.ts'
import { type Sender, startEvents, stranger } from '../events/kit.ts'
import type { V3Service } from '../kit/service/service.ts'
import { until } from '../kit/wait.ts'
import { rawOf } from '../v3/scene.ts'

let service: V3Service
let sender: Sender
beforeAll(async () => {
  ;({ service, sender } = await startEvents())
})
afterAll(() => service?.close())

/** A block that is made as soon as the client watches. */
const firstBlock = async (client: Parameters<typeof watch>[0]): Promise<WatchEvent> => {
  let sent: Promise<string> | undefined
  const onState = (state: WatchState): void => {
    if (state === 'live') sent = sender.send([stranger()])
  }
  for await (const event of watch(client, { types: ['blocks'] }, { onState })) {
    await sent
    return event
  }
  throw new Error('no block')
}

describe('waitForMessage', () => {
  it('subscribes where the transport can, looks when it is told, and ends its subscription', async () => {
    const sent: string[] = []
    class Watched extends WebSocket {
      constructor(url: string) {
        super(url)
        const send = this.send.bind(this)
        this.send = (text: never) => {
          for (const { method } of [JSON.parse(String(text)) as { method: string }].flat()) sent.push(method)
          send(text)
        }
      }
    }
    const client = createClient({ transport: webSocket({ url: service.url, WebSocket: Watched as never }) })
    const hash = await sender.send([stranger()])
    const { transactions } = (
      await service.get<{ transactions: { hash: string; in_msg: { hash_norm: string } }[] }>(
        `transactionsByMessage?msg_hash=${encodeURIComponent(hash)}`,
      )
    ).body
    expect(await client.waitForMessage(transactions[0]!.in_msg.hash_norm)).toMatchObject({ hash: transactions[0]!.hash })
    await until(() => sent.includes('unsubscribe'))
    expect(sent.filter((method) => method === 'subscribe').length).toBe(1)
    await until(() => service.tonway.app.network.live!.count() === 0)
    client.close()
  })
})

describe('watch', () => {
  it('watch goes on after lost sockets, and gives each transaction once and in order', async () => {
    const sockets: WebSocket[] = []
    class Watched extends WebSocket {
      constructor(url: string) {
        super(url)
        sockets.push(this)
      }
    }
    const client = createClient({
      transport: webSocket({ url: service.url, WebSocket: Watched as never, reconnect: { base: 5, cap: 20 } as never }),
    })
    const to = stranger()
    const stop = new AbortController()
    const events: WatchEvent[] = []
    let subscribed = 0
    const onSubscribed = (): void => void subscribed++
    const watching = (async () => {
      for await (const event of watch(client, { account: to.toString() }, { signal: stop.signal, onSubscribed })) events.push(event)
    })()
    await until(() => subscribed === 1)
    for (let i = 0; i < 5; i++) {
      if (i % 2 === 1) for (const socket of sockets.splice(0)) socket.terminate()
      await sender.send([to], `number ${i}`)
    }
    await until(() => events.length >= 5)
    const told = events.flatMap((event) => (event.type === 'transactions' ? event.transactions.map(({ hash }) => hash) : [event.type]))
    const { transactions } = (await service.get<{ transactions: { hash: string }[] }>(`transactions?account=${rawOf(to)}&sort=asc`)).body
    expect(told).toEqual(transactions.map(({ hash }) => hash))
    await until(() => subscribed > 1)
    stop.abort()
    await watching
    client.close()
  })

  it('watch ends without an error when its signal is aborted: before it begins, while it waits, and among events that have come', async () => {
    const client = createClient({ transport: webSocket({ url: service.url, WebSocket: WebSocket as never }) })
    const account = sender.raw
    const states: string[] = []
    const before = watch(client, { account }, { signal: AbortSignal.abort(), onState: (state) => states.push(state) })
    expect([await before.next(), states]).toEqual([{ done: true, value: undefined }, []])

    const stop = new AbortController()
    const waits = watch(client, { account }, { signal: stop.signal, onState: (state) => states.push(state) }).next()
    await until(() => states.includes('live'))
    stop.abort()
    expect(await waits).toEqual({ done: true, value: undefined })
    expect(states).toEqual(['connecting', 'live'])

    const among = new AbortController()
    let seen = 0
    const { cursor } = await firstBlock(client)
    await sender.send([stranger()])
    for await (const _ of watch(client, { types: ['blocks'] }, { signal: among.signal, since: cursor })) {
      seen++
      await until(() => service.tonway.app.network.live!.count() === 1)
      among.abort()
    }
    expect(seen).toBe(1)
    await until(() => service.tonway.app.network.live!.count() === 0)
    client.close()
  })

  it('watch ends without an error when its client is closed', async () => {
    const client = createClient({ transport: webSocket({ url: service.url, WebSocket: WebSocket as never }) })
    const states: string[] = []
    const waits = watch(client, { account: sender.raw }, { onState: (state) => states.push(state) }).next()
    await until(() => states.includes('live'))
    client.close()
    expect(await waits).toEqual({ done: true, value: undefined })
  })

  it('watch says that it connects, is live, tries again and why, and is live again', async () => {
    let isAway = true
    const sockets: WebSocket[] = []
    class Unsteady extends WebSocket {
      constructor(url: string) {
        // Nobody listens at port 1.
        super(isAway ? 'ws://127.0.0.1:1' : url)
        sockets.push(this)
      }
    }
    const reconnect = { base: 5, cap: 20 }
    const client = createClient({ transport: webSocket({ url: service.url, WebSocket: Unsteady as never, reconnect }) })
    const states: string[] = []
    const stop = new AbortController()
    const onState = (state: WatchState, reason?: TonClientError) =>
      void states.push(reason ? `${state}: ${reason.kind}, ${reason.message}` : state)
    const waits = watch(client, { account: sender.raw }, { signal: stop.signal, onState }).next()
    const cannot = 'retrying: NETWORK, subscribe: no socket could be opened'
    await until(() => states.includes(cannot) && sockets.length > 3)
    expect(states).toEqual(['connecting', cannot])
    isAway = false
    await until(() => states.includes('live'))
    isAway = true
    for (const socket of sockets) socket.terminate()
    await until(() => states.filter((state) => state === cannot).length === 2)
    isAway = false
    await until(() => states.at(-1) === 'live')
    expect(states).toEqual(['connecting', cannot, 'live', 'retrying: NETWORK, subscribe: the socket was lost', cannot, 'live'])
    stop.abort()
    await waits
    // Nothing is said after the end.
    for (const socket of sockets) socket.terminate()
    await until(() => service.tonway.app.network.live!.count() === 0)
    expect(states.length).toBe(6)
    client.close()
  })

  it('watch waits out a refusal that can pass, as long as the server says, and goes on', async () => {
    const asked: number[] = []
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    server.on('connection', (socket) =>
      socket.on('message', (data) => {
        const { id, method } = JSON.parse(String(data)) as { id: number; method: string }
        if (method !== 'subscribe') return
        asked.push(performance.now())
        const error = {
          code: -32005,
          message: 'busy',
          data: { kind: asked.length === 1 ? 'RATE_LIMITED' : 'UNAVAILABLE', ...(asked.length === 1 && { retryAfter: 0.2 }) },
        }
        if (asked.length < 3) return socket.send(JSON.stringify({ jsonrpc: '2.0', id, error }))
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: '1' }))
        const result = { type: 'block', seqno: 5, cursor: '5.x' }
        socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'subscription', params: { subscription: '1', result } }))
      }),
    )
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const client = createClient({ transport: webSocket({ url: `http://127.0.0.1:${port}`, WebSocket: WebSocket as never }) })
    const states: string[] = []
    const onState = (state: WatchState, reason?: TonClientError) => void states.push(reason ? `${state} ${reason.kind}` : state)
    for await (const event of watch(client, { types: ['blocks'] }, { onState })) {
      expect(event).toMatchObject({ type: 'block', seqno: 5 })
      break
    }
    expect(asked.length).toBe(3)
    expect(states).toEqual(['connecting', 'retrying RATE_LIMITED', 'retrying UNAVAILABLE'])
    expect(asked[1]! - asked[0]!).toBeGreaterThan(190)
    client.close()
    for (const socket of server.clients) socket.terminate()
    server.close()
  })

  it('watch ends with break, and then the server has no subscription left', async () => {
    const client = createClient({ transport: webSocket({ url: service.url, WebSocket: WebSocket as never }) })
    expect(await firstBlock(client)).toMatchObject({ type: 'block', cursor: expect.any(String) })
    await until(() => service.tonway.app.network.live!.count() === 0)
    client.close()
  })

  it('watch works over a fallback that has a WebSocket', async () => {
    const url = service.url
    const transports = [http({ url }), webSocket({ url, WebSocket: WebSocket as never })] as const
    const client = createClient({ transport: fallback([...transports]) })
    expect(await firstBlock(client)).toMatchObject({ type: 'block' })
    client.close()
  })

  it('watch needs a transport with subscriptions, and says so', async () => {
    const client = createClient({ url: service.url })
    await expect(watch(client, { account: sender.raw }).next()).rejects.toMatchObject({ kind: 'NOT_SERVED' })
    const socket = createClient({ transport: webSocket({ url: service.url, WebSocket: WebSocket as never }) })
    await expect(watch(socket, { types: ['nothing' as never] }).next()).rejects.toMatchObject({ kind: 'INVALID_PARAMS' })
    socket.close()
  })

  it.each<[string, object, RegExp]>([
    ['an account that is no address', { account: 'nowhere' }, /error converting value for index 0 of "account" \(expected 48 characters/],
    ['an unknown type', { account: '0:00', types: ['moves'] }, /invalid event type: moves \(parameter types\)$/],
    ['an unknown member', { account: `0:${'00'.repeat(32)}`, topics: [] }, /unknown parameter 'topics' \(expected types, account, /],
    ['a position in the filter', { types: ['blocks'], since: '1' }, /^since is an option: pass it third$/],
  ])('watch refuses %s by the name that its caller knows', async (_, filter, text) => {
    const client = createClient({ transport: webSocket({ url: service.url, WebSocket: WebSocket as never }) })
    await expect(watch(client, filter).next()).rejects.toThrow(text)
    client.close()
  })
})
