import { LRUCache } from 'lru-cache'
import type { Hub } from '../hub.ts'

/* What somebody wants to know of before it is final: listeners of the hub, and those who asked for pending traces lately. */

/** How long a question counts, ms, and accounts and hashes that are remembered. */
const LATELY = { ms: 10_000, names: 10_000 } as const

export interface Demand {
  /** Somebody asks for pending traces of these accounts (raw addresses) or messages (base64). Returns whether nobody asked for one of them lately. */
  ask(accounts: readonly string[], hashes: readonly string[]): boolean
  /** Whether somebody wants to know of anything. */
  isAny(): boolean
  /** Whether somebody wants to know of one of these. */
  has(accounts: readonly string[], hashes: readonly string[]): boolean
}

export const createDemand = (hub: Pick<Hub, 'isWatched' | 'isEarlyWanted'>): Demand => {
  const asked = new LRUCache<string, true>({ max: LATELY.names, ttl: LATELY.ms })
  let lastAsked = Number.NEGATIVE_INFINITY
  return {
    ask(accounts, hashes) {
      lastAsked = performance.now()
      const names = [...accounts, ...hashes]
      const isNew = !names.every((name) => asked.has(name))
      for (const name of names) asked.set(name, true)
      return isNew
    },
    isAny: () => hub.isEarlyWanted() || performance.now() - lastAsked < LATELY.ms,
    has: (accounts, hashes) => hub.isWatched(accounts, hashes) || [...accounts, ...hashes].some((name) => asked.has(name)),
  }
}
