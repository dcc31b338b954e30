import { createByteBudget, type Holder } from '../limits/byte-budget.ts'
import type { Carrier, Chunk } from './chunk.ts'

/*
 * One account of all bytes that wait for their readers: bodies of HTTP, answers on WebSockets, events. They stay in this process's memory, so they are bounded
 * for each connection and in total. Above the total bound the slowest readers are cut off first.
 */

export interface UnreadLimits {
  /** Bytes that may wait for the readers of one connection, and in total. */
  readonly ofConnection: number
  readonly ofAll: number
  /** Milliseconds that a reader may take nothing. */
  readonly patience: number
  /** Milliseconds before a new reader of a body may be cut off. */
  readonly grace: number
}

/** @internal */
export const UNREAD_LIMITS: UnreadLimits = { ofConnection: 64 << 20, ofAll: 256 << 20, patience: 30_000, grace: 1_000 }

/** A reader: a body that is being sent, a WebSocket, a stream of events. */
export interface Reader extends Holder {
  readonly connection: object
}

export interface Unread {
  readonly limits: UnreadLimits
  /** Waiting bytes of all readers. A chunk that several readers share counts once. */
  bytes(): Readonly<Record<Carrier, number>>
  add(reader: Reader): void
  remove(reader: Reader): void
  /** Counts a chunk for a reader. */
  hold(reader: Reader, chunk: Chunk): void
  /** The reader has taken a chunk, or given it up. */
  release(reader: Reader, chunk: Chunk): void
  /** Waiting bytes of the other readers of its connection. */
  besides(reader: Reader): number
  /** Cuts off slower readers until so many bytes more fit. False if they do not fit. */
  makeRoom(bytes: number, reader: Reader): boolean
}

/** Bytes that a place in a queue takes. A chunk of many readers counts once, but each of them has a place for it. */
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
