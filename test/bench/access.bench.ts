import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { WebSocket } from 'ws'
import { makeKey } from '../../server/access/key-text.ts'
import { attachEmbedded } from '../../server/store/postgres/embedded/server.ts'
import { countMismatches } from '../kit/service/limiter-model.ts'
import { redisMissing, startRedis } from '../kit/service/redis.ts'
import { sleep } from '../kit/wait.ts'
import type { Bench } from './bench.ts'
import { load } from './load.ts'
import { type Service, startService } from './service.ts'

/* Keys and limits: what they cost a cached read, and whether limits are what they say. */

const PATH = '/api/v2/getMasterchainInfo'
const COUNT = 10_000
const OPERATIONS = 1_000_000
const QUIET = { TONWAY_INDEX: 'off', TONWAY_BLOCK_TIME: '0', TONWAY_LITESERVER_PORT: 'off' }

/** A service with keys in a data directory of its own, and `tonway` said beside it. */
const startKeyed = async (env: Record<string, string> = {}) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tonway-bench-'))
  // PostgreSQL runs as another user where this one is root.
  chmodSync(dataDir, 0o755)
  const say = (...words: string[]): string =>
    execFileSync(process.execPath, ['dist/server/main.js', ...words, '--data-dir', dataDir], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  const service = await startService({ ...QUIET, TONWAY_KEYS: 'on', TONWAY_DATA_DIR: dataDir, ...env })
  // The service answers before its database does.
  while (attachEmbedded(dataDir) === undefined) await sleep(50)
  for (;;) {
    try {
      say('plans', 'list')
      break
    } catch {
      await sleep(100)
    }
  }
  return {
    service,
    dataDir,
    say,
    async close() {
      await service.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const keyed = (key: string): string => `GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key}\r\n\r\n`

const cachedRead: Bench = {
  name: 'cached read with a key and limits on, against off',
  target: { atLeast: 0.85 },
  basis: 'wall',
  setups: 12,
  pairs: 5,
  async setup() {
    const guarded = await startKeyed({ TONWAY_ANONYMOUS_RPS: '1' })
    const open = await startService(QUIET)
    guarded.say('plans', 'set', 'endless', '--rps', '1000000')
    const key = guarded.say('keys', 'create', '--owner', 'bench', '--plan', 'endless')
    return {
      // The same bytes: where nobody looks at keys it is a header like another.
      ours: () => load(guarded.service.url, keyed(key), COUNT),
      yardstick: () => load(open.url, keyed(key), COUNT),
      async close() {
        await open.close()
        await guarded.close()
      },
    }
  },
}

const model: Bench = {
  name: 'limiter against a reference model, 1 million operations with random clocks: mismatches',
  target: { atMost: 0 },
  async measure() {
    let mismatches = 0
    let done = 0
    for (let seed = 1; done < OPERATIONS; seed++, done += 10_000) {
      mismatches += countMismatches(seed, 10_000)
      await sleep(0)
    }
    return { ours: mismatches, yardstick: done, ratio: mismatches, unit: 'operations' }
  },
}

const RATE = 1_000
const LIMIT = 100
const SECONDS = 8

/** Status of one GET, and when its answer began, milliseconds. */
const get = (service: Service, key: string, agent: Agent): Promise<{ readonly status: number; readonly at: number }> =>
  new Promise((resolve, reject) => {
    request(`${service.url}${PATH}`, { agent, headers: { 'X-API-Key': key } }, (answer) => {
      const at = performance.now()
      answer.resume()
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, at }))
    })
      .on('error', reject)
      .end()
  })

const shared: Bench = {
  name: 'limit of 100/s, two processes over Redis, 1,000/s offered: let through a second, farthest from 100',
  target: { atMost: 5, unit: 'calls' },
  async measure() {
    const redis = await startRedis()
    const first = await startKeyed({ REDIS_URL: redis.url })
    const { host, user, password, database } = attachEmbedded(first.dataDir)!
    const databaseUrl = `postgres://${user}:${String(password)}@${encodeURIComponent(host!)}/${database}`
    const second = await startService({ ...QUIET, TONWAY_KEYS: 'on', REDIS_URL: redis.url, DATABASE_URL: databaseUrl })
    const agent = new Agent({ keepAlive: true, maxSockets: 64 })
    try {
      const key = first.say('keys', 'create', '--owner', 'bench', '--plan', 'advanced')
      const passed: number[] = []
      const running: Promise<void>[] = []
      const ask = async (service: Service): Promise<void> => {
        const { status, at } = await get(service, key, agent)
        if (status === 200) passed.push(at)
        else if (status !== 429) throw new Error(`status ${status}`)
      }
      await Promise.all([ask(first.service), ask(second)])
      await sleep(1_500)
      passed.length = 0
      const began = performance.now()
      for (let offered = 0; offered < RATE * SECONDS; await sleep(1))
        for (; offered < ((performance.now() - began) * RATE) / 1000; offered++) running.push(ask(offered % 2 ? first.service : second))
      await Promise.all(running)
      const start = Math.min(...passed)
      const seconds = new Array<number>(SECONDS - 1).fill(0)
      for (const at of passed) {
        const index = Math.floor((at - start) / 1000)
        if (index < seconds.length) seconds[index]!++
      }
      const farthest = Math.max(...seconds.map((count) => Math.abs(count - LIMIT)))
      return { ours: Math.min(...seconds), yardstick: Math.max(...seconds), ratio: farthest, unit: 'a second' }
    } finally {
      agent.destroy()
      await second.close()
      await first.close()
      await redis.close()
    }
  },
}

const KEYS = 10_000
const SOCKETS = 1_000

const memory: Bench = {
  name: '1,000 idle WebSockets and 10,000 keys: memory more',
  target: { atMost: 120, unit: 'MB' },
  async measure() {
    const { service, dataDir, close } = await startKeyed()
    const client = new Client(attachEmbedded(dataDir)!)
    const sockets: WebSocket[] = []
    const agent = new Agent({ keepAlive: true, maxSockets: 32 })
    try {
      await client.connect()
      const keys = Array.from({ length: KEYS }, makeKey)
      await client.query(
        `insert into api_keys (id, hash, network, owner, label, plan, created_at)
         select id, hash, 'local', 'owner ' || id, '', 'free', now() from unnest($1::text[], $2::bytea[]) as made (id, hash)`,
        [keys.map(({ id }) => id), keys.map(({ hash }) => hash)],
      )
      // Warm, so that what is measured is what keys and sockets take.
      await load(service.url, keyed(keys[0]!.key), 10)
      await sleep(1_000)
      const before = service.rss()
      for (let i = 0; i < KEYS; i += 100)
        for (const { status } of await Promise.all(keys.slice(i, i + 100).map(({ key }) => get(service, key, agent))))
          if (status !== 200) throw new Error(`status ${status}`)
      for (let i = 0; i < SOCKETS; i += 50)
        sockets.push(
          ...(await Promise.all(
            keys.slice(i, i + 50).map(
              ({ key }) =>
                new Promise<WebSocket>((resolve, reject) => {
                  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/jsonRPC`, { headers: { 'X-API-Key': key } })
                  socket.once('open', () => resolve(socket))
                  socket.once('error', reject)
                }),
            ),
          )),
        )
      await sleep(1_000)
      const more = service.rss() - before
      return { ours: more, yardstick: before, ratio: more, unit: 'MB' }
    } finally {
      agent.destroy()
      for (const socket of sockets) socket.terminate()
      await client.end()
      await close()
    }
  },
}

if (redisMissing !== undefined) process.stderr.write(`skipped: ${shared.name}: ${redisMissing}\n`)

export const benches: readonly Bench[] = [cachedRead, model, ...(redisMissing === undefined ? [shared] : []), memory]
