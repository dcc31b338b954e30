import { createByteBudget, type Holder } from '../limits/byte-budget.ts'
import type { Carrier, Chunk } from './chunk.ts'

/*
 * Counts all bytes that clients have not read yet: HTTP bodies, answers on WebSockets, events. They stay in this process's memory, so they are limited per
 * connection and in total. Above the total limit the slowest readers are cut off first.
 */

export interface UnreadLimits {
  /** Maximum number of unread bytes per connection, and in total. */
  readonly ofConnection: number
  readonly ofAll: number
  /** Maximum time (ms) without progress of a reader. */
  readonly patience: number
  /** Time (ms) for which the new reader of a body cannot be cut off. */
  readonly grace: number
}

/** @internal */
export const UNREAD_LIMITS: UnreadLimits = { ofConnection: 64 << 20, ofAll: 256 << 20, patience: 30_000, grace: 1_000 }

/** A reader: the body of a response, a WebSocket, or an event stream. */
export interface Reader extends Holder {
  readonly connection: object
}

export interface Unread {
  readonly limits: UnreadLimits
  /** Unread bytes of all readers. A chunk that several readers share counts once. */
  bytes(): Readonly<Record<Carrier, number>>
  add(reader: Reader): void
  remove(reader: Reader): void
  /** Counts a chunk as unread by a reader. */
  hold(reader: Reader, chunk: Chunk): void
  /** Ends the counting of a chunk for a reader, because it was read or dropped. */
  release(reader: Reader, chunk: Chunk): void
  /** Unread bytes of all other readers on the same connection. */
  besides(reader: Reader): number
  /** Cuts off slower readers until this many more bytes fit. Returns false if they do not fit. */
  makeRoom(bytes: number, reader: Reader): boolean
}

/** Bytes of a queue entry. A shared chunk counts once, but each reader has its own queue entry for it. */
const PLACE = 64

export const createUnread = (limits: UnreadLimits = UNREAD_LIMITS): Unread => {
  const budget = createByteBudget<Reader>(limits.ofAll)
  const waiting: Record<Carrier, number> = { http: 0, websocket: 0, events: 0 }
  const count = (reader: Reader, { carrier, bytes: { length } }: Chunk, sign: 1 | -1, isShared: boolean): void => {
    if (!budget.holders.has(reader)) return
    const ofAll = sign * (isShared ? PLACE : length + PLACE)
    waiting[carrier] += ofAll
    budget.count(reader, sign * (length + PLACE), ofAll)
  }
  return {
    limits,
    bytes: () => ({ ...waiting }),
    add: budget.add,
    remove: budget.remove,
    hold: (reader, chunk) => count(reader, chunk, 1, chunk.readers++ > 0),
    release: (reader, chunk) => count(reader, chunk, -1, --chunk.readers > 0),
    besides(reader) {
      let sum = -reader.bytes
      for (const each of budget.holders) if (each.connection === reader.connection) sum += each.bytes
      return sum
    },
    makeRoom: budget.makeRoom,
  }
}
