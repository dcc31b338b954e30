import { byteText } from '../../base/memory/byte-text.ts'
import { createGroups } from '../../base/memory/multi-map.ts'
import type { Cell } from '../../cell/cell.ts'
import type { AccountId } from '../../tlb/ids.ts'
import type { ExternalInput } from './model.ts'

export interface Accepted extends ExternalInput {
  /** Length of the message's BoC, bytes. */
  readonly bytes: number
  readonly at: number
  /** Unix milliseconds. */
  readonly acceptedAt: number
}

/**
 * An accepted message that waits for a block. The getter `message` may read and parse the message at each access, which takes up to 10 ms, so it is read
 * once, after a pause.
 */
export interface Waiting extends Accepted {
  /** `hashKey()` of the message. */
  readonly hash: string
}

/**
 * Limits of what stays in memory as cells: a number of messages, and bytes of their BoCs. More messages wait only if block production is slow or paused; their
 * cells are read from the chain's log.
 */
const MAX_IN_MEMORY = 512
const MAX_BYTES_IN_MEMORY = 4 << 20
/** Maximum BoC length of all messages: a restart parses them again, which takes 0.1 s for each MiB. */
const MAX_BYTES = 64 << 20

/** A waiting message. Without its cells in memory it takes 0.3 KB instead of 1.6 KB. */
class QueuedMessage implements Waiting {
  readonly at: number
  readonly acceptedAt: number
  readonly bytes: number
  readonly hash: string
  readonly dest: AccountId
  readonly #reader: (at: number) => ExternalInput
  readonly #inMemory: Cell | undefined

  /** `inMemory`: the message; undefined if it is read from the log. */
  constructor({ at, acceptedAt, bytes, message, dest }: Accepted, reader: (at: number) => ExternalInput, inMemory: Cell | undefined) {
    this.at = at
    this.acceptedAt = acceptedAt
    this.bytes = bytes
    this.hash = message.hashKey()
    this.dest = dest
    this.#reader = reader
    this.#inMemory = inMemory
  }
  get message(): Cell {
    return this.#inMemory ?? this.#reader(this.at).message
  }
}

const accountOf = ({ workchain, hash }: AccountId): string => `${workchain}:${byteText(hash, 'latin1')}`

/** Accepted external messages that wait for a block, in order of acceptance. A full mempool drops no message, and `add` does not check `hasRoom`. */
export const createMempool = (limit: number, read: (at: number) => ExternalInput) => {
  const waiting = new Map<string, QueuedMessage>()
  /** Delayed messages by hash: the end of the delay (unix ms) and its length (ms). */
  const deferred = new Map<string, { readonly until: number; readonly pause: number }>()
  const byAccount = createGroups<QueuedMessage>()
  let bytes = 0
  const put = (message: QueuedMessage): void => {
    waiting.set(message.hash, message)
    byAccount.add(accountOf(message.dest), message)
    bytes += message.bytes
  }
  const drop = (hash: string): QueuedMessage | undefined => {
    const message = waiting.get(hash)
    if (message === undefined) return undefined
    waiting.delete(hash)
    byAccount.delete(accountOf(message.dest), message)
    bytes -= message.bytes
    return message
  }
  const remove = (messages: readonly Waiting[]): void => {
    for (const { hash } of messages) {
      drop(hash)
      deferred.delete(hash)
    }
  }
  return {
    hasRoom: (): boolean => waiting.size < limit && bytes < MAX_BYTES,
    has: (hashKey: string): boolean => waiting.has(hashKey),
    add: (message: Accepted): void => {
      const staysInMemory = waiting.size < MAX_IN_MEMORY && bytes + message.bytes <= MAX_BYTES_IN_MEMORY
      put(new QueuedMessage(message, read, staysInMemory ? message.message : undefined))
    },
    /** The oldest messages that may go into a block at `now` (unix ms), at most `count`. */
    take: (count: number, now: number): readonly Waiting[] => {
      const taken: Waiting[] = []
      for (const [key, message] of waiting) {
        if (taken.length === count) break
        if ((deferred.get(key)?.until ?? 0) <= now) taken.push(message)
      }
      return taken
    },
    /** Moves a message to the end and delays it by `first` ms from `now` (unix ms). Each further delay of the same message is twice as long. */
    defer: (message: Waiting, now: number, first: number): void => {
      const key = message.hash
      const before = deferred.get(key)
      const pause = before ? before.pause * 2 : first
      deferred.set(key, { until: now + pause, pause })
      const dropped = drop(key)
      if (dropped !== undefined) put(dropped)
    },
    /** Time when the next message may be taken, unix ms (0: now); undefined if no message waits. */
    nextAt: (): number | undefined => {
      if (waiting.size > deferred.size) return 0
      let next: number | undefined
      for (const { until } of deferred.values()) next = Math.min(next ?? until, until)
      return next
    },
    remove,
    /** Removes and returns the messages accepted before `time` (unix ms). */
    expire: (time: number): readonly Waiting[] => {
      const old: Waiting[] = []
      for (const message of waiting.values()) if (message.acceptedAt < time) old.push(message)
      remove(old)
      return old
    },
    clear: (): void => {
      waiting.clear()
      byAccount.clear()
      deferred.clear()
      bytes = 0
    },
    size: (): number => waiting.size,
    /** Messages to an account, in order of acceptance. */
    waitingFor: (account: AccountId): readonly Waiting[] => byAccount.of(accountOf(account)),
    /** Log offsets of all waiting messages except those given. */
    placesWithout: (messages: readonly Waiting[]): number[] => {
      const left = new Set<Waiting>(messages)
      return [...waiting.values()].filter((message) => !left.has(message)).map(({ at }) => at)
    },
  }
}
export type Mempool = ReturnType<typeof createMempool>
