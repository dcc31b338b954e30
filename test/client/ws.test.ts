import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createClient, type SocketConstructor, type WebSocketOptions, watch, webSocket } from '../../client/index.ts'
import { sleep } from '../kit/wait.ts'
import { echo, failing, type Rpc } from './servers.ts'

/* The WebSocket transport against servers that drop, forget and lie. */

interface SocketServer extends AsyncDisposable {
  readonly url: string
  readonly seen: (Rpc | readonly Rpc[])[]
  readonly urls: string[]
  readonly clients: ReadonlySet<WebSocket>
  /** Drops every socket and refuses new ones. */
  stop(): Promise<void>
  start(): Promise<void>
}

type Handler = (socket: WebSocket, body: Rpc | readonly Rpc[], connection: number) => void

/** `isHeld`: whether the n-th request for a socket is never answered. */
const serve = async (handler: Handler, isHeld: (n: number) => boolean = () => false): Promise<SocketServer> => {
  const seen: (Rpc | readonly Rpc[])[] = []
  const urls: string[] = []
  let [requests, connections] = [0, 0]
  let port = 0
  let server!: WebSocketServer
  const start = async (): Promise<void> => {
    const verifyClient = ({ req }: { req: IncomingMessage }, done: (isTaken: boolean) => void): void => {
      if (!isHeld(++requests)) done(true)
      // The server's end stays open otherwise.
      else req.socket.once('end', () => req.socket.destroy())
    }
    server = new WebSocketServer({ port, host: '127.0.0.1', verifyClient })
    server.on('connection', (socket, request) => {
      urls.push(request.url!)
      const connection = ++connections
      socket.on('error', () => {})
      socket.on('message', (data) => {
        const body = JSON.parse(String(data)) as Rpc | readonly Rpc[]
        seen.push(body)
        handler(socket, body, connection)
      })
    })
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  const stop = async (): Promise<void> => {
    for (const socket of server.clients) socket.terminate()
    await new Promise((resolve) => server.close(resolve))
  }
  await start()
  return {
    url: `ws://127.0.0.1:${port}`,
    seen,
    urls,
    get clients() {
      return server.clients
    },
    start,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

const callsOf = (body: Rpc | readonly Rpc[]): readonly Rpc[] => (Array.isArray(body) ? (body as readonly Rpc[]) : [body as Rpc])
const answerEcho: Handler = (socket, body) => socket.send(JSON.stringify(Array.isArray(body) ? callsOf(body).map(echo) : echo(body as Rpc)))
const names = (server: SocketServer) => server.seen.map((body) => callsOf(body).map(({ method }) => method))

const connect = (url: string, options: Partial<WebSocketOptions> = {}) => {
  const transport = webSocket({
    url,
    WebSocket: WebSocket as unknown as SocketConstructor,
    reconnect: { base: 5, cap: 20, attempts: 20 },
    ...options,
  })
  const ton = createClient({ transport, retry: { times: 2, base: 1 } })
  return { transport, ton, [Symbol.dispose]: () => ton.close() }
}

describe('a socket', () => {
  it('a batch of very many answers is read once, not for each group of calls that it names', async () => {
    const asked: Rpc[] = []
    const rest = Array.from({ length: 200_000 }, (_, i) => ({ id: `${i} of nobody` }))
    await using server = await serve((socket, body) => {
      asked.push(...callsOf(body))
      if (asked.length === 400) socket.send(JSON.stringify([...asked.map(echo), ...rest]))
    })
    using client = connect(server.url, { timeout: 10_000 })
    const before = process.cpuUsage()
    const calls = Array.from({ length: 400 }, (_, i) =>
      new Promise((done) => setTimeout(done, i)).then(() => client.ton.getAddressState({ address: String(i) })),
    )
    await Promise.any(calls)
    const used = process.cpuUsage(before)
    expect(used.user + used.system).toBeLessThan(1_500_000)
  })

  it('a server that closes for good (1008) ends the calls and the events, and is not asked again', async () => {
    await using server = await serve((socket) => socket.close(1008, 'the API key was revoked'))
    const client = createClient({ transport: webSocket({ url: server.url, WebSocket, reconnect: { base: 1 } }) })
    const refusal = { kind: 'UNAUTHORIZED', message: expect.stringContaining('the API key was revoked') }
    await expect(client.getMasterchainInfo()).rejects.toMatchObject(refusal)
    const watching = (async () => {
      for await (const _ of watch(client, { types: ['blocks'] }));
    })()
    await expect(watching).rejects.toMatchObject(refusal)
    expect(server.urls).toHaveLength(2)
    client.close()
  })

  it('a socket carries the calls of a tick as one message, matched by id', async () => {
    await using server = await serve((socket, body) => socket.send(JSON.stringify(callsOf(body).map(echo).reverse())))
    using client = connect(server.url)
    const [a, b] = await Promise.all([client.ton.getAddressBalance({ address: 'a' }), client.ton.getAddressState({ address: 'b' })])
    expect([a, b]).toMatchObject([{ method: 'getAddressBalance' }, { method: 'getAddressState' }])
    expect(await client.ton.getMasterchainInfo()).toMatchObject({ method: 'getMasterchainInfo' })
    expect(server.seen.length).toBe(2)
    expect(server.urls).toEqual(['/jsonRPC'])
  })

  it('a socket takes an http URL, and the key in the query', async () => {
    await using server = await serve(answerEcho)
    using client = connect(server.url.replace('ws', 'http'), { key: 'a/b' })
    expect(client.transport.endpoint).not.toContain('a/b')
    await client.ton.getMasterchainInfo()
    expect(server.urls).toEqual(['/jsonRPC?api_key=a%2Fb'])
  })

  it('a runtime without WebSocket is reported at once', () => {
    const own = globalThis.WebSocket
    try {
      Reflect.deleteProperty(globalThis, 'WebSocket')
      expect(() => webSocket({ url: 'ws://x' })).toThrow(TypeError)
    } finally {
      if (own) globalThis.WebSocket = own
    }
  })

  it('a socket opens no connection before it is needed, and none after close', async () => {
    await using server = await serve(answerEcho)
    using client = connect(server.url)
    await sleep(20)
    expect(server.urls.length).toBe(0)
    await client.ton.getMasterchainInfo()
    client.ton.close()
    await expect.poll(() => server.clients.size).toBe(0)
    await sleep(50)
    expect(server.urls.length).toBe(1)
  })
})

describe('a lost socket', () => {
  it('reads on a lost socket are sent again on the next one, writes never', async () => {
    await using server = await serve((socket, body, connection) =>
      connection === 1 ? socket.terminate() : answerEcho(socket, body, connection),
    )
    using client = connect(server.url)
    const [read, write, other] = await Promise.allSettled([
      client.ton.getAddressBalance({ address: 'a' }),
      client.ton.sendBoc({ boc: 'x' }),
      client.ton.getAddressState({ address: 'b' }),
    ])
    expect(read).toMatchObject({ status: 'fulfilled' })
    expect(other).toMatchObject({ status: 'fulfilled' })
    expect(write).toMatchObject({ status: 'rejected', reason: { kind: 'NETWORK', method: 'sendBoc' } })
    expect(names(server)).toEqual([
      ['getAddressBalance', 'sendBoc', 'getAddressState'],
      ['getAddressBalance', 'getAddressState'],
    ])
  })

  it('a write that was not sent yet waits for the next connection', async () => {
    await using server = await serve(answerEcho)
    await server.stop()
    using client = connect(server.url)
    const write = client.ton.sendBoc({ boc: 'x' })
    await sleep(40)
    await server.start()
    expect(await write).toMatchObject({ method: 'sendBoc' })
    expect(names(server)).toEqual([['sendBoc']])
  })

  it('a lost socket that cannot be replaced gives NETWORK after so many attempts', async () => {
    await using server = await serve(answerEcho)
    await server.stop()
    using client = connect(server.url, { reconnect: { base: 1, cap: 2, attempts: 3 } })
    const none = { kind: 'NETWORK', endpoint: `${server.url}/jsonRPC`, message: 'getMasterchainInfo: no socket could be opened' }
    expect(await failing(client.ton.getMasterchainInfo())).toMatchObject(none)
    expect(await failing(client.ton.sendBoc({ boc: 'x' }))).toMatchObject({ kind: 'NETWORK' })
    await server.start()
    expect(await client.ton.getMasterchainInfo()).toMatchObject({ method: 'getMasterchainInfo' })
  })

  it('a read that ends every socket it is sent on fails', async () => {
    await using server = await serve((socket) => socket.terminate())
    using client = connect(server.url, { reconnect: { base: 1, cap: 2, attempts: 100 } })
    expect(await failing(client.ton.getMasterchainInfo())).toMatchObject({ kind: 'NETWORK' })
    // Three times of the transport, at each of three attempts.
    expect(server.seen.length).toBe(9)
  })

  it('a lost socket is not replaced while there are no calls', async () => {
    await using server = await serve(answerEcho)
    using client = connect(server.url)
    await client.ton.getMasterchainInfo()
    for (const socket of server.clients) socket.terminate()
    await sleep(60)
    expect(server.urls.length).toBe(1)
    await client.ton.getMasterchainInfo()
    expect(server.urls.length).toBe(2)
  })
})

describe('a server that answers a socket', () => {
  const timeout = 150
  it('a server that never answers gives TIMEOUT, and the next call has a new socket', async () => {
    await using server = await serve((socket, body, connection) => {
      if (connection > 1) answerEcho(socket, body, connection)
    })
    using client = connect(server.url, { timeout })
    expect(await failing(client.ton.getMasterchainInfo())).toMatchObject({ kind: 'TIMEOUT' })
    expect(await client.ton.getMasterchainInfo()).toMatchObject({ method: 'getMasterchainInfo' })
  })
  it('a server that answers others but not this call gives TIMEOUT, and the socket stays', async () => {
    await using server = await serve((socket, body, connection) => {
      if ((body as Rpc).method !== 'getMasterchainInfo') answerEcho(socket, body, connection)
    })
    using client = connect(server.url, { timeout })
    await client.ton.getConsensusBlock()
    const silent = failing(client.ton.getMasterchainInfo())
    await sleep(20)
    await client.ton.getConsensusBlock()
    expect(await silent).toMatchObject({ kind: 'TIMEOUT' })
    await client.ton.getConsensusBlock()
    expect(server.urls.length).toBe(1)
  })
  it('an answer that is no JSON gives PROTOCOL, and later calls use a new socket', async () => {
    await using server = await serve((socket, body, connection) =>
      connection === 1 ? socket.send('<html>') : answerEcho(socket, body, connection),
    )
    using client = connect(server.url)
    expect(await failing(client.ton.getMasterchainInfo())).toMatchObject({ kind: 'PROTOCOL' })
    expect(await client.ton.getMasterchainInfo()).toMatchObject({ method: 'getMasterchainInfo' })
    expect(server.urls.length).toBe(2)
  })
  it('a socket that sends too much is ANSWER_TOO_LARGE', async () => {
    await using server = await serve((socket) => socket.send(`"${'x'.repeat(5000)}"`))
    using client = connect(server.url, { maxAnswerBytes: 1000 })
    expect(await failing(client.ton.getMasterchainInfo())).toMatchObject({ kind: 'ANSWER_TOO_LARGE' })
  })
  it('if one answer is too large, the others are answered on the same socket', async () => {
    await using server = await serve((socket, body) => {
      const calls = callsOf(body)
      if (calls.some(({ method }) => method === 'getConfigAll'))
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: calls[0]!.id, result: 'x'.repeat(5000) }))
      else setTimeout(() => socket.send(JSON.stringify(echo(calls[0]!))), 60)
    })
    using client = connect(server.url, { maxAnswerBytes: 1000 })
    const small = client.ton.getMasterchainInfo()
    await expect.poll(() => server.seen.length).toBe(1)
    expect(await failing(client.ton.getConfigAll())).toMatchObject({ kind: 'ANSWER_TOO_LARGE' })
    expect(await small).toMatchObject({ method: 'getMasterchainInfo' })
    expect(server.urls.length).toBe(1)
  })
  it('answers for unknown calls, repeated answers and empty ones are handled', async () => {
    await using server = await serve((socket, body) => {
      const [first, second] = callsOf(body)
      for (const junk of [
        'null',
        '5',
        '[]',
        '[null]',
        '{}',
        '{"id":12345,"result":1}',
        '{"method":"x"}',
        '{"method":"x","params":{"subscription":1}}',
      ])
        socket.send(junk)
      socket.send(JSON.stringify(server.seen.length === 1 ? [echo(first!), echo(first!), echo({ ...second!, id: -7 })] : [echo(first!)]))
    })
    using client = connect(server.url)
    const ends = await Promise.all([failing(client.ton.getMasterchainInfo()), failing(client.ton.getConsensusBlock())])
    expect(ends.map(({ kind }) => kind)).toEqual(['PROTOCOL', 'PROTOCOL'])
    const [answered, leftOut] = await Promise.allSettled([client.ton.getMasterchainInfo(), client.ton.getConsensusBlock()])
    expect(answered.status).toBe('fulfilled')
    expect(leftOut).toMatchObject({ reason: { kind: 'PROTOCOL' } })
  })
  it('objects in place of texts and numbers, which throw when they are converted, fail only their call', async () => {
    const bad = { toString: 1, valueOf: 1 }
    const error = { code: bad, message: bad, data: { kind: bad, retryAfter: bad, issues: [{ param: bad }] } }
    await using server = await serve((socket, body) => {
      const { id, method } = body as Rpc
      const answers: Record<string, unknown> = {
        getMasterchainInfo: { jsonrpc: '2.0', id, error },
        subscribe: { jsonrpc: '2.0', id, error },
      }
      socket.send(JSON.stringify(answers[method] ?? { ok: false, id, result: bad, code: bad }))
    })
    using client = connect(server.url)
    expect(await failing(client.ton.getMasterchainInfo())).toMatchObject({ kind: 'INTERNAL', method: 'getMasterchainInfo' })
    expect(await failing(client.ton.getConsensusBlock())).toMatchObject({ method: 'getConsensusBlock' })
    const refused = await new Promise((resolve) => client.transport.subscribe('subscribe', {}, { onData: () => {}, onError: resolve }))
    expect(refused).toMatchObject({ kind: 'INTERNAL', method: 'subscribe' })
  })
  it('a message with one error for all is handled', async () => {
    await using server = await serve((socket) =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32013, message: 'too large', data: { kind: 'TOO_LARGE' } } })),
    )
    using client = connect(server.url)
    expect(await failing(client.ton.getMasterchainInfo())).toMatchObject({ kind: 'TOO_LARGE' })
  })
  it('each call of a batch has its own outcome', async () => {
    await using server = await serve((socket, body) => {
      for (const call of callsOf(body)) socket.send(JSON.stringify(echo(call)))
    })
    using client = connect(server.url)
    const ends = await Promise.all([client.ton.getMasterchainInfo(), client.ton.getConsensusBlock()])
    expect(ends).toMatchObject([{ method: 'getMasterchainInfo' }, { method: 'getConsensusBlock' }])
  })
})

describe('giving up', () => {
  it('aborting a call leaves the others of the message alone', async () => {
    await using server = await serve((socket, body, connection) => void setTimeout(() => answerEcho(socket, body, connection), 60))
    using client = connect(server.url)
    const stop = new AbortController()
    const left = failing(client.ton.getMasterchainInfo({}, { signal: stop.signal }))
    const stays = client.ton.getConsensusBlock()
    await sleep(20)
    stop.abort()
    expect((await left).kind).toBe('ABORTED')
    expect(await stays).toMatchObject({ method: 'getConsensusBlock' })
    // A late answer to what was given up disturbs nothing.
    expect(await client.ton.getMasterchainInfo()).toMatchObject({ method: 'getMasterchainInfo' })
  })
  it('closing the client ends its running calls', async () => {
    await using server = await serve(() => {})
    using client = connect(server.url)
    const call = failing(client.ton.getMasterchainInfo())
    await expect.poll(() => server.seen.length).toBe(1)
    client.ton.close()
    expect(await call).toMatchObject({ kind: 'ABORTED' })
  })
  it('after closing the client neither a read that waits nor a new call opens a socket', async () => {
    const busy = (body: Rpc) => ({ jsonrpc: '2.0', id: body.id, error: { code: -32053, message: 'busy', data: { kind: 'UNAVAILABLE' } } })
    await using server = await serve((socket, body) => socket.send(JSON.stringify(busy(body as Rpc))))
    using client = connect(server.url)
    const ton = createClient({ transport: client.transport, retry: { times: 3, base: 500 } })
    const call = failing(ton.getMasterchainInfo())
    await expect.poll(() => server.seen.length).toBeGreaterThan(0)
    ton.close()
    expect(await call).toMatchObject({ kind: 'ABORTED' })
    expect(await failing(ton.getConsensusBlock())).toMatchObject({ kind: 'ABORTED' })
    await expect.poll(() => server.clients.size).toBe(0)
  })
})

describe('subscriptions', () => {
  it('many subscriptions at once cause no warning of a leak', async () => {
    await using server = await serve(() => {})
    using client = connect(server.url)
    const warnings: Error[] = []
    const onWarning = (warning: Error): unknown => warnings.push(warning)
    process.on('warning', onWarning)
    for (let i = 0; i < 200; i++) client.transport.subscribe('subscribe', {}, { onData() {} })
    await expect.poll(() => server.seen.length).toBe(200)
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })

  const heads =
    (calls: { n: number }): Handler =>
    (socket, body) => {
      const call = body as Rpc
      if (call.method === 'subscribe') {
        const id = `s${++calls.n}`
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: call.id, result: id }))
        socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'subscription', params: { subscription: id, result: { seqno: calls.n } } }))
      } else socket.send(JSON.stringify(echo(call)))
    }

  it('subscriptions deliver events, are restored on the next socket with a note on the gap, and end', async () => {
    const calls = { n: 0 }
    await using server = await serve(heads(calls))
    using client = connect(server.url)
    const told: unknown[] = []
    const subscription = client.transport.subscribe<{ seqno: number }>(
      'subscribe',
      { topic: 'heads' },
      { onData: ({ seqno }) => told.push(seqno), onGap: () => told.push('gap') },
      'unsubscribe',
    )
    await expect.poll(() => told).toEqual([1])
    for (const socket of server.clients) socket.terminate()
    await expect.poll(() => told).toEqual([1, 'gap', 2])
    expect(server.seen.filter((body) => (body as Rpc).method === 'subscribe').map((body) => (body as Rpc).params)).toEqual([
      { topic: 'heads' },
      { topic: 'heads' },
    ])
    subscription.close()
    subscription.close()
    await expect.poll(() => names(server).at(-1)).toEqual(['unsubscribe'])
    expect((server.seen.at(-1) as Rpc).params).toEqual({ subscription: 's2' })
    for (const socket of server.clients) socket.terminate()
    await sleep(60)
    expect(server.urls.length).toBe(2)
  })

  it('subscriptions wait for a server that is away', async () => {
    const calls = { n: 0 }
    await using server = await serve(heads(calls))
    await server.stop()
    using client = connect(server.url, { reconnect: { base: 1, cap: 10, attempts: 2 } })
    const told: unknown[] = []
    client.transport.subscribe(
      'subscribe',
      {},
      { onData: (data) => told.push(data), onGap: () => told.push('gap'), onError: (error) => told.push(error) },
    )
    await sleep(60)
    await server.start()
    await expect.poll(() => told).toEqual([{ seqno: 1 }])
    expect(calls.n).toBe(1)
  })

  it('a refused subscription is an error', async () => {
    await using server = await serve((socket, body) =>
      socket.send(
        JSON.stringify({
          jsonrpc: '2.0',
          id: (body as Rpc).id,
          error: { code: -32601, message: 'no', data: { kind: 'METHOD_NOT_FOUND' } },
        }),
      ),
    )
    using client = connect(server.url)
    const error = await new Promise((resolve) => client.transport.subscribe('subscribe', {}, { onData: () => {}, onError: resolve }))
    expect(error).toMatchObject({ kind: 'METHOD_NOT_FOUND', method: 'subscribe' })
  })

  /** How often a watch subscribes in 300 ms to a server that answers each time with this error. */
  const subscribesAfter = async (data: object): Promise<{ times: number; ended: unknown }> => {
    await using server = await serve((socket, body) =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: (body as Rpc).id, error: { code: -32603, message: 'no', data } })),
    )
    using client = connect(server.url)
    const watching = (async () => {
      for await (const _ of watch(client.ton, { types: ['blocks'] }, { signal: AbortSignal.timeout(300) }));
    })()
    const ended = await watching.catch(({ kind }) => kind)
    return {
      times: names(server)
        .flat()
        .filter((name) => name === 'subscribe').length,
      ended,
    }
  }

  it.each([
    2_147_484,
    'Infinity',
  ])('a watch waits if a server asks for a pause of %s s, which no timer can wait for', async (retryAfter) => {
    expect(await subscribesAfter({ kind: 'UNAVAILABLE', retryAfter })).toEqual({ times: 1, ended: undefined })
  })
  it('a watch tries again a few times a second if a server asks for no pause', async () => {
    const { times } = await subscribesAfter({ kind: 'UNAVAILABLE', retryAfter: 0 })
    expect(times).toBeLessThan(5)
  })
  it.each([
    'TIMEOUT',
    'ABORTED',
    'NETWORK',
  ])('a server cannot say %s, which the client says of itself: it ends a watch with an error', async (kind) => {
    expect(await subscribesAfter({ kind })).toEqual({ times: 1, ended: 'INTERNAL' })
  })

  it('a watch reads events of up to 32 MiB on the same socket, and takes what is none for nothing', async () => {
    const large = { type: 'transactions', cursor: 'after', text: 'x'.repeat(20 << 20) }
    await using server = await serve((socket, body) => {
      const { id, method } = body as Rpc
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: 's' }))
      if (method !== 'subscribe') return
      for (const result of [null, 5, large])
        socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'subscription', params: { subscription: 's', result } }))
    })
    using client = connect(server.url)
    for await (const event of watch(client.ton, { types: ['transactions'], account: 'a' })) {
      expect(event.cursor).toBe('after')
      break
    }
    expect(server.urls.length).toBe(1)
  })
  it('a watch whose reader is slow holds 64 MiB of events, and goes on after the last of them', async () => {
    const text = 'x'.repeat(20 << 20)
    let sent = 0
    await using server = await serve((socket, body) => {
      const { id, method } = body as Rpc
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: 's' }))
      if (method !== 'subscribe') return
      for (let i = 0; i < 5; i++, sent++)
        socket.send(
          JSON.stringify({
            jsonrpc: '2.0',
            method: 'subscription',
            params: { subscription: 's', result: { type: 'x', cursor: `${sent}`, text } },
          }),
        )
    })
    using client = connect(server.url)
    const cursors: unknown[] = []
    for await (const { cursor } of watch(client.ton, { types: ['transactions'], account: 'a' })) {
      if (cursors.push(cursor) === 1) await expect.poll(() => names(server).flat(), { timeout: 10_000 }).toContain('unsubscribe')
      if (cursors.length > 5) break
    }
    const asked = server.seen.flatMap(callsOf).filter(({ method }) => method === 'subscribe')
    // The first is read while it is alone: four more are over the limit.
    expect(asked.map(({ params }) => params['since'])).toEqual([undefined, '4'])
  })

  it('a listener that throws does not disturb others', async () => {
    const calls = { n: 0 }
    await using server = await serve(heads(calls))
    using client = connect(server.url)
    const thrown: unknown[] = []
    const listeners = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    process.on('uncaughtException', (error) => thrown.push(error.message))
    try {
      client.transport.subscribe(
        'subscribe',
        {},
        {
          onData: () => {
            throw new Error('mine')
          },
        },
      )
      await expect.poll(() => thrown).toEqual(['mine'])
      expect(await client.ton.getMasterchainInfo()).toMatchObject({ method: 'getMasterchainInfo' })
    } finally {
      process.removeAllListeners('uncaughtException')
      for (const listener of listeners) process.on('uncaughtException', listener)
    }
  })

  it('a silent socket is pinged, and replaced if it does not answer', async () => {
    const calls = { n: 0 }
    const own = heads(calls)
    await using server = await serve((socket, body, connection) => {
      if (connection > 1 || (body as Rpc).method === 'subscribe') own(socket, body, connection)
    })
    using client = connect(server.url, { keepAlive: 30 })
    const told: unknown[] = []
    client.transport.subscribe('subscribe', {}, { onData: () => told.push('data'), onGap: () => told.push('gap') })
    await expect.poll(() => told).toEqual(['data', 'gap', 'data'])
    // One that answers stays.
    await sleep(150)
    expect(server.urls.length).toBe(2)
    expect(names(server)).toContainEqual(['getMasterchainInfo'])
  })

  it('a socket that does not open within the timeout is replaced, for subscriptions too, which have no call that waits', async () => {
    const calls = { n: 0 }
    await using server = await serve(heads(calls), (n) => n === 2)
    // No probe of a silent socket may come first.
    using client = connect(server.url, { timeout: 1_000, keepAlive: 3_600_000 })
    const told: unknown[] = []
    client.transport.subscribe('subscribe', {}, { onData: () => told.push('data'), onGap: () => told.push('gap') })
    await expect.poll(() => told).toContain('data')
    for (const socket of server.clients) socket.terminate()
    await expect.poll(() => told.includes('gap') && told.at(-1)).toBe('data')
    expect(server.urls.length).toBeGreaterThan(1)
  })
})
