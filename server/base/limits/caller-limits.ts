export const CALLER_LIMITS = {
  /** Open connections with events, of all keys of an owner or of an address. */
  sockets: 200,
  /** Subscriptions on one JSON-RPC socket. */
  subscriptions: 100,
  /** Addresses and hashes of one connection, in all its subscriptions together. */
  addresses: 1_000,
  /** Concurrent replays of past events of a caller, in each process. Replays in the queue count too. */
  replays: 100,
  /** Emulations per second, of all keys of an owner. An emulation that is answered from the cache does not count. */
  emulations: -1,
  /** Messages per second that all keys of an owner send to one account. */
  sends: -1,
} as const

/** Limits of a caller besides the rate limit in units. -1 means unlimited. */
export type CallerLimits = { readonly [name in keyof typeof CALLER_LIMITS]: number }

export const isOverLimit = (count: number, most: number): boolean => most >= 0 && count > most
