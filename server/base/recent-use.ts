import { Lru } from './memory/lru.ts'

/* Recent use by each client, in gas or milliseconds. The amount halves in each half-life. */

/** Maximum number of names in memory. A dropped name starts again at zero. */
const MAX_NAMES = 10_000

const LAST = 0.3

/** `halfLife` in milliseconds; `now` returns monotonic milliseconds. */
export const createUsage = (halfLife: number, now: () => number) => {
  const used = new Lru<string, { readonly at: number; readonly cost: number; readonly mean: number }>({ max: MAX_NAMES })
  /** The decayed sum of costs. `at`: time at which it is computed; pass it when clients are compared. */
  const of = (name: string, at = now()): number => {
    // `peek` is used because `get` would move the entry in the cache: this is called for every waiting client each time a job can start.
    const entry = used.peek(name)
    return entry === undefined ? 0 : entry.cost * 2 ** ((entry.at - at) / halfLife)
  }
  return {
    of,
    /** Moving mean of the costs of the client's jobs; undefined before its first job. */
    meanOf: (name: string): number | undefined => used.peek(name)?.mean,
    add(name: string, cost: number): void {
      const before = used.peek(name)?.mean ?? cost
      used.set(name, { at: now(), cost: of(name) + cost, mean: before + (cost - before) * LAST })
    },
  }
}
