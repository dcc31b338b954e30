import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { startTestServer, urlOf } from '../kit/index/database.ts'
import { addRows } from './filled-index.ts'
import { type Service, startService } from './service.ts'

/* A real service over an index of 107,000 transactions in traces of 254, and callers that ask for its largest pages. */

const SIZE = { transactions: 107_000, accounts: 10_000, ofTrace: 254 }
export const LARGEST = '/api/v3/traces?limit=1000'

export interface Filled {
  readonly service: Service
  close(): Promise<void>
}

/** Starts the built service on an embedded chain without idle blocks, and puts the rows into its index. */
export const startFilled = async (): Promise<Filled> => {
  const server = await startTestServer()
  const database: ClientConfig = await server.database()
  const service = await startService({ DATABASE_URL: urlOf(database), TONWAY_BLOCK_TIME: '0', TONWAY_METADATA: 'false' })
  for (let tries = 0; (await fetch(`${service.url}/api/v3/masterchainInfo`)).status !== 200; tries++) {
    if (tries > 400) throw new Error('the index does not start')
    await sleep(50)
  }
  await addRows(database, SIZE)
  return {
    service,
    async close() {
      await service.close()
      await server.close()
    },
  }
}

export interface Got {
  readonly status: number
  /** Seconds of Retry-After; 0 without it. */
  readonly retryAfter: number
  readonly bytes: number
  readonly ms: number
}

/** One GET over a connection of its own, its answer read and thrown away as fast as it comes. Status 0: it was cut. */
export const get = (url: string, path: string): Promise<Got> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const began = performance.now()
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`),
    )
    let bytes = 0
    let head = ''
    let tail = ''
    socket.on('data', (chunk) => {
      bytes += chunk.length
      if (head.length < 4096) head += chunk.toString('latin1', 0, 4096)
      tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - 8))).slice(-8)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      const status = Number(/^HTTP\/1.1 (\d+)/.exec(head)?.[1] ?? 0)
      // The last piece of an answer in chunks is an empty one; without it the answer was cut.
      const isWhole = !/\r\ntransfer-encoding: chunked/i.test(head) || tail.endsWith('0\r\n\r\n')
      const retryAfter = Number(/\r\nretry-after: (\d+)/i.exec(head)?.[1] ?? 0)
      resolve({ status: isWhole ? status : 0, retryAfter, bytes, ms: performance.now() - began })
    })
  })

/** The largest page. Who is refused with 503 and Retry-After comes back then, at most twice, as a client of the service should. */
const getLargest = async (url: string): Promise<Got> => {
  let got = await get(url, LARGEST)
  for (let tries = 0; got.status === 503 && got.retryAfter > 0 && tries < 2; tries++) {
    await sleep(got.retryAfter * 1_000)
    got = await get(url, LARGEST)
  }
  return got
}

const percentile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!

/** What others see meanwhile. Milliseconds and MB. */
export interface Seen {
  readonly pages: readonly Got[]
  readonly v2p99: number
  readonly v3p99: number
  readonly v3failed: number
  readonly rss: number
}

/** Asks for `count` of the largest pages at once; meanwhile others ask v2 and v3 for small things, fifty times a second each. */
export const besideLarge = async ({ service }: Filled, count: number, atLeast = 2_000): Promise<Seen> => {
  let isOver = false
  let rss = 0
  const taken = { v2: [] as number[], v3: [] as number[] }
  let v3failed = 0
  const ask = async (kind: 'v2' | 'v3', path: string): Promise<void> => {
    const asking: Promise<void>[] = []
    while (!isOver) {
      const began = performance.now()
      asking.push(
        fetch(service.url + path).then(async (response) => {
          await response.arrayBuffer()
          if (kind === 'v3' && response.status !== 200) v3failed++
          taken[kind].push(performance.now() - began)
        }),
      )
      rss = Math.max(rss, service.rss())
      await sleep(20)
    }
    await Promise.all(asking)
  }
  const others = [ask('v2', '/api/v2/getMasterchainInfo'), ask('v3', '/api/v3/transactions?limit=5')]
  const [pages] = await Promise.all([Promise.all(Array.from({ length: count }, () => getLargest(service.url))), sleep(atLeast)])
  isOver = true
  await Promise.all(others)
  return { pages, v2p99: percentile(taken.v2, 0.99), v3p99: percentile(taken.v3, 0.99), v3failed, rss }
}
