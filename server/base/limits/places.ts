import { isOverLimit } from './caller-limits.ts'

/** Places that clients hold: connections, or replays. */
export interface Places {
  /** Takes a place of a client and returns a function that gives it back, or the number of its places if it holds `most` already. */
  enter(client: string, most: number): (() => void) | number
}

/** The same if another process may count. */
export interface SharedPlaces {
  enter(client: string, most: number): (() => void) | number | Promise<(() => void) | number>
}

export const createPlaces = (): Places => {
  const counts = new Map<string, number>()
  const of = (client: string): number => counts.get(client) ?? 0
  return {
    enter(client, most) {
      if (isOverLimit(of(client) + 1, most)) return of(client)
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
