import { formatRaw } from '../../../shared/fields/address.ts'
import type { Cell } from '../../cell/cell.ts'
import type { AccountId } from '../../tlb/ids.ts'
import type { ExternalInput } from './model.ts'

/** An accepted message that waits for a block. */
export interface Waiting extends ExternalInput {
  readonly at: number
  /** Unix milliseconds. */
  readonly acceptedAt: number
}

/** Accepted external messages that wait for a block, in order of acceptance. Only expiry drops a message. */
export interface Mempool {
  /** Whether another one fits. */
  hasRoom(): boolean
  has(hashKey: string): boolean
  add(message: Waiting): void
  /** The oldest messages that may go into a block at `now` (unix ms), at most `limit`. */
  take(limit: number, now: number): readonly Waiting[]
  /** Moves a message behind the others and delays it by `pause` ms from `now` (unix ms). Each further delay of it is twice as long. */
  defer(message: Waiting, now: number, pause: number): void
  /** When the next message may be taken, unix ms (0: now); undefined if none waits. */
  nextAt(): number | undefined
  remove(messages: readonly Waiting[]): void
  /** Removes and returns the messages accepted before `time` (unix ms). */
  expire(time: number): readonly Waiting[]
  clear(): void
  size(): number
  /** Messages to an account, in the order of their acceptance. */
  waitingFor(dest: AccountId): readonly Cell[]
  /** Log offsets of all waiting messages except those given. */
  placesWithout(messages: readonly Waiting[]): number[]
}

export const createMempool = (limit: number): Mempool => {
  const waiting = new Map<string, Waiting>()
  /** Delayed messages by hash: the end of the delay (unix ms) and its length (ms). */
  const deferred = new Map<string, { readonly until: number; readonly pause: number }>()
  /** The same messages by their accounts. */
  const byAccount = new Map<string, Set<Waiting>>()
  const put = (message: Waiting): void => {
    waiting.set(message.message.hashKey(), message)
    const name = formatRaw(message.dest, 'lower')
    const others = byAccount.get(name)
    if (others === undefined) byAccount.set(name, new Set([message]))
    else others.add(message)
  }
  const drop = (hashKey: string): void => {
    const message = waiting.get(hashKey)
    if (message === undefined) return
    waiting.delete(hashKey)
    const name = formatRaw(message.dest, 'lower')
    const others = byAccount.get(name)
    others?.delete(message)
    if (others?.size === 0) byAccount.delete(name)
  }
  const remove = (messages: readonly Waiting[]): void => {
    for (const { message } of messages) {
      drop(message.hashKey())
      deferred.delete(message.hashKey())
    }
  }
  return {
    hasRoom: () => waiting.size < limit,
    has: (hashKey) => waiting.has(hashKey),
    add: put,
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
      drop(key)
      put(message)
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
      byAccount.clear()
      deferred.clear()
    },
    size: () => waiting.size,
    waitingFor: (account) => Array.from(byAccount.get(formatRaw(account, 'lower')) ?? [], ({ message }) => message),
    placesWithout: (messages) => {
      const left = new Set(messages)
      return [...waiting.values()].filter((message) => !left.has(message)).map(({ at }) => at)
    },
  }
}
