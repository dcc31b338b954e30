import { createMemoryLimiter } from '../../../server/access/limiter.ts'
import { createRedisLimiter } from '../../../server/access/redis-limiter.ts'
import { silentLog } from '../../../server/base/log.ts'

/*
 * A process that offers calls to a limit in Redis: `node limiter-child.js <url> <bucket> <limit> <calls a second> <milliseconds>`. Starts at a line
 * on standard input. Writes JSON: when each passed call was asked and answered (unix milliseconds), and the number of refused calls.
 */
const [url, bucket, ...numbers] = process.argv.slice(2)
const [limit, rate, duration] = numbers.map(Number)
const ticks = (): number => performance.now()
const limiter = await createRedisLimiter({ url: url!, fail: 'closed' }, { log: silentLog, ticks, local: createMemoryLimiter(ticks) })
const wall = (): number => performance.timeOrigin + performance.now()

const passed: (readonly [asked: number, answered: number])[] = []
let refused = 0
const offer = async (): Promise<void> => {
  const asked = wall()
  // On a machine that is too slow for Redis to answer in time, the call counts as refused.
  const fits = await Promise.resolve()
    .then(() => limiter.take(bucket!, limit!, 1))
    .catch(() => false)
  if (fits) passed.push([asked, wall()])
  else refused++
}

await Promise.resolve()
  .then(() => limiter.take('warm:up', 1, 1))
  .catch(() => false)
process.stdout.write('ready\n')
process.stdin.once('data', async () => {
  const began = performance.now()
  const running: Promise<void>[] = []
  await new Promise<void>((resolve) => {
    let offered = 0
    const timer = setInterval(() => {
      const passedTime = performance.now() - began
      for (; offered < (Math.min(passedTime, duration!) * rate!) / 1000; offered++) running.push(offer())
      if (passedTime < duration!) return
      clearInterval(timer)
      resolve()
    }, 2)
  })
  await Promise.all(running)
  process.stdout.write(`${JSON.stringify({ passed, refused })}\n`)
  await limiter.close()
  process.exit(0)
})
