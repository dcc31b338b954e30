/** Limits on the events of a caller; -1: any number. Connections and replays are counted in each process. */
export interface EventLimits {
  /** Connections that are told events, of an owner's keys or of an address. */
  readonly sockets: number
  /** Subscriptions of one JSON-RPC socket. */
  readonly subscriptions: number
  /** Addresses and hashes of one connection, all its subscriptions together. */
  readonly addresses: number
  /** Subscriptions of a caller that are told what happened before, at a time; those that wait for their turn are counted too. */
  readonly replays: number
}

/** Limits of a caller of whom nothing else is said. */
export const EVENT_LIMITS: EventLimits = { sockets: 200, subscriptions: 100, addresses: 1_000, replays: 100 }

/** Whether a count is over a limit. */
export const isOverLimit = (count: number, most: number): boolean => most >= 0 && count > most

/** Places that clients hold: connections, or replays. */
export interface Places {
  /** Takes a place of a client and returns what gives it back; undefined if it holds `most` already. */
  enter(client: string, most: number): (() => void) | undefined
  /** How many a client holds. */
  of(client: string): number
}

export const createPlaces = (): Places => {
  const counts = new Map<string, number>()
  const of = (client: string): number => counts.get(client) ?? 0
  return {
    of,
    enter(client, most) {
      if (isOverLimit(of(client) + 1, most)) return undefined
      counts.set(client, of(client) + 1)
      let isIn = true
      return () => {
        if (!isIn) return
        isIn = false
        if (of(client) > 1) counts.set(client, of(client) - 1)
        else counts.delete(client)
      }
    },
  }
}
