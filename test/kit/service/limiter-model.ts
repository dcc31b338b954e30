import { createMemoryLimiter } from '../../../server/access/limiter.ts'
import { TICKS } from '../../../server/access/window.ts'
import { createRandom } from '../random.ts'

/** The rule in its simplest form: stores every passed unit with its tick, and counts those of the last second. */
export const createModel = () => {
  const passed = new Map<string, { readonly tick: number; readonly units: number }[]>()
  const recentOf = (bucket: string, tick: number) => (passed.get(bucket) ?? []).filter((entry) => tick - entry.tick <= TICKS)
  const charge = (bucket: string, tick: number, limit: number, units: number): void => {
    passed.set(bucket, [...recentOf(bucket, tick), { tick, units: Math.min(units, limit) }])
  }
  const fits = (bucket: string, tick: number, limit: number, weight: number): boolean =>
    limit > 0 && recentOf(bucket, tick).reduce((sum, entry) => sum + entry.units, 0) + Math.min(weight, limit) <= limit
  return {
    charge,
    fits,
    take(bucket: string, tick: number, limit: number, weight: number): boolean {
      const isTaken = fits(bucket, tick, limit, weight)
      if (isTaken) charge(bucket, tick, limit, weight)
      return isTaken
    },
  }
}

export interface Operation {
  readonly bucket: string
  readonly limit: number
  readonly weight: number
  /** Whether the call is charged after the fact. */
  readonly done: boolean
}

/**
 * Operations of a seed, with their clock in milliseconds. The clock mostly advances a little. Sometimes it advances a lot, stands still or goes back.
 */
export const createOperations = (seed: number) => {
  const { fraction: random, pick } = createRandom(seed)
  let clock = random() * 1e6
  return {
    now: () => clock,
    next(): Operation {
      const chance = random()
      if (chance < 0.55) clock += random() * 0.5
      else if (chance < 0.8) clock += random() * 40
      else if (chance < 0.9) clock += pick([0, 0.1, 999.9, 1000, 1000.1, 2000])
      else if (chance < 0.95) clock -= random() * pick([1, 500, 5000])
      else if (chance < 0.96) clock += random() * 1e5
      const kind = Math.floor(random() * 12)
      const limit = [1, 1, 2, 3, 10, 10, 25, 100, 100, 1000, 5, 0][kind]!
      return { bucket: `${kind % 2 ? 'a' : 'k'}:${kind}`, limit, weight: pick([1, 1, 1, 1, 2, 3, 7, 150]), done: random() < 0.1 }
    },
  }
}

/** The ticks of a clock. If the clock goes back, it counts as standing still. */
export const createTicker = (now: () => number): (() => number) => {
  let behind = 0
  let last = Math.floor(now() * (TICKS / 1000))
  return () => {
    const told = Math.floor(now() * (TICKS / 1000))
    if (told + behind < last) behind = last - told
    last = told + behind
    return last
  }
}

/** A clock of milliseconds that never goes back. */
export const monotonic = (tick: () => number) => (): number => (tick() + 0.5) / (TICKS / 1000)

/** Calls the limiter and its model with so many operations of a seed. Returns how often they differ. */
export const countMismatches = (seed: number, count: number): number => {
  const operations = createOperations(seed)
  const tick = createTicker(operations.now)
  const limiter = createMemoryLimiter(monotonic(tick))
  const model = createModel()
  let mismatches = 0
  for (let i = 0; i < count; i++) {
    const { bucket, limit, weight, done } = operations.next()
    if (done) {
      limiter.charge(bucket, limit, weight)
      model.charge(bucket, tick(), limit, weight)
    } else if (limiter.take(bucket, limit, weight) !== model.take(bucket, tick(), limit, weight)) mismatches++
  }
  return mismatches
}
