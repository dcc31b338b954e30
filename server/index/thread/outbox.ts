/** Sends what is put into it in one turn of the event loop together: a message between threads costs more than what most of them hold. */
export const createOutbox = <T>(send: (items: readonly T[]) => void): ((item: T) => void) => {
  let kept: T[] = []
  const flush = (): void => {
    const items = kept
    kept = []
    send(items)
  }
  return (item) => {
    // After the promises that are settled already have been gone on from, which put more.
    if (kept.push(item) === 1) process.nextTick(flush)
  }
}
