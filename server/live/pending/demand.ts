import { LRUCache } from 'lru-cache'
import type { Hub } from '../hub.ts'

/*
 * Accounts and messages whose traces are followed before they are final: a listener of the hub subscribes to them, or a recent request to a pending
 * endpoint contained them.
 */

/** How long a request counts as demand (ms), and the maximum number of accounts and hashes that are remembered. */
const LATELY = { ms: 10_000, names: 10_000 } as const

export type Demand = ReturnType<typeof createDemand>

export const createDemand = (hub: Pick<Hub, 'isWatched' | 'hasEarlyListeners'>) => {
  const requested = new LRUCache<string, true>({ max: LATELY.names, ttl: LATELY.ms })
  let lastRequest = Number.NEGATIVE_INFINITY
  return {
    /**
     * Records a request for pending traces of these accounts (raw addresses) or messages (base64). Returns whether any of these names is new among the recent
     * requests.
     */
    ask(accounts: readonly string[], hashes: readonly string[]): boolean {
      lastRequest = performance.now()
      const names = [...accounts, ...hashes]
      const isNew = !names.every((name) => requested.has(name))
      for (const name of names) requested.set(name, true)
      return isNew
    },
    isAny: (): boolean => hub.hasEarlyListeners() || performance.now() - lastRequest < LATELY.ms,
    has: (accounts: readonly string[], hashes: readonly string[]): boolean =>
      hub.isWatched(accounts, hashes) || [...accounts, ...hashes].some((name) => requested.has(name)),
  }
}
