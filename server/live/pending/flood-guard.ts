/**
 * Maximum number of messages to one account that are emulated in `ms`: `taken` of those that the account accepts, `refused` of those that it refuses, which
 * anybody can send.
 */
const FLOOD = { taken: 20, refused: 200, ms: 10_000 } as const
const MAX_ACCOUNTS = 10_000

interface FloodGuard {
  /** Counts a message as accepted. Returns false, without counting it, if the account got too many messages. */
  enter(key: string): boolean
  /** Counts a message as refused instead of accepted. */
  refuse(key: string): void
}

export const createFloodGuard = (): FloodGuard => {
  const lately = new Map<string, { readonly taken: number[]; readonly refused: number[] }>()
  const since = (times: readonly number[]): number[] => times.filter((at) => at > performance.now() - FLOOD.ms)
  const of = (key: string) => {
    const times = lately.get(key)
    return { taken: since(times?.taken ?? []), refused: since(times?.refused ?? []) }
  }
  /**
   * Deletes accounts from the front of the map, which had no message for the longest time. An account stays while its messages still count, unless the map
   * is too large.
   */
  const forget = (): void => {
    for (const [key, { taken, refused }] of lately) {
      if (lately.size <= MAX_ACCOUNTS && since([...taken, ...refused]).length > 0) return
      lately.delete(key)
    }
  }
  const put = (key: string, taken: number[], refused: number[]): void => {
    lately.delete(key)
    lately.set(key, { taken, refused })
    forget()
  }
  return {
    enter(key) {
      const { taken, refused } = of(key)
      if (taken.length >= FLOOD.taken || refused.length >= FLOOD.refused) return false
      put(key, [...taken, performance.now()], refused)
      return true
    },
    refuse(key) {
      const { taken, refused } = of(key)
      put(key, taken.slice(0, -1), [...refused, performance.now()])
    },
  }
}
