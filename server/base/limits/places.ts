import { setTimeout as sleep } from 'node:timers/promises'
import { isOverLimit } from './caller-limits.ts'

/** Places that clients hold: connections, or replays. */
export interface Places {
  /** Takes a place of a client and returns a function that gives it back, or the number of its places if it holds `most` already. */
  enter(client: string, most: number): (() => void) | number
}

/** Places whose `enter` waits a moment: a client that reconnects may come before its old connection is gone. */
export interface PatientPlaces {
  enter(client: string, most: number): Promise<(() => void) | number>
}

/** How long to wait for a place, and how often to look (ms). */
const PATIENCE_MS = 400
const LOOK_MS = 20

export const patientPlaces = (places: Places): PatientPlaces => ({
  async enter(client, most) {
    for (let waited = 0; ; waited += LOOK_MS) {
      const entered = places.enter(client, most)
      if (typeof entered === 'function' || waited >= PATIENCE_MS) return entered
      await sleep(LOOK_MS)
    }
  },
})

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
