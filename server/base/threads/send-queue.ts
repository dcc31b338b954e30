/** Collects the items of one turn of the event loop and sends them as one message, since each message between threads has a high cost. */
export const createSendQueue = <T>(send: (items: readonly T[]) => void): ((item: T) => void) => {
  let collected: T[] = []
  const flush = (): void => {
    const items = collected
    collected = []
    send(items)
  }
  return (item) => {
    // If this runs in a promise continuation, the flush comes after all other pending continuations, which can add items.
    if (collected.push(item) === 1) process.nextTick(flush)
  }
}
