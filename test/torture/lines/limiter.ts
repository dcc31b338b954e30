import { countMismatches } from '../../kit/service/limiter-model.ts'
import { countSharedMismatches } from '../../kit/service/limiter-shared.ts'
import { redisMissing, startRedis } from '../../kit/service/redis.ts'
import type { Line } from '../line.ts'

/* The limiter is compared with its model: in memory, with a random clock; and in Redis, where four processes with clocks of their own count together. */

const OPERATIONS = 100_000
const QUICK_OPERATIONS = 20_000
/** Operations of one seed in memory. Each seed has a model of its own. */
const PER_SEED = 10_000
/** Each round of this number is one with Redis. */
const SHARED = 4

const countInMemory = (seed: number, operations: number): number => {
  let mismatches = 0
  for (let done = 0; done < operations; done += PER_SEED) mismatches += countMismatches((seed + done) >>> 0, PER_SEED)
  return mismatches
}

const countInRedis = async (seed: number, operations: number): Promise<number> => {
  const redis = await startRedis()
  try {
    return await countSharedMismatches(redis.url, seed, operations)
  } finally {
    await redis.close()
  }
}

export const LIMITER: Line = {
  what: 'the limiter is compared with its model: with random clocks, and with four processes in Redis',
  perScene: 1,
  quick: 1,
  total: 100,
  each: { count: OPERATIONS, unit: 'operations' },
  missing: redisMissing,
  open: async (random, isQuick) => ({
    async round(number) {
      const operations = isQuick ? QUICK_OPERATIONS : OPERATIONS
      const seed = random.below(2 ** 32)
      const mismatches = number % SHARED === 0 ? await countInRedis(seed, operations) : countInMemory(seed, operations)
      if (mismatches > 0) throw new Error(`${mismatches} of ${operations} operations`)
    },
    finish: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }),
}
