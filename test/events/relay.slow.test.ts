import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Log, silentLog } from '../../server/base/log.ts'
import { createRelay } from '../../server/live/pending/redis-relay.ts'
import { freePort } from '../kit/free-port.ts'
import { redisMissing, startRedis, type TestRedis } from '../kit/service/redis.ts'
import { until } from '../kit/wait.ts'

/* What processes tell each other by Redis of the messages that were sent. */

const logged = (): { readonly log: Log; readonly lines: string[] } => {
  const lines: string[] = []
  const say = (event: string, { reason }: { readonly reason?: string } = {}): void =>
    void lines.push(reason === undefined ? event : `${event}: ${reason}`)
  return { log: { debug: say, info: say, warn: say, error: say }, lines }
}
const nothing = async (): Promise<void> => {}

it('a relay whose Redis was never there says so once', async () => {
  const { log, lines } = logged()
  const relay = createRelay({ url: `redis://127.0.0.1:${await freePort()}`, chain: 'none', onMessage: nothing, log })
  await until(() => lines.length > 0)
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect([lines, relay.isWell()]).toEqual([[expect.stringMatching(/^pending\.redis_lost: .*ECONNREFUSED.* \(REDIS_URL\)$/)], false])
  relay.close()
})

describe.skipIf(redisMissing !== undefined)('messages by Redis', () => {
  let redis: TestRedis
  let asker: Redis
  const open: ReturnType<typeof createRelay>[] = []
  beforeAll(async () => {
    redis = await startRedis()
    asker = new Redis(redis.url)
  })
  afterAll(async () => {
    for (const relay of open) relay.close()
    asker?.disconnect()
    await redis?.close()
  })
  const relayOf = async (chain: string, onMessage: (boc: Uint8Array) => Promise<void>, log = silentLog) => {
    const relay = createRelay({ url: redis.url, chain, onMessage, log })
    open.push(relay)
    await until(relay.isWell)
    return relay
  }

  it('a burst of messages waits in Redis while many are worked on, and all of them come, in order', async () => {
    const seen: number[] = []
    const ends: (() => void)[] = []
    const { log, lines } = logged()
    const sender = await relayOf('burst', nothing)
    await relayOf(
      'burst',
      (boc) => {
        seen.push(boc[0]!)
        return new Promise((resolve) => ends.push(resolve))
      },
      log,
    )
    for (let i = 0; i < 200; i++) sender.sent(Uint8Array.of(i))
    await until(() => ends.length > 0)
    let most = 0
    while (seen.length < 200) {
      await new Promise(setImmediate)
      most = Math.max(most, ends.length)
      ends.shift()?.()
    }
    for (const end of ends) end()
    expect(seen).toEqual(Array.from({ length: 200 }, (_, i) => i))
    expect(most).toBeLessThanOrEqual(32)
    expect(lines).toEqual([])
  })

  it('messages that a full Redis refuses are told after the next one that it takes, on the same connection', async () => {
    const seen: number[] = []
    const sender = await relayOf('full', nothing)
    await relayOf('full', async (boc) => void seen.push(boc[0]!))
    await asker.config('SET', 'maxmemory', '1')
    sender.sent(Uint8Array.of(1))
    await until(async () => ((await asker.info('errorstats')).match(/errorstat_OOM:count=(\d+)/)?.[1] ?? '0') !== '0')
    await asker.config('SET', 'maxmemory', '0')
    sender.sent(Uint8Array.of(2))
    await until(() => seen.length === 2)
    expect(seen).toEqual([2, 1])
  })

  it('a Redis that goes while its messages are read is named with the fault of the connection', async () => {
    const passing = await startRedis()
    const { log, lines } = logged()
    const relay = createRelay({ url: passing.url, chain: 'passing', onMessage: nothing, log })
    await until(relay.isWell)
    await passing.close()
    await until(() => lines.length > 0)
    relay.close()
    expect(lines).toEqual([expect.stringMatching(/^pending\.redis_lost: connect ECONNREFUSED .* \(REDIS_URL\)$/)])
  })

  it('a Redis that falls silent counts as away, and what was sent meanwhile is told when it answers', { timeout: 60_000 }, async () => {
    const seen: number[] = []
    const sender = await relayOf('silent', nothing)
    const receiver = await relayOf('silent', async (boc) => void seen.push(boc[0]!))
    const pid = redis.pid()
    process.kill(pid, 'SIGSTOP')
    try {
      sender.sent(Uint8Array.of(7))
      await until(() => !receiver.isWell())
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await until(() => seen.includes(7))
    await until(receiver.isWell)
  })
})
