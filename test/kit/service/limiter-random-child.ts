import { setImmediate as turn } from 'node:timers/promises'
import { createMemoryLimiter } from '../../../server/access/limiter.ts'
import { createRedisLimiter } from '../../../server/access/redis-limiter.ts'
import { silentLog } from '../../../server/base/log.ts'
import { createRandom } from '../random.ts'
import { sleep } from '../wait.ts'
import { createOperations } from './limiter-model.ts'
import type { RandomOrder, RandomResult, Refusal } from './limiter-shared.ts'

/* A process that sends random operations to limits in Redis. Both of its clocks differ from those of the machine. It takes an order by IPC, and sends its result. */

/** Operations that are under way at a time. */
const AT_ONCE = 64
/** Buckets of each kind. */
const BUCKETS = 50

const run = async ({ url, seed, count, clock }: RandomOrder): Promise<RandomResult> => {
  const random = createRandom(seed)
  const operations = createOperations(seed)
  const wall = Date.now
  Date.now = () => wall() + clock
  const ticks = (): number => performance.now() + clock
  const limiter = await createRedisLimiter({ url, fail: 'closed' }, { log: silentLog, ticks, local: createMemoryLimiter(ticks) })
  const passed: Record<string, number> = {}
  const local: Refusal[] = []
  let failed = 0
  const one = async (): Promise<void> => {
    const { bucket: kind, limit, weight, done } = operations.next()
    const bucket = `${kind}:${random.below(BUCKETS)}`
    if (done) return limiter.charge(bucket, limit, weight)
    const at = wall()
    try {
      const answer = limiter.take(bucket, limit, weight)
      if (answer === false) local.push([bucket, limit, weight, at])
      else if (await answer) passed[bucket] = (passed[bucket] ?? 0) + 1
    } catch {
      failed++
    }
  }
  // Waits for the connection.
  await Promise.resolve(limiter.take('warm:up', 1, 1)).catch(() => {})
  for (let sent = 0; sent < count; sent += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - sent) }, one))
    if (random.chance(0.1)) await sleep(random.pick([1, 5, 20, 100, 300]))
    else await turn()
  }
  // Charges are answered by then: Redis answers in order.
  await Promise.resolve(limiter.take('warm:up', 1e6, 1)).catch(() => {})
  await limiter.close()
  return { passed, local, failed }
}

process.once('message', async (order: RandomOrder) => {
  process.send!(await run(order), () => process.exit(0))
})
