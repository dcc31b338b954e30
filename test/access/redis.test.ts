import { inspect } from 'node:util'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMemoryLimiter, type Limiter } from '../../server/access/limiter.ts'
import { createRedisLimiter } from '../../server/access/redis-limiter.ts'
import { TAKE } from '../../server/access/redis-script.ts'
import type { Log } from '../../server/base/log.ts'
import { showStatus } from '../../server/cli/status.ts'
import { configOf, runWith } from '../cli/kit.ts'
import { type Answer, ask, openLine, post, rpcRequest } from '../kit/service/client.ts'
import { createModel, createOperations, createTicker, monotonic } from '../kit/service/limiter-model.ts'
import { offerFrom } from '../kit/service/limiter-processes.ts'
import { redisMissing, startRedis, type TestRedis } from '../kit/service/redis.ts'
import { startTonway } from '../kit/service/tonway.ts'

const logged = (): { log: Log; lines: string[]; told: object[] } => {
  const lines: string[] = []
  const told: object[] = []
  const say = (event: string, fields: object = {}): void => {
    lines.push(event)
    told.push(fields)
  }
  return { log: { debug: say, info: say, warn: say, error: say }, lines, told }
}

let buckets = 0
/** What was logged last, after a call that no limit holds back. */
const lastAfterCall = async (limiter: Limiter, lines: readonly string[]): Promise<string | undefined> => {
  await Promise.resolve()
    .then(() => limiter.take(`k:fresh:${buckets++}`, 1, 1))
    .catch(() => {})
  return lines.at(-1)
}

/** Whether a call of a bucket with much room is let through. */
const passes = (limiter: Limiter, bucket: string): Promise<boolean> =>
  Promise.resolve()
    .then(() => limiter.take(bucket, 1e6, 1))
    .catch(() => false)

/** A reason; on a machine that is very slow there is none yet. */
const because = (reason: string): unknown => expect.stringMatching(new RegExp(`^(${reason}|Redis: connect(ing)?$)`))

/** Each change of state is told once. A machine that is very slow may lose Redis for a moment of its own. */
const toldOnce = (lines: readonly string[]): void => {
  expect(lines.length).toBeGreaterThanOrEqual(2)
  lines.forEach((line, i) => {
    expect(line).toBe(i % 2 ? 'limits.redis_restored' : 'limits.redis_lost')
  })
}

describe.skipIf(redisMissing !== undefined)(`limits in Redis${redisMissing === undefined ? '' : ` (${redisMissing})`}`, () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(async () => {
    await redis?.close()
  })
  const ticks = (): number => performance.now()
  const limiterOf = (fail: 'open' | 'closed', log: Log = logged().log): Promise<Limiter> =>
    createRedisLimiter({ url: redis.url, fail }, { log, ticks, local: createMemoryLimiter(ticks) })

  it('the limiter in Redis decides as the limiter in memory does', async () => {
    const client = new Redis(redis.url, { enableAutoPipelining: true })
    for (const seed of [1, 2, 3]) {
      const operations = createOperations(seed)
      const model = createModel()
      const tick = createTicker(operations.now)
      const memory = createMemoryLimiter(monotonic(tick))
      const expected: boolean[] = []
      const told: Promise<unknown>[] = []
      for (let i = 0; i < 2_000; i++) {
        const { bucket, limit, weight, done } = operations.next()
        const at = tick() + 1e9
        if (done) {
          model.charge(bucket, at, limit, weight)
          memory.charge(bucket, limit, weight)
          expected.push(true)
          told.push(client.eval(TAKE, 1, `${seed}:${bucket}`, limit, weight, at, 'done'))
          continue
        }
        expected.push(model.take(bucket, at, limit, weight))
        expect(memory.take(bucket, limit, weight)).toBe(expected[i])
        told.push(client.eval(TAKE, 1, `${seed}:${bucket}`, limit, weight, at))
      }
      expect((await Promise.all(told)).map((wait) => wait === -1)).toEqual(expected)
    }
    client.disconnect()
  })

  it('the limiter in Redis says after what time the call will fit', async () => {
    const client = new Redis(redis.url)
    const take = (at: number, weight = 1): Promise<unknown> => client.eval(TAKE, 1, 'wait', 3, weight, at)
    expect(await take(1e9)).toBe(-1)
    expect(await take(1e9 + 4_000, 2)).toBe(-1)
    expect(await take(1e9 + 5_000)).toBe(5_001)
    expect(await take(1e9 + 10_000)).toBe(1)
    expect(await take(1e9 + 10_001)).toBe(-1)
    // A clock that goes back by an hour: all of it is of this moment, and gone a second later.
    const back = 1e9 - 36_000_000
    expect(await take(back)).toBe(10_001)
    expect(await take(back + 10_001)).toBe(-1)
    client.disconnect()
  })

  it('two processes share a limit that holds in every second', async () => {
    const limit = 20
    const offered = await offerFrom(2, { url: redis.url, bucket: 'k:shared', limit, callsPerSecond: 200, milliseconds: 1_500 })
    const passed = offered.flatMap((each) => each.passed)
    expect(passed.length).toBeGreaterThanOrEqual(limit)
    expect(offered.every(({ refused }) => refused > 0)).toBe(true)
    // A call was counted between its question and its answer: limit calls after any one at least a second has passed, however these fell.
    const asked = passed.map(([at]) => at).sort((a, b) => a - b)
    const answered = passed.map(([, at]) => at).sort((a, b) => a - b)
    for (let i = 0; i + limit < passed.length; i++) expect(answered[i + limit]! - asked[i]!).toBeGreaterThan(995)
  })

  for (const [how, signal] of [
    ['is killed', 'SIGKILL'],
    ['hangs', 'SIGSTOP'],
  ] as const) {
    it(`with fail=open each process counts by itself while Redis ${how}, and with Redis again afterwards`, async () => {
      const { log, lines } = logged()
      const limiter = await limiterOf('open', log)
      expect(await limiter.take('k:open', 2, 1)).toBe(true)
      process.kill(redis.pid(), signal)
      await expect.poll(() => lastAfterCall(limiter, lines)).toBe('limits.redis_lost')
      expect(limiter.trouble!()).toBeDefined()
      const bucket = `k:alone:${how}`
      const alone = await Promise.all(Array.from({ length: 30 }, () => limiter.take(bucket, 3, 1)))
      expect(alone.filter(Boolean)).toHaveLength(3)
      if (signal === 'SIGSTOP') process.kill(redis.pid(), 'SIGCONT')
      else {
        await redis.kill()
        await redis.start()
      }
      await expect.poll(() => lastAfterCall(limiter, lines)).toBe('limits.redis_restored')
      toldOnce(lines)
      await limiter.close()
    })
  }

  it('a limiter without calls notices by itself that a Redis that hung is back', async () => {
    const { log, lines } = logged()
    const limiter = await limiterOf('open', log)
    process.kill(redis.pid(), 'SIGSTOP')
    await expect.poll(() => lastAfterCall(limiter, lines)).toBe('limits.redis_lost')
    process.kill(redis.pid(), 'SIGCONT')
    await expect.poll(() => [limiter.trouble!(), lines.at(-1)], { timeout: 20_000 }).toEqual([undefined, 'limits.redis_restored'])
    toldOnce(lines)
    await limiter.close()
  })

  it('with fail=closed counted calls are refused while Redis is away', async () => {
    const { log, lines } = logged()
    const limiter = await limiterOf('closed', log)
    await expect.poll(() => passes(limiter, 'k:closed')).toBe(true)
    // Some calls are under way as it goes.
    const under = Array.from({ length: 50 }, (_, i) => Promise.resolve(limiter.take(`k:under:${i}`, 1, 1)).catch((error: unknown) => error))
    await redis.kill()
    for (const result of await Promise.all(under)) if (result !== true) expect(result).toMatchObject({ kind: 'UNAVAILABLE', retryAfter: 1 })
    await expect.poll(() => lastAfterCall(limiter, lines)).toBe('limits.redis_lost')
    await expect((async () => limiter.take('k:closed', 1e6, 1))()).rejects.toMatchObject({ kind: 'UNAVAILABLE', retryAfter: 1 })
    await redis.start()
    await expect.poll(() => passes(limiter, 'k:again')).toBe(true)
    toldOnce(lines)
    await limiter.close()
  })

  it('a service whose Redis is killed mid-request refuses with 503 at every door, and serves again with it', async () => {
    await using tonway = await startTonway({ redisUrl: redis.url, limitsFail: 'closed', anonymousRps: 1_000_000, blockTime: 0 })
    const rest = (): Promise<Answer> => ask(`${tonway.url}/api/v2/getMasterchainInfo`)
    await expect.poll(async () => (await rest()).status).toBe(200)
    const under = Promise.all(Array.from({ length: 40 }, rest))
    await redis.kill()
    for (const { status } of await under) expect([200, 503]).toContain(status)
    await expect.poll(async () => (await rest()).status).toBe(503)
    expect(await rest()).toMatchObject({ body: { ok: false, code: 503, error: 'limits cannot be counted at the moment' }, retryAfter: '1' })
    const items = [rpcRequest('getMasterchainInfo', {}, 1), rpcRequest('getMasterchainInfo', {}, 2)]
    const { status, body } = await post(`${tonway.url}/jsonRPC`, items)
    expect(status).toBe(200)
    for (const item of body as object[])
      expect(item).toMatchObject({ error: { code: -32053, data: { kind: 'UNAVAILABLE', retryAfter: 1 } } })
    const line = await openLine(tonway.wsUrl)
    expect(await line.ask(rpcRequest('getMasterchainInfo'))).toMatchObject({ error: { code: -32053 } })
    // What is not counted is served.
    expect((await ask(`${tonway.url}/health`)).status).toBe(200)
    const note = expect.stringMatching(/^calls with a limit get 503 until Redis is back: .*\(REDIS_URL\)$/)
    expect((await ask(`${tonway.url}/status`)).body).toMatchObject({ access: { limits: 'redis away', limits_trouble: note } })
    expect(await ask(`${tonway.url}/ready`)).toMatchObject({ status: 200, body: { ok: true, troubles: [], notes: [note] } })
    await redis.start()
    await expect.poll(async () => (await rest()).status).toBe(200)
    await expect.poll(() => line.ask(rpcRequest('getMasterchainInfo'))).toHaveProperty('result')
    line.socket.close()
  })

  it('/ready, /status and the command `status` tell that Redis is away and back, though no call is counted', async () => {
    await using tonway = await startTonway({ redisUrl: redis.url, blockTime: 0 })
    const { url } = tonway
    const text = 'limits are counted by this process alone until Redis is back'
    const outside = { headers: { 'X-Forwarded-For': '203.0.113.9' } }
    const shown = async () => {
      const { code, out } = await runWith((streams) => showStatus({ config: configOf(), flags: { url } }, streams))
      return { code, out: out.join('\n') }
    }
    const ready = async (init = {}) => (await ask<{ notes?: string[] }>(`${url}/ready`, init)).body
    expect(await ready()).not.toHaveProperty('notes')
    expect((await shown()).out).not.toContain('Redis')
    await redis.kill()
    await expect.poll(ready).toMatchObject({ ok: true, notes: [expect.stringMatching(`^${text}: .*ECONNREFUSED.* \\(REDIS_URL\\)$`)] })
    expect(await shown()).toMatchObject({ code: 0, out: expect.stringMatching(`^tonway .*\n${text}: .*ECONNREFUSED`) })
    expect(await ready(outside)).toMatchObject({ ok: true, notes: [text] })
    expect((await ask(`${url}/status`, outside)).body).toMatchObject({ access: { limits: 'redis away', limits_trouble: text } })
    expect((await ask(`${url}/metrics`)).text).toMatch(/^tonway_limits_up 0$/m)
    await redis.start()
    await expect.poll(ready).not.toHaveProperty('notes')
  })

  it('the service starts without Redis, and says what is wrong with it', async () => {
    const { log, lines, told } = logged()
    const url = 'redis://127.0.0.1:1'
    const limiter = await createRedisLimiter({ url, fail: 'open' }, { log, ticks, local: createMemoryLimiter(ticks) })
    expect(await limiter.take('k:never', 1, 1)).toBe(true)
    expect(lines).toEqual(['limits.redis_lost'])
    expect(told).toEqual([{ fail: 'open', reason: because('connect ECONNREFUSED 127\\.0\\.0\\.1:1') }])
    await limiter.close()
  })

  it('the log says that the Redis password is wrong, and not what it is', async () => {
    const { log, lines, told } = logged()
    const url = redis.url.replace('redis://', 'redis://nobody:hunter2@')
    const limiter = await createRedisLimiter({ url, fail: 'open' }, { log, ticks, local: createMemoryLimiter(ticks) })
    await expect.poll(() => lastAfterCall(limiter, lines)).toBe('limits.redis_lost')
    expect(told).toEqual([{ fail: 'open', reason: because('WRONGPASS') }])
    expect(inspect(told, { depth: 10, showHidden: true })).not.toContain('hunter2')
    await limiter.close()
  })
})
