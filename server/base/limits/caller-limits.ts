/** Limits of a caller besides the rate limit in units. -1 means unlimited. */
export interface CallerLimits {
  /** Open connections with events, of all keys of an owner or of an address. */
  readonly sockets: number
  /** Subscriptions on one JSON-RPC socket. */
  readonly subscriptions: number
  /** Addresses and hashes of one connection, in all its subscriptions together. */
  readonly addresses: number
  /** Concurrent replays of past events of a caller, in each process. Replays in the queue count too. */
  readonly replays: number
  /** Emulations per second, of all keys of an owner. An emulation that is answered from the cache does not count. */
  readonly emulations: number
  /** Messages per second that all keys of an owner send to one account. */
  readonly sends: number
}

export const CALLER_LIMITS: CallerLimits = {
  sockets: 200,
  subscriptions: 100,
  addresses: 1_000,
  replays: 100,
  emulations: -1,
  sends: -1,
}

export const isOverLimit = (count: number, most: number): boolean => most >= 0 && count > most
