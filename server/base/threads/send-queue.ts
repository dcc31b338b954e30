/** Collects the items of one event-loop turn and sends them as one message, because each message between threads is expensive. */
export const createSendQueue = <T>(send: (items: readonly T[]) => void): ((item: T) => void) => {
  let collected: T[] = []
  const flush = (): void => {
    const items = collected
    collected = []
    send(items)
  }
  return (item) => {
    // In a promise continuation, nextTick runs after all pending continuations, which may add items.
    if (collected.push(item) === 1) process.nextTick(flush)
  }
}
