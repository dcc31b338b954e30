import type { ExternalInput } from './model.ts'

/** A message that was accepted and waits for a block. */
export interface Waiting extends ExternalInput {
  /** Where the log keeps it. */
  readonly at: number
  /** Unix milliseconds. */
  readonly acceptedAt: number
}

/** External messages between their acceptance and their block, in the order of their acceptance. Nothing is lost but by expiry. */
export interface Mempool {
  /** Whether another one fits. */
  hasRoom(): boolean
  has(hashKey: string): boolean
  add(message: Waiting): void
  /** The oldest that may go into a block at `now` (unix milliseconds), at most `limit`. */
  take(limit: number, now: number): readonly Waiting[]
  /** Puts a message behind the others, not to be taken before `until`; each time it waits twice as long as `pause` says. */
  defer(message: Waiting, now: number, pause: number): void
  /** When the next one may be taken (0: now); undefined when none waits. */
  nextAt(): number | undefined
  remove(messages: readonly Waiting[]): void
  /** Removes and returns those accepted before `time`. */
  expire(time: number): readonly Waiting[]
  clear(): void
  size(): number
  /** Places of all that wait but those given. */
  placesWithout(messages: readonly Waiting[]): number[]
}

export const createMempool = (limit: number): Mempool => {
  const waiting = new Map<string, Waiting>()
  /** Those put off: until when, and for how long the last time. */
  const deferred = new Map<string, { readonly until: number; readonly pause: number }>()
  const remove = (messages: readonly Waiting[]): void => {
    for (const { message } of messages) {
      waiting.delete(message.hashKey())
      deferred.delete(message.hashKey())
    }
  }
  return {
    hasRoom: () => waiting.size < limit,
    has: (hashKey) => waiting.has(hashKey),
    add: (message) => {
      waiting.set(message.message.hashKey(), message)
    },
    take: (count, now) => {
      const taken: Waiting[] = []
      for (const [key, message] of waiting) {
        if (taken.length === count) break
        if ((deferred.get(key)?.until ?? 0) <= now) taken.push(message)
      }
      return taken
    },
    defer: (message, now, first) => {
      const key = message.message.hashKey()
      const before = deferred.get(key)
      const pause = before ? before.pause * 2 : first
      deferred.set(key, { until: now + pause, pause })
      waiting.delete(key)
      waiting.set(key, message)
    },
    nextAt: () => {
      if (waiting.size > deferred.size) return 0
      let next: number | undefined
      for (const { until } of deferred.values()) next = Math.min(next ?? until, until)
      return next
    },
    remove,
    expire: (time) => {
      const old: Waiting[] = []
      for (const message of waiting.values()) if (message.acceptedAt < time) old.push(message)
      remove(old)
      return old
    },
    clear: () => {
      waiting.clear()
      deferred.clear()
    },
    size: () => waiting.size,
    placesWithout: (messages) => {
      const left = new Set(messages)
      return [...waiting.values()].filter((message) => !left.has(message)).map(({ at }) => at)
    },
  }
}
