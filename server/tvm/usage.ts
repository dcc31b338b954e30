import { LRUCache } from 'lru-cache'

/* Recent gas usage by name. It decays: every HALF_LIFE milliseconds it is halved. */

const HALF_LIFE = 2_000
/** Most names that are kept. A dropped name starts again at zero. */
const MOST = 10_000

/** Weight of the last job in the moving mean of a job's gas. */
const LAST = 0.3

interface Entry {
  readonly at: number
  readonly gas: number
  readonly mean: number
}

/** Recent gas usage by name. */
export interface Usage {
  /** The decayed sum of gas. */
  of(name: string): number
  /** Moving mean of the gas of its jobs; undefined if there were none. */
  meanOf(name: string): number | undefined
  add(name: string, gas: number): void
}

/** `now` returns monotonic milliseconds. */
export const createUsage = (now: () => number): Usage => {
  const used = new LRUCache<string, Entry>({ max: MOST })
  const of = (name: string): number => {
    const entry = used.get(name)
    return entry === undefined ? 0 : entry.gas * 2 ** ((entry.at - now()) / HALF_LIFE)
  }
  return {
    of,
    meanOf: (name) => used.get(name)?.mean,
    add(name, gas) {
      const before = used.get(name)?.mean ?? gas
      used.set(name, { at: now(), gas: of(name) + gas, mean: before + (gas - before) * LAST })
    },
  }
}
