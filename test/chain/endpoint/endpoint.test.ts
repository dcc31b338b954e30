import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createInflow } from '../../../server/base/limits/inflow.ts'
import { yieldToEventLoop } from '../../../server/base/yield.ts'
import type { Channel } from '../../../server/chain/adnl/channel.ts'
import { connectAdnl } from '../../../server/chain/adnl/connect.ts'
import { createHandshakeReader } from '../../../server/chain/adnl/handshake.ts'
import { createKey, keyFromSeed } from '../../../server/chain/adnl/keys.ts'
import { type AdnlMessage, decodeMessage, encodeMessage } from '../../../server/chain/adnl/messages.ts'
import { createHeadWaits } from '../../../server/chain/endpoint/head-wait.ts'
import { endpointKey } from '../../../server/chain/endpoint/key-file.ts'
import { type Endpoint, startEndpoint } from '../../../server/chain/endpoint/server.ts'
import { serveSession } from '../../../server/chain/endpoint/session.ts'
import { globalConfig } from '../../../server/chain/endpoint/write-global-config.ts'
import { createHeadHub } from '../../../server/chain/head-hub.ts'
import { readGlobalConfig } from '../../../server/chain/lite/read-global-config.ts'
import { type LiteFunction, type LiteServer, LiteServerError } from '../../../server/chain/liteserver.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import { createLiteTl, type Wait } from '../../../server/chain/tl/lite-queries.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { busy, countTurns } from '../../kit/turns.ts'
import { sleep, until } from '../../kit/wait.ts'
import { serve } from '../lite/kit.ts'
import { plain } from '../lite/plain.ts'

const { signal } = new AbortController()
const tl = createLiteTl()
let tvm: Tvm
let local: LocalChain
const closing: { close(): unknown }[] = []

beforeAll(async () => {
  tvm = createTestTvm({ workers: 1 })
  local = await createTestChain(tvm)
  await local.control.mine(5, signal)
})
afterEach(async () => {
  for (const each of closing.splice(0).reverse()) await each.close()
})
afterAll(async () => {
  await local.close()
  await tvm.close()
})

const open = async (source: LiteServer = local, limits = {}): Promise<Endpoint> => {
  const endpoint = await serve(source, limits)
  closing.push(endpoint)
  return endpoint
}

/** A bare connection: what was told comes out in order. */
const dial = async ({ port, publicKey }: Pick<Endpoint, 'port' | 'publicKey'>) => {
  const told: AdnlMessage[] = []
  let closed = false
  let channel!: Channel
  await new Promise<void>((resolve, reject) => {
    channel = connectAdnl(
      { host: '127.0.0.1', port, key: publicKey },
      {
        maxPacket: 1 << 24,
        packetMs: 5_000,
        connectMs: 5_000,
        onReady: resolve,
        onPacket: (payload) => told.push(decodeMessage(payload)!),
        onClose: (reason) => {
          closed = true
          reject(reason ?? new Error('closed'))
        },
      },
    )
  })
  closing.push(channel)
  const ask = async (data: Uint8Array): Promise<Uint8Array> => {
    const id = createKey().publicKey
    channel.send(encodeMessage({ type: 'query', id, data }))
    const find = () => told.find((each) => each.type === 'answer' && Buffer.compare(each.id, id) === 0)
    await until(() => find() !== undefined || closed)
    const found = find()
    if (found?.type !== 'answer') throw new Error('closed without an answer')
    return found.data
  }
  return { channel, told, ask, closed: () => closed }
}

const errorOf = (bytes: Uint8Array): LiteServerError => {
  try {
    tl.decodeAnswer('getTime', bytes)
  } catch (error) {
    if (error instanceof LiteServerError) return error
    throw error
  }
  throw new Error('an answer, not an error')
}

describe('queries', () => {
  it('queries get the answers of the source', async () => {
    const { ask } = await dial(await open())
    const { id } = local.head!()
    const calls: [LiteFunction, object][] = [
      ['getMasterchainInfo', {}],
      ['getBlock', { id }],
      ['getAllShardsInfo', { id }],
      ['getConfigParams', { id, mode: 0, params: [0, 34] }],
      ['listBlockTransactions', { id, count: 10, reverse: false, wantProof: true }],
      ['getAccountState', { id, account: local.control.wallets()[0]!.address }],
    ]
    for (const [fn, args] of calls)
      expect(plain(tl.decodeAnswer(fn, await ask(tl.encodeQuery(fn, args as never))))).toEqual(
        plain(await local.query(fn, args as never, signal)),
      )
  })

  it('queries that the source refuses, or that are unknown or malformed, are answered with an error', async () => {
    const { ask } = await dial(await open())
    const { id } = local.head!()
    const unknown = { ...id, rootHash: new Uint8Array(32) }
    expect(errorOf(await ask(tl.encodeQuery('getBlock', { id: unknown })))).toMatchObject({
      code: 651,
      message: expect.stringContaining('not in db'),
    })
    expect(errorOf(await ask(Buffer.from('df068c7904deadbeef000000', 'hex')))).toMatchObject({ code: 621 })
    expect(errorOf(await ask(Buffer.from('00112233', 'hex')))).toMatchObject({ code: 621 })
    expect(errorOf(await ask(Buffer.alloc(0)))).toMatchObject({ code: 621 })
    const cut = tl.encodeQuery('getBlock', { id })
    expect(errorOf(await ask(cut.subarray(0, 40)))).toMatchObject({ code: 621 })
    expect(tl.decodeAnswer('getTime', await ask(tl.encodeQuery('getTime', {}))).now).toBeGreaterThan(0)
  })

  it('the error of a query that fails inside tells nothing of the inside', async () => {
    const source = { ...local, query: () => Promise.reject(new TypeError('secret of the inside')) } as LiteServer
    const { ask } = await dial(await open(source))
    expect(errorOf(await ask(tl.encodeQuery('getTime', {})))).toMatchObject({ code: 601, message: 'internal error' })
  })

  it('queries that never end are stopped after a while', async () => {
    const source = { ...local, query: () => new Promise(() => undefined) } as unknown as LiteServer
    const { ask } = await dial(await open(source, { queryMs: 50 }))
    const answer = async () => errorOf(await ask(tl.encodeQuery('getTime', {})))
    const first = answer()
    // It begins too late to share the first one's time.
    const second = sleep(20).then(answer)
    const before = performance.now()
    expect(await first).toMatchObject({ code: 652, message: 'timeout' })
    expect(await second).toMatchObject({ code: 652, message: 'timeout' })
    expect(performance.now() - before).toBeGreaterThan(60)
  })

  it('queries whose answer is longer than TL can carry are refused', async () => {
    const { id } = local.head!()
    const source = { ...local, query: async () => ({ id, data: new Uint8Array(0x1000000) }) } as unknown as LiteServer
    const { ask } = await dial(await open(source))
    expect(errorOf(await ask(tl.encodeQuery('getBlock', { id })))).toMatchObject({ message: expect.stringMatching(/too/) })
  })

  it('queries can wait for a block', async () => {
    const { ask } = await dial(await open())
    const { seqno } = local.head!().id
    const wait = (by: number, timeoutMs: number) => ask(tl.encodeQuery('getMasterchainInfo', {}, { seqno: seqno + by, timeoutMs }))
    const answer = wait(1, 5_000)
    await local.control.mine(1, signal)
    expect(tl.decodeAnswer('getMasterchainInfo', await answer).last.seqno).toBe(seqno + 1)
    expect(errorOf(await wait(50, 30))).toMatchObject({ code: 652 })
    expect(errorOf(await wait(5_000, 5_000))).toMatchObject({ code: 651 })
  })
})

describe('connections', () => {
  it('the endpoint pings its connections', async () => {
    const { channel, told } = await dial(await open())
    channel.send(encodeMessage({ type: 'ping', random: 77n }))
    await until(() => told.length === 1)
    expect(told).toEqual([{ type: 'pong', random: 77n }])
  })

  it('connections that send anything else than queries, or too much, are closed; others go on', async () => {
    const endpoint = await open(local, { maxPacket: 1_000 })
    const good = await dial(endpoint)
    for (const payload of [Buffer.from('garbage!'), Buffer.alloc(1_001), Buffer.from('7af98bb4', 'hex')]) {
      const bad = await dial(endpoint)
      bad.channel.send(payload)
      await until(bad.closed)
    }
    expect(good.closed()).toBe(false)
    await until(() => endpoint.connections() === 1)
  })

  it('connections over the limit are refused', async () => {
    const endpoint = await open(local, { connections: 2 })
    await dial(endpoint)
    await dial(endpoint)
    await expect(dial(endpoint)).rejects.toThrow()
    expect(endpoint.connections()).toBe(2)
  })

  it('the connections of one address leave room for others', async () => {
    const exempt: string[] = []
    const endpoint = await open(local, {
      connectionsPerAddress: 2,
      exempt: (address: string) => exempt.includes(address.replace('::ffff:', '')),
    })
    const first = await dial(endpoint)
    await dial(endpoint)
    await expect(dial(endpoint)).rejects.toThrow()
    await until(() => endpoint.connections() === 2)
    // One that ends makes room for another.
    first.channel.close()
    await until(() => endpoint.connections() === 1)
    await dial(endpoint)
    // There may be many behind this machine's own address.
    exempt.push('127.0.0.1')
    await dial(endpoint)
    expect(endpoint.connections()).toBe(3)
  })

  it('a connection runs a limited number of queries at a time, and a peer that leaves cancels its queries', async () => {
    let running = 0
    let most = 0
    let aborted = 0
    const source = {
      ...local,
      query: (_fn: string, _args: unknown, stop: AbortSignal) => {
        running += 1
        most = Math.max(most, running)
        return new Promise((_, reject) =>
          stop.addEventListener('abort', () => {
            running -= 1
            aborted += 1
            reject(stop.reason)
          }),
        )
      },
    } as unknown as LiteServer
    const { channel } = await dial(await open(source, { running: 4, waiting: 8 }))
    for (let i = 0; i < 100; i += 1)
      channel.send(encodeMessage({ type: 'query', id: createKey().publicKey, data: tl.encodeQuery('getTime', {}) }))
    await until(() => running === 4)
    channel.close()
    await until(() => aborted === 4)
    expect([running, most]).toEqual([0, 4])
  })

  it('a connection whose queries are long is not read while they wait', async () => {
    const endpoint = await open(local, { running: 2, waiting: 1_000, bytes: 128 << 10 })
    const { channel } = await dial(endpoint)
    const data = tl.encodeQuery('sendMessage', { body: new Uint8Array(100_000) }, { seqno: 50, timeoutMs: 10_000 })
    for (let i = 0; i < 200; i += 1) channel.send(encodeMessage({ type: 'query', id: createKey().publicKey, data }))
    await sleep(1_000)
    // What is neither read nor in buffers of the system.
    expect(channel.backlog()).toBeGreaterThan(8 << 20)
  })

  it('a connection whose peer does not read is closed, and a bounded number of answers waits for it', async () => {
    let answered = 0
    const { id } = local.head!()
    const source = {
      ...local,
      query: async () => {
        answered += 1
        return { id, data: new Uint8Array(1 << 20) }
      },
    } as unknown as LiteServer
    const endpoint = await open(source, { running: 2, backlog: 2 << 20, stuckMs: 200 })
    const { channel } = await dial(endpoint)
    channel.pause()
    for (let i = 0; i < 200; i += 1)
      channel.send(encodeMessage({ type: 'query', id: createKey().publicKey, data: tl.encodeQuery('getBlock', { id }) }))
    await until(() => endpoint.connections() === 0)
    expect(answered).toBeLessThan(30)
  })

  it('connections whose peers do not read are closed at once, not after a time, when all of them have much to read', async () => {
    const { id } = local.head!()
    const source = { ...local, query: async () => ({ id, data: new Uint8Array(1 << 20) }) } as unknown as LiteServer
    const endpoint = await open(source, { backlog: 64 << 20, unread: 16 << 20, stuckMs: 600_000 })
    const peers = await Promise.all(Array.from({ length: 8 }, () => dial(endpoint)))
    for (const { channel } of peers) {
      channel.pause()
      for (let i = 0; i < 40; i++)
        channel.send(encodeMessage({ type: 'query', id: createKey().publicKey, data: tl.encodeQuery('getBlock', { id }) }))
    }
    await until(() => endpoint.connections() < 8)
    const { ask } = await dial(endpoint)
    expect(await ask(tl.encodeQuery('getBlock', { id }))).toHaveLength((1 << 20) + 88)
  })

  it('a connection whose peer pings and does not read is closed, so that pongs do not pile up', async () => {
    const endpoint = await open(local, { backlog: 64 << 10, stuckMs: 200 })
    const { channel } = await dial(endpoint)
    channel.pause()
    for (let sent = 0; sent < 400_000 && endpoint.connections() > 0; sent += 2_000) {
      for (let i = 0; i < 2_000; i += 1) channel.send(encodeMessage({ type: 'ping', random: 77n }))
      await sleep(5)
    }
    await until(() => endpoint.connections() === 0)
  }, 60_000)
})

describe('what tools are given', () => {
  it('the endpoint gives tools a config that names the zerostate, the first block and this server', async () => {
    const endpoint = await open()
    const text = await globalConfig(local, endpoint, signal)
    // As numbers, digit by digit: tools read 64 bits there.
    expect(text).toContain('"shard":-9223372036854775808')
    const config = readGlobalConfig(text)
    expect(config.servers).toEqual([{ host: '127.0.0.1', port: endpoint.port, key: Uint8Array.from(endpoint.publicKey) }])
    expect(config.init.seqno).toBe(1)
    const info = await local.query('getMasterchainInfo', {}, signal)
    expect(plain(config.zeroState)).toEqual(plain(info.init))
  })

  it('the key of the endpoint stays in the data directory, readable by its owner only', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tonway-key-'))
    try {
      const first = await endpointKey(folder)
      const path = join(folder, 'liteserver.key')
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(plain(await endpointKey(folder))).toEqual(plain(first))
      expect(plain(keyFromSeed(Buffer.from(readFileSync(path, 'utf8').trim(), 'hex')).publicKey)).toEqual(plain(first.publicKey))
      writeFileSync(path, 'not a key')
      await expect(endpointKey(folder)).rejects.toThrow(/does not hold a key/)
    } finally {
      rmSync(folder, { recursive: true })
    }
    expect(plain((await endpointKey(undefined)).publicKey)).not.toEqual(plain((await endpointKey(undefined)).publicKey))
  })

  it.each([
    ['not JSON', '{'],
    ['no lite-servers', JSON.stringify({ liteservers: [], validator: {} })],
    ['a short key', JSON.stringify({ liteservers: [{ ip: 1, port: 1, id: { key: 'AAAA' } }], validator: {} })],
  ])('a config with %s is refused with the reason', (_, text) => {
    expect(() => readGlobalConfig(text)).toThrow(/global config/)
  })
})

it('queries that come at once are not all answered in one turn of the event loop', async () => {
  const turns = new Set<number>()
  const counted = countTurns()
  const source: LiteServer = {
    ...local,
    async query(...args) {
      turns.add(counted.count())
      const end = performance.now() + 4
      while (performance.now() < end);
      return local.query(...args)
    },
  }
  const { ask } = await dial(await open(source))
  await Promise.all(Array.from({ length: 40 }, () => ask(tl.encodeQuery('getTime', {}))))
  counted.stop()
  expect(turns.size).toBeGreaterThan(8)
})

/** A source whose queries take time of the processor, and call `onQuery` before. */
const busySource = (ms: number, onQuery: (fn: LiteFunction) => void = () => {}): LiteServer => ({
  ...local,
  query(fn, ...rest) {
    onQuery(fn)
    busy(ms)
    return local.query(fn, ...rest)
  },
})

/** Sends queries over each connection, and does not read the answers. */
const send = (peers: readonly { readonly channel: Channel }[], count: number, fn: 'getTime' | 'getVersion', wait?: Wait): void => {
  for (const { channel } of peers)
    for (let i = 0; i < count; i++)
      channel.send(encodeMessage({ type: 'query', id: createKey().publicKey, data: tl.encodeQuery(fn, {}, wait) }))
}

it('queries of many connections do not delay other long work until all of them are answered', async () => {
  let count = 0
  let countWhenOtherGoesOn = 0
  const source = busySource(1, () => {
    if (++count === 8)
      void yieldToEventLoop().then(() => {
        countWhenOtherGoesOn = count
      })
  })
  const endpoint = await open(source)
  const peers = await Promise.all(Array.from({ length: 40 }, () => dial(endpoint)))
  send(peers, 16, 'getTime')
  await until(() => count === 640)
  expect(countWhenOtherGoesOn).toBeGreaterThan(0)
  expect(countWhenOtherGoesOn).toBeLessThan(100)
})

/** Connections of one client, and one of the service itself. */
const dialClients = async (source: LiteServer) => {
  let client = 'many'
  const options = { host: '127.0.0.1', port: 0, key: createKey(), clientOf: () => client }
  const endpoint = await startEndpoint(source, options, { log: { debug: () => {}, warn: () => {} } })
  closing.push(endpoint)
  const many = await Promise.all(Array.from({ length: 40 }, () => dial(endpoint)))
  client = ''
  return { many, own: await dial(endpoint) }
}

it('queries of the service itself do not wait for all those of another client', async () => {
  const seen: LiteFunction[] = []
  const { many, own } = await dialClients(busySource(1, (fn) => seen.push(fn)))
  send(many, 8, 'getTime')
  send([own], 1, 'getVersion')
  await until(() => seen.length === 321)
  expect(seen.indexOf('getVersion')).toBeLessThan(160)
})

it('a client whose queries the source does not answer leaves half of the places there to others', async () => {
  const seen: LiteFunction[] = []
  const source: LiteServer = {
    ...local,
    query(fn, ...rest) {
      seen.push(fn)
      return fn === 'getTime' ? new Promise(() => {}) : local.query(fn, ...rest)
    },
  }
  const { many, own } = await dialClients(source)
  send(many, 8, 'getTime')
  await until(() => seen.length === 16)
  await own.ask(tl.encodeQuery('getVersion', {}))
  expect(seen.filter((fn) => fn === 'getTime')).toHaveLength(16)
})

it('queries of the service itself that a block wakes do not wait for all those of another client', async () => {
  const seen: LiteFunction[] = []
  const { many, own } = await dialClients(busySource(2, (fn) => seen.push(fn)))
  const wait = { seqno: local.head!()!.id.seqno + 1, timeoutMs: 9_000 }
  send(many, 8, 'getTime', wait)
  await sleep(300)
  send([own], 1, 'getVersion', wait)
  await sleep(100)
  await local.control.mine(1, signal)
  await until(() => seen.length === 321)
  expect(seen.indexOf('getVersion')).toBeLessThan(160)
})

it('the time for which a query waits for its turn counts for its timeout', async () => {
  let count = 0
  const { ask } = await dial(
    await open(
      busySource(60, () => count++),
      { queryMs: 100 },
    ),
  )
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(tl.encodeQuery('getTime', {}))))
  expect(count).toBeLessThan(8)
  expect(errorOf(answers.at(-1)!)).toMatchObject({ code: 652, message: 'timeout' })
})

it('queries that wait for a turn end with their connection', async () => {
  const key = createKey()
  const limits = { maxPacket: 1 << 16, running: 8, waiting: 64, bytes: 1 << 16, backlog: 1 << 20, queryMs: 9_000 }
  const times = { connectMs: 9_000, packetMs: 9_000, idleMs: 9_000, stuckMs: 9_000 }
  let [count, isClosed] = [0, false]
  const server = createServer((socket) => {
    const end = serveSession(socket, {
      readHandshake: createHandshakeReader(key),
      client: 'one',
      unread: createInflow(1 << 20),
      limits: { ...limits, ...times },
      async answer() {
        count++
        end()
        return Buffer.alloc(0)
      },
      onClose: () => {
        isClosed = true
      },
    })
  }).listen(0, '127.0.0.1')
  closing.push(server)
  await once(server, 'listening')
  const { ask } = await dial({ port: (server.address() as AddressInfo).port, publicKey: key.publicKey })
  await Promise.allSettled(Array.from({ length: 8 }, () => ask(tl.encodeQuery('getTime', {}))))
  await sleep(50)
  expect([isClosed, count]).toEqual([true, 1])
})

it('queries that wait for one block are not all answered in the turn that brings it', async () => {
  const turns = new Set<number>()
  const counted = countTurns()
  const source: LiteServer = {
    ...local,
    query(...args) {
      turns.add(counted.count())
      const end = performance.now() + 4
      while (performance.now() < end);
      return local.query(...args)
    },
  }
  const endpoint = await open(source)
  const peers = await Promise.all(Array.from({ length: 8 }, () => dial(endpoint)))
  const wait = { seqno: local.head!()!.id.seqno + 1, timeoutMs: 9_000 }
  const answers = peers.flatMap(({ ask }) => Array.from({ length: 8 }, () => ask(tl.encodeQuery('getTime', {}, wait))))
  await sleep(300)
  expect(turns.size).toBe(0)
  await local.control.mine(1, signal)
  await Promise.all(answers)
  counted.stop()
  expect(turns.size).toBeGreaterThan(10)
})

it('all queries that wait read the heads once; a revert ends their waits, and so does the end of the source', async () => {
  const head = { ...local.head!()!, epoch: 0 }
  const hub = createHeadHub(head)
  let readings = 0
  const heads = (stop: AbortSignal) => {
    readings++
    return hub.heads(stop)
  }
  const waitForHead = createHeadWaits({ ...local, heads })
  const waits = () =>
    Promise.allSettled(Array.from({ length: 64 }, () => waitForHead({ seqno: head.id.seqno + 5, timeoutMs: 9_000 }, signal)))
  const timeout = { status: 'rejected', reason: expect.objectContaining({ code: 652, message: 'timeout' }) }
  const reverted = waits()
  // All of them see the head before the revert.
  await sleep(50)
  hub.set({ ...head, epoch: 1 })
  expect(await reverted).toEqual(new Array(64).fill(timeout))
  expect(readings).toBe(1)
  const ended = waits()
  hub.close()
  expect((await ended).every(({ status }) => status === 'rejected')).toBe(true)
  expect(readings).toBe(2)
})

it('queries of connections that end at once are cancelled in turns of their own', async () => {
  const turns: number[] = []
  const counted = countTurns()
  let running = 0
  const source = {
    ...local,
    query: (_fn: string, _args: unknown, stop: AbortSignal) => {
      running++
      return new Promise((_, reject) =>
        stop.addEventListener('abort', () => {
          turns.push(counted.count())
          const end = performance.now() + 4
          while (performance.now() < end);
          reject(stop.reason)
        }),
      )
    },
  } as unknown as LiteServer
  const endpoint = await open(source, { atOnce: 100 })
  const peers = await Promise.all(Array.from({ length: 40 }, () => dial(endpoint)))
  for (const { channel } of peers)
    channel.send(encodeMessage({ type: 'query', id: createKey().publicKey, data: tl.encodeQuery('getTime', {}) }))
  await until(() => running === peers.length)
  for (const { channel } of peers) channel.close()
  await until(() => turns.length === peers.length)
  counted.stop()
  expect(new Set(turns).size).toBeGreaterThan(8)
})
