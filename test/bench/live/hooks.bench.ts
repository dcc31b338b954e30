import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from 'pg'
import { sleep } from '../../kit/wait.ts'
import type { Bench } from '../bench.ts'
import { openScene, percentile } from './live.bench.ts'

/* How soon a receiver is called after a block, and what a thousand hooks cost the service. */

const BLOCKS = { warmUp: 20, counted: 100 }
const PACE_MS = 100
const HOOKS = 1_000
/** Each masterchain block comes with a block of workchain 0: two events, so an event a second. */
const BLOCK_MS = 2_000
const SECONDS = 20

const openReceiver = async (onEvent: (body: string) => void) => {
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    onEvent(body)
    res.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const latency: Bench = {
  name: 'block (answer of local.mine) to the call of its webhook, p50',
  target: { atMost: 20, unit: 'ms' },
  async measure() {
    const scene = await openScene()
    let arrived = (): void => {}
    const receiver = await openReceiver((body) => {
      if (body.includes('"workchain":-1')) arrived()
    })
    try {
      await scene.service.rpc('hooks.create', { url: `${receiver.url}/`, types: ['blocks'] })
      await sleep(1_500)
      const times: number[] = []
      for (let i = 0; i < BLOCKS.warmUp + BLOCKS.counted; i++) {
        const arrival = new Promise<void>((resolve) => {
          arrived = resolve
        })
        const called = arrival.then(() => performance.now())
        await scene.service.rpc('local.mine', { count: 1 })
        const made = performance.now()
        const time = Math.max(0, (await called) - made)
        if (i >= BLOCKS.warmUp) times.push(time)
        await sleep(PACE_MS)
      }
      times.sort((a, b) => a - b)
      const ours = percentile(times, 0.5)
      console.error(`p99: ${percentile(times, 0.99).toFixed(1)} ms`)
      return { ours, yardstick: 0, ratio: ours, unit: 'ms' }
    } finally {
      receiver.close()
      await scene.close()
    }
  },
}

const thousand: Bench = {
  name: '1,000 webhooks with an event a second: processor of the service',
  target: { atMost: 0.5, unit: 'cores' },
  async measure() {
    const scene = await openScene()
    let count = 0
    const receiver = await openReceiver(() => {
      count++
    })
    const client = new Client(scene.connection)
    try {
      const { service } = scene
      await service.rpc('hooks.create', { url: `${receiver.url}/`, types: ['blocks'] })
      await client.connect()
      // An owner has at most 100.
      await client.query(`insert into hooks select 'hook_' || i, 'owner ' || i / 100, url || i, secret, filter, cursor, created_at, false, null, 0, null, 0, i
        from hooks, generate_series(1, ${HOOKS - 1}) i`)
      await sleep(3_000)
      await service.rpc('local.mine', { count: 1 })
      await sleep(BLOCK_MS)
      count = 0
      const before = service.cpu()
      const began = performance.now()
      for (let i = 1; i <= SECONDS; i++) {
        await service.rpc('local.mine', { count: 1 })
        await sleep(Math.max(0, began + i * BLOCK_MS - performance.now()))
      }
      const seconds = (performance.now() - began) / 1_000
      const ours = (service.cpu() - before) / 1_000 / seconds
      console.error(`${count} deliveries in ${seconds.toFixed(1)} s; ${service.rss().toFixed(0)} MB`)
      return { ours, yardstick: 0, ratio: ours, unit: 'cores' }
    } finally {
      await client.end()
      receiver.close()
      await scene.close()
    }
  },
}

export const benches: readonly Bench[] = [latency, thousand]
