import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createClient, fallback, http, type WatchEvent, watch, webSocket } from '../../client/index.ts'
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
    const ended = expect(watching).rejects.toMatchObject({ kind: 'ABORTED' })
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
    await ended
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
    for await (const event of watch(client, { types: ['blocks'] })) {
      expect(event).toMatchObject({ type: 'block', seqno: 5 })
      break
    }
    expect(asked.length).toBe(3)
    expect(asked[1]! - asked[0]!).toBeGreaterThan(190)
    client.close()
    for (const socket of server.clients) socket.terminate()
    server.close()
  })

  it('watch ends with break, and then the server has no subscription left', async () => {
    const client = createClient({ transport: webSocket({ url: service.url, WebSocket: WebSocket as never }) })
    setTimeout(() => void sender.send([stranger()]), 50)
    for await (const event of watch(client, { types: ['blocks'] })) {
      expect(event).toMatchObject({ type: 'block', cursor: expect.any(String) })
      break
    }
    await until(() => service.tonway.app.network.live!.count() === 0)
    client.close()
  })

  it('watch works over a fallback that has a WebSocket', async () => {
    const url = service.url
    const transports = [http({ url }), webSocket({ url, WebSocket: WebSocket as never })] as const
    const client = createClient({ transport: fallback([...transports]) })
    setTimeout(() => void sender.send([stranger()]), 50)
    for await (const event of watch(client, { types: ['blocks'] })) {
      expect(event).toMatchObject({ type: 'block' })
      break
    }
    client.close()
  })

  it('watch needs a transport with subscriptions, and says so', async () => {
    const client = createClient({ url: service.url })
    await expect(watch(client, { account: sender.raw }).next()).rejects.toMatchObject({ kind: 'NOT_SERVED' })
    const socket = createClient({ transport: webSocket({ url: service.url, WebSocket: WebSocket as never }) })
    await expect(watch(socket, { types: ['nothing' as never] }).next()).rejects.toMatchObject({ kind: 'INVALID_PARAMS' })
    socket.close()
  })
})
