import { createByteBudget, type Holder } from '../base/limits/byte-budget.ts'

/*
 * Limits the bytes of requests and WebSocket messages that are still arriving. They occupy memory for as long as their senders like, so one limit covers
 * all of them. base/writer/unread.ts limits answers in the same way.
 */

export interface Arrival {
  /** Sets the number of bytes of this request or message that are now in memory. Calls its `cut` if all together exceed the limit and it is the most costly. */
  hold(bytes: number): void
  close(): void
}

export interface Inflow {
  /** Registers a request or a message that begins to arrive. If memory is needed, `cut` is called once, and must discard the bytes that have arrived. */
  open(cut: () => void): Arrival
  waiting(): number
}

/** Part of the limit that is free again after an overflow. Without it, the next byte would overflow again. */
const SLACK = 1 / 16

/** `most`: maximum bytes in total. The request or message with the largest product of bytes and age is cut off first, so a small one over a slow line stays. */
export const createInflow = (most: number): Inflow => {
  const budget = createByteBudget<Holder>(most)
  return {
    open(cut) {
      const since = performance.now()
      const arrival: Holder = budget.add({ bytes: 0, cost: (now) => arrival.bytes * (now - since), cut })
      return {
        hold(bytes) {
          budget.count(arrival, bytes - arrival.bytes)
          if (budget.total() > most) budget.makeRoom(most * SLACK)
        },
        close: () => budget.remove(arrival),
      }
    },
    waiting: budget.total,
  }
}
