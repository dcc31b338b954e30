import { createByteBudget, type Holder } from './byte-budget.ts'

/*
 * Limits bytes that occupy memory for as long as clients like: of requests and WebSocket messages that are still arriving, of events that wait for the
 * answer to their subscription, and of answers of the lite-server port. One limit covers all of a kind.
 * base/writer/unread.ts limits answers over HTTP in the same way.
 */

/** Memory (bytes) of each received piece besides its content. A sender may send pieces of one byte. */
export const OF_PIECE = 256

export type Inflow = ReturnType<typeof createInflow>

/** `most`: maximum bytes in total. The arrival with the largest product of bytes and age is cut off first, so a small one over a slow line stays. */
export const createInflow = (most: number) => {
  const budget = createByteBudget<Holder>(most)
  return {
    /**
     * Registers a request or a message. The returned function sets the number of its bytes that are now in memory; 0 when it is complete or discarded. If all
     * together exceed the limit and it is the most costly, `cut` is called, and must discard the bytes that have arrived.
     */
    open(cut: () => void): (bytes: number) => void {
      let since = 0
      const arrival: Holder = { bytes: 0, cost: (now) => arrival.bytes * (now - since), cut }
      return (bytes) => {
        if (bytes === 0) return budget.remove(arrival)
        if (!budget.holders.has(arrival)) {
          since = performance.now()
          budget.add(arrival)
        }
        budget.count(arrival, bytes - arrival.bytes)
        budget.makeRoom(0)
      }
    },
    waiting: budget.total,
  }
}
