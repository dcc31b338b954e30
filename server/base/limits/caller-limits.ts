/** Limits of a caller besides the units of its calls; -1: any number. */
export interface CallerLimits {
  /** Connections with events, of an owner's keys or of an address. */
  readonly sockets: number
  /** Subscriptions of one JSON-RPC socket. */
  readonly subscriptions: number
  /** Addresses and hashes of one connection, all its subscriptions together. */
  readonly addresses: number
  /** Subscriptions of a caller that get past events at a time, in each process. Those that wait for their turn count too. */
  readonly replays: number
  /** Emulations in a second, of an owner's keys. An emulation that a cached answer serves does not count. */
  readonly emulations: number
  /** Messages that an owner's keys send to one account in a second. */
  readonly sends: number
}

/** Limits of a caller without limits of its own. */
export const CALLER_LIMITS: CallerLimits = {
  sockets: 200,
  subscriptions: 100,
  addresses: 1_000,
  replays: 100,
  emulations: -1,
  sends: -1,
}

/** Whether a count is over a limit. */
export const isOverLimit = (count: number, most: number): boolean => most >= 0 && count > most
