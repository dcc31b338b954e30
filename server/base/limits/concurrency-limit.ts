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
