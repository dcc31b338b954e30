import { createConcurrencyLimit } from '../../base/limits/concurrency-limit.ts'
import { Lru } from '../../base/memory/lru.ts'

/**
 * Maximum number of messages that one account accepts in `ms` and that are followed, and of messages to it that wait for their emulation. Messages that it
 * refuses do not count, because anybody can send them, and they would hide the messages of its owner. Their emulations are bounded by other limits: of one
 * account one runs at a time, of all accounts a few, and a caller may send a number of messages a second.
 */
const FLOOD = { accepted: 20, ms: 10_000, waiting: 100 } as const
const MAX_ACCOUNTS = 10_000

export const createFloodGuard = () => {
  const accepted = new Lru<string, readonly number[]>({ max: MAX_ACCOUNTS, ttl: FLOOD.ms })
  const waiting = createConcurrencyLimit()
  const lately = (key: string): readonly number[] => (accepted.get(key) ?? []).filter((at) => at > performance.now() - FLOOD.ms)
  return {
    /** Returns whether the account accepted so many messages lately that no more are followed. */
    isFlooded: (key: string): boolean => lately(key).length >= FLOOD.accepted,
    accept(key: string): void {
      accepted.set(key, [...lately(key), performance.now()])
    },
    /** Counts a message that waits for its emulation, until the returned function is called. Returns undefined, without counting it, if too many wait. */
    enter(key: string): (() => void) | undefined {
      const leave = waiting.acquire(key, FLOOD.waiting)
      return typeof leave === 'function' ? leave : undefined
    },
  }
}
