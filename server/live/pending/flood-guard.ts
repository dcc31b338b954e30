import { Lru } from '../../base/memory/lru.ts'

/**
 * Maximum number of messages to one account that are emulated in `ms`: `taken` of those that the account accepts, `refused` of those that it refuses, which
 * anybody can send.
 */
const FLOOD = { taken: 20, refused: 200, ms: 10_000 } as const
const MAX_ACCOUNTS = 10_000

export const createFloodGuard = () => {
  const lately = new Lru<string, { readonly taken: readonly number[]; readonly refused: readonly number[] }>({
    max: MAX_ACCOUNTS,
    ttl: FLOOD.ms,
  })
  const since = (times: readonly number[] = []): number[] => times.filter((at) => at > performance.now() - FLOOD.ms)
  const of = (key: string) => {
    const times = lately.get(key)
    return { taken: since(times?.taken), refused: since(times?.refused) }
  }
  return {
    /** Counts a message as accepted. Returns false, without counting it, if the account got too many messages. */
    enter(key: string): boolean {
      const { taken, refused } = of(key)
      if (taken.length >= FLOOD.taken || refused.length >= FLOOD.refused) return false
      lately.set(key, { taken: [...taken, performance.now()], refused })
      return true
    },
    /** Counts a message as refused instead of accepted. */
    refuse(key: string): void {
      const { taken, refused } = of(key)
      lately.set(key, { taken: taken.slice(0, -1), refused: [...refused, performance.now()] })
    },
  }
}
