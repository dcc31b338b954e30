import { setTimeout as sleep } from 'node:timers/promises'
import { isOverLimit } from './caller-limits.ts'

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>

export const createConcurrencyLimit = () => {
  const counts = new Map<string, number>()
  const of = (client: string): number => counts.get(client) ?? 0
  return {
    /** Acquires a slot for a client and returns a function that frees it. If the client already has `most` slots, returns their number. */
    acquire(client: string, most: number): (() => void) | number {
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

/** Maximum wait for a slot, and the interval of attempts (ms). */
const PATIENCE_MS = 400
const LOOK_MS = 20

export type PatientLimit = ReturnType<typeof withPatience>

/** A limit whose `acquire` waits for a moment, because a client that reconnects may arrive before its old connection is closed. */
export const withPatience = (limit: ConcurrencyLimit) => ({
  async acquire(client: string, most: number): Promise<(() => void) | number> {
    for (let waited = 0; ; waited += LOOK_MS) {
      const acquired = limit.acquire(client, most)
      if (typeof acquired === 'function' || waited >= PATIENCE_MS) return acquired
      await sleep(LOOK_MS)
    }
  },
})
