import { LRUCache } from 'lru-cache'

/* How much gas somebody used lately. It fades: half of it is forgotten every HALF_LIFE milliseconds. */

const HALF_LIFE = 2_000
/** Names that are remembered; a name that is forgotten begins with nothing. */
const MOST = 10_000

/** Of the mean of a job's gas, how much the last job counts. */
const LAST = 0.3

interface Entry {
  readonly at: number
  readonly gas: number
  readonly mean: number
}

/** Gas used lately, by name. */
export interface Usage {
  /** Gas, as far as it is not forgotten. */
  of(name: string): number
  /** Gas that one of its jobs takes, by the last ones; undefined where none is known. */
  meanOf(name: string): number | undefined
  add(name: string, gas: number): void
}

/** `now`: milliseconds that never go back. */
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
