import { Client } from 'pg'
import { WebSocket } from 'ws'
import { startTestServer, urlOf } from '../kit/index/database.ts'
import { sleep } from '../kit/wait.ts'
import type { Bench } from './bench.ts'
import { type Service, startService } from './service.ts'

/* How soon readers in another process are told of a block, and what they cost. */

const ADDRESS = `0:${'11'.repeat(32)}`
const BLOCKS = 40
/** Milliseconds between blocks: five a second. */
const PACE = 200

interface Scene {
  readonly service: Service
  /** When the newest masterchain block became visible (performance.now()), by the number of the notification. */
  readonly published: number[]
  close(): Promise<void>
}

const openScene = async (): Promise<Scene> => {
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
    published,
    async close() {
      await client.end()
      await service.close()
      await server.close()
    },
  }
}

/** Sockets with one subscription each; calls `told` for each event. */
const subscribe = async (url: string, count: number, types: readonly string[], told: () => void): Promise<WebSocket[]> => {
  const sockets: WebSocket[] = []
  for (let i = 0; i < count; i++) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/streaming/v2/ws`)
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    socket.send(JSON.stringify({ operation: 'subscribe', types, addresses: [ADDRESS] }))
    await new Promise((resolve) => socket.once('message', resolve))
    socket.on('message', told)
    sockets.push(socket)
  }
  return sockets
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!

/** Milliseconds from a block's publication to the notifications of `readers`. */
const latencies = async (readers: number): Promise<number[]> => {
  const scene = await openScene()
  try {
    const { service, published } = scene
    const found: number[] = []
    const sockets = await subscribe(service.url, readers, ['blocks'], () => {
      const at = published.at(-1)
      if (at !== undefined) found.push(performance.now() - at)
    })
    for (let i = 0; i < BLOCKS; i++) {
      await service.rpc('local.mine', { count: 1 })
      await sleep(PACE)
    }
    for (const socket of sockets) socket.terminate()
    return found
  } finally {
    await scene.close()
  }
}

const latency = (readers: number, share: number, atMost: number): Bench => ({
  name: `block visible to its notification, ${readers} ${readers === 1 ? 'reader' : 'readers'}, p${share * 100}`,
  target: { atMost, unit: 'ms' },
  async measure() {
    const ours = percentile(await latencies(readers), share)
    return { ours, yardstick: 0, ratio: ours, unit: 'ms' }
  },
})

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

export const benches: readonly Bench[] = [latency(1, 0.5, 5), latency(1_000, 0.5, 15), latency(1_000, 0.99, 60), memory]
