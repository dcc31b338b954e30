import { createByteBudget, type Holder } from '../base/limits/byte-budget.ts'

/*
 * Requests and WebSocket messages that have not arrived completely. Their bytes stay in this process's memory for as long as their senders like, so they
 * have a bound together, as answers that nobody reads have (base/writer/unread.ts).
 */

/** A request or a message that is arriving. */
export interface Arrival {
  /** Says how many bytes of it are in memory now. It may be cut off for that. */
  hold(bytes: number): void
  /** It is complete, or given up. */
  close(): void
}

export interface Inflow {
  /** `cut` is called at most once, to give up what has arrived. */
  open(cut: () => void): Arrival
  /** Bytes of all arrivals. */
  waiting(): number
}

/** Once the bound is passed, this part of it is made free, so that not every further byte has to look for the next one to cut off. */
const SLACK = 1 / 16

/** `most`: bytes of all arrivals. The arrival that has used the most bytes for the longest time is cut off first, so a small request over a slow line stays. */
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
