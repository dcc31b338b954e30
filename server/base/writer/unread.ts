import { createByteBudget, type Holder } from '../limits/byte-budget.ts'
import type { Carrier, Chunk } from './chunk.ts'

/*
 * Counts the bytes that clients have not read yet: HTTP bodies, answers on WebSockets, events. They occupy memory of this process, so they are limited per
 * connection and in total. Above the total limit the slowest readers are cut off first.
 */

export interface UnreadLimits {
  /** Maximum number of unread bytes per connection, and in total. */
  readonly ofConnection: number
  readonly ofAll: number
  /** Maximum time (ms) without progress of a reader. */
  readonly patience: number
  /** Time (ms) from the start of a body for which its reader cannot be cut off. */
  readonly grace: number
}

/** @internal */
export const UNREAD_LIMITS: UnreadLimits = { ofConnection: 64 << 20, ofAll: 256 << 20, patience: 30_000, grace: 1_000 }

export interface Reader extends Holder {
  readonly connection: object
}

export type Unread = ReturnType<typeof createUnread>

/** Memory of a queue entry (bytes). Readers share a chunk, but each has its own queue entry for it. */
const PLACE = 64

export const createUnread = (limits: UnreadLimits = UNREAD_LIMITS) => {
  const budget = createByteBudget<Reader>(limits.ofAll)
  const waiting: Record<Carrier, number> = { http: 0, websocket: 0, events: 0 }
  const count = (reader: Reader, { carrier, length }: Chunk, sign: 1 | -1, isShared: boolean): void => {
    if (!budget.holders.has(reader)) return
    const ofAll = sign * (isShared ? PLACE : length + PLACE)
    waiting[carrier] += ofAll
    budget.count(reader, sign * (length + PLACE), ofAll)
  }
  return {
    limits,
    /** Unread bytes of all readers. A chunk that several readers share counts once. */
    bytes: (): Readonly<Record<Carrier, number>> => ({ ...waiting }),
    add: budget.add,
    remove: budget.remove,
    hold: (reader: Reader, chunk: Chunk): void => count(reader, chunk, 1, chunk.readers++ > 0),
    release: (reader: Reader, chunk: Chunk): void => count(reader, chunk, -1, --chunk.readers > 0),
    /** Unread bytes of the other readers on this reader's connection. */
    besides(reader: Reader): number {
      let sum = -reader.bytes
      for (const each of budget.holders) if (each.connection === reader.connection) sum += each.bytes
      return sum
    },
    /** Cuts off slower readers until this many more bytes fit. Returns false if they do not fit. */
    makeRoom: budget.makeRoom,
  }
}
