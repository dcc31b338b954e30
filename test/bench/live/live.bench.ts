import { Client, type ClientConfig } from 'pg'
import { WebSocket } from 'ws'
import { startTestServer, urlOf } from '../../kit/index/database.ts'
import { sleep } from '../../kit/wait.ts'
import type { Bench } from '../bench.ts'
import { startLeast } from '../least.ts'
import { dial, postRequest, stayAwake } from '../load.ts'
import { type Service, startService } from '../service.ts'
import { openReader, type RawReader } from './readers.ts'

/* How soon readers in another process are told of a block, and what they cost. */

const ADDRESS = `0:${'11'.repeat(32)}`
const BLOCKS = 40
/** Milliseconds between blocks: five a second. */
const PACE = 200
const HALF = PACE / 2
/** Characters of the two notifications of a block. */
const TOLD = 500

interface Scene {
  readonly service: Service
  readonly connection: ClientConfig
  /** When the newest masterchain block became visible (performance.now()), by the number of the notification. */
  readonly published: number[]
  close(): Promise<void>
}

export const openScene = async (): Promise<Scene> => {
  const server = await startTestServer()
  const connection = await server.database()
  const service = await startService({ DATABASE_URL: urlOf(connection), TONWAY_BLOCK_TIME: '0', TONWAY_ANONYMOUS_RPS: 'unlimited' })
  await service.rpc('local.mine', { count: 2 })
  while ((await service.rpc('v3.masterchainInfo').catch(() => undefined)) === undefined) await sleep(50)
  const published: number[] = []
  const client = new Client(connection)
  await client.connect()
  client.on('notification', () => published.push(performance.now()))
  await client.query('listen tonway_head')
  return {
    service,
    connection,
    published,
    async close() {
      await client.end()
      await service.close()
      await server.close()
    },
  }
}

/** Subscribed sockets; calls `told` for each event with the socket's number. */
const subscribe = async (
  url: string,
  count: number,
  types: readonly string[],
  told: (i: number, data: Buffer) => void,
): Promise<WebSocket[]> => {
  const sockets: WebSocket[] = []
  for (let i = 0; i < count; i++) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/streaming/v2/ws`)
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    socket.send(JSON.stringify({ operation: 'subscribe', types, addresses: [ADDRESS] }))
    await new Promise((resolve) => socket.once('message', resolve))
    socket.on('message', (data: Buffer) => told(i, data))
    sockets.push(socket)
  }
  return sockets
}

/** The masterchain seqno of a block event; undefined for one of another chain. */
const seqnoOf = (data: Buffer | string): number | undefined => {
  const { workchain, seqno } = JSON.parse(String(data)) as { workchain?: number; seqno?: number }
  return workchain === -1 ? seqno : undefined
}

export const percentile = (ascending: readonly number[], share: number): number =>
  ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))]!

/** Milliseconds, ascending. */
interface Latencies {
  /** From a block's publication to the notifications of the readers. */
  readonly ours: readonly number[]
  /** From an answer of a bare `ws` server, which then tells as many sockets as long a text, to their notifications. */
  readonly least: readonly number[]
}

const openReaders = async (url: string, count: number): Promise<RawReader[]> => {
  const open: RawReader[] = []
  for (let i = 0; i < count; i++) open.push(await openReader(url, { types: ['blocks'] }))
  return open
}

/** From the begin of each turn to the arrivals of the readers. */
const sinceBegin = (began: readonly number[], arrivals: readonly (readonly number[])[]): number[] => {
  if (began.length !== BLOCKS || arrivals.some((times) => times.length !== BLOCKS))
    throw new Error(`${began.length} blocks were published, and told ${[...new Set(arrivals.map((times) => times.length))]} times`)
  return arrivals.flatMap((times) => times.map((at, i) => Math.max(0, at - began[i]!))).sort((a, b) => a - b)
}

/** Blocks of the service and texts of the bare server come by turns. The readers are awake, as those of other machines are for a server that writes to them. */
const measureLatencies = async (readers: number): Promise<Latencies> => {
  const scene = await openScene()
  const least = await startLeast('tell', { text: 'x'.repeat(TOLD) })
  try {
    const { service, published } = scene
    const ours = await openReaders(service.url, readers)
    const bare = await openReaders(least.url, readers)
    await sleep(PACE)
    for (const reader of [...ours, ...bare]) reader.take()
    published.length = 0
    const answered: number[] = []
    const line = await dial(least.url)
    const request = Buffer.from(postRequest('/', ''))
    const sleepAgain = stayAwake()
    for (let i = 0; i < BLOCKS; i++) {
      await service.rpc('local.mine', { count: 1 })
      await sleep(HALF)
      await line.ask(request)
      answered.push(performance.now())
      await sleep(HALF)
    }
    await sleep(1_000)
    sleepAgain()
    line.close()
    const arrivals = ours.map((reader) => reader.take().flatMap(({ text, at }) => (seqnoOf(text) === undefined ? [] : [at])))
    const told = bare.map((reader) => reader.take().map(({ at }) => at))
    for (const reader of [...ours, ...bare]) reader.close()
    return { ours: sinceBegin(published, arrivals), least: sinceBegin(answered, told) }
  } finally {
    least.stop()
    await scene.close()
  }
}

const measured = new Map<number, Promise<Latencies>>()
/** One measurement for all lines of the same number of readers. */
const latencies = (readers: number): Promise<Latencies> => {
  const known = measured.get(readers) ?? measureLatencies(readers)
  measured.set(readers, known)
  return known
}

const latency = (readers: number, share: number, atMost: number): Bench => ({
  name: `block visible to its notification, ${readers} ${readers === 1 ? 'reader' : 'readers'}, p${share * 100}`,
  target: { atMost, unit: 'ms' },
  async measure() {
    const { ours, least } = await latencies(readers)
    return { ours: percentile(ours, share), yardstick: percentile(least, share), ratio: percentile(ours, share), unit: 'ms' }
  },
})

/** Bytes of events that readers have not taken, by /metrics. */
const unread = async (service: Service): Promise<number> =>
  Number(/^tonway_unread_bytes\{transport="events"\} (\d+)$/m.exec(await (await fetch(`${service.url}/metrics`)).text())?.[1])

/** Fifty blocks at a time, with room for others in between. */
const mineOn = async (service: Service, times: number): Promise<void> => {
  for (let i = 0; i < times; i++) {
    await service.rpc('local.mine', { count: 50 })
    await sleep(PACE)
  }
}

const neverRead: Bench = {
  name: '1,000 sockets that never read: all queues, the most at a time',
  // The service cuts off slow readers once their queues pass 256 MiB. The event that passes the bound is still queued for each of them.
  target: { atMost: 260, unit: 'MB' },
  async measure() {
    const scene = await openScene()
    try {
      const { service } = scene
      const { wallets } = await service.rpc<{ wallets: { address: string }[] }>('local.wallets')
      const sockets: WebSocket[] = []
      for (let i = 0; i < 1_000; i++) {
        const socket = new WebSocket(`${service.url.replace('http', 'ws')}/jsonRPC`)
        await new Promise((resolve) => socket.once('open', resolve))
        socket.on('error', () => {})
        // The ids differ, so that not all sockets share their texts.
        for (let n = 0; n <= i % 20; n++) {
          const params = { types: ['blocks', 'account_state_change'], addresses: [wallets[n % wallets.length]!.address] }
          socket.send(JSON.stringify({ jsonrpc: '2.0', id: n, method: 'subscribe', params }))
          await new Promise((resolve) => socket.once('message', resolve))
        }
        socket.pause()
        sockets.push(socket)
      }
      const before = service.rss()
      let most = 0
      let highest = before
      let isMining = true
      const mining = mineOn(service, 60).finally(() => {
        isMining = false
      })
      while (isMining) {
        most = Math.max(most, await unread(service))
        highest = Math.max(highest, service.rss())
      }
      await mining
      const grown = highest - before
      const status = (await (await fetch(`${service.url}/status`)).json()) as { sockets: number }
      console.error(`${sockets.length - status.sockets} sockets were closed for it; ${grown.toFixed(0)} MB more at the most`)
      for (const socket of sockets) socket.terminate()
      return { ours: most / 2 ** 20, yardstick: grown, ratio: most / 2 ** 20, unit: 'MB' }
    } finally {
      await scene.close()
    }
  },
}

const stoppedReaders: Bench = {
  name: '100 of 1,000 readers stop for 30 s: events that the others lost or were told out of order',
  target: { atMost: 0, unit: 'events' },
  async measure() {
    const scene = await openScene()
    try {
      const { service } = scene
      const told = Array.from({ length: 1_000 }, (): number[] => [])
      const sockets = await subscribe(service.url, 1_000, ['blocks'], (i, data) => {
        const seqno = seqnoOf(data)
        if (seqno !== undefined) told[i]!.push(seqno)
      })
      const { last } = await service.rpc<{ last: { seqno: number } }>('getMasterchainInfo')
      for (const socket of sockets.slice(0, 100)) socket.pause()
      for (let i = 0; i < 150; i++) {
        await service.rpc('local.mine', { count: 1 })
        await sleep(PACE)
      }
      for (const socket of sockets.slice(0, 100)) socket.resume()
      await sleep(2_000)
      const expected = Array.from({ length: 150 }, (_, i) => last.seqno + 1 + i)
      const wrong = told.slice(100).reduce((sum, seqnos) => sum + expected.filter((seqno, i) => seqnos.at(i - 150) !== seqno).length, 0)
      const left = await unread(service)
      for (const socket of sockets) socket.terminate()
      return { ours: wrong, yardstick: left, ratio: wrong, unit: 'events' }
    } finally {
      await scene.close()
    }
  },
}

const memory: Bench = {
  name: 'memory of 1,000 subscribed sockets, above rest',
  target: { atMost: 120, unit: 'MB' },
  async measure() {
    const scene = await openScene()
    try {
      const before = scene.service.rss()
      const sockets = await subscribe(
        scene.service.url,
        1_000,
        ['transactions', 'actions', 'trace', 'account_state_change', 'jettons_change'],
        () => {},
      )
      await scene.service.rpc('local.mine', { count: 10 })
      await sleep(2_000)
      const ours = scene.service.rss() - before
      for (const socket of sockets) socket.terminate()
      return { ours, yardstick: before, ratio: ours, unit: 'MB' }
    } finally {
      await scene.close()
    }
  },
}

export const benches: readonly Bench[] = [
  latency(1, 0.5, 5),
  latency(1_000, 0.5, 15),
  latency(1_000, 0.99, 60),
  memory,
  neverRead,
  stoppedReaders,
]
