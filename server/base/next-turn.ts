const waiting: (() => void)[] = []

/** Lets the first one go on; the next one goes on in the next turn. */
const advance = (): void => {
  waiting.shift()!()
  if (waiting.length > 0) setImmediate(advance)
}

/**
 * For long work: waits for a turn of the event loop in which no other long work goes on. Immediates that are due run all in one turn, so that fifty calls of
 * 80 ms each would hold it for four seconds.
 */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(advance)
  })
