import { setImmediate } from 'node:timers/promises'

/** Milliseconds that one list may block the event loop at a time. */
const TURN = 10

/** Maps a long list and yields to the event loop in between. Rejects with the signal's reason when the caller has left. */
export const inTurns = async <T, R>(items: readonly T[], map: (item: T) => R, signal: AbortSignal): Promise<R[]> => {
  const results: R[] = []
  let until = performance.now() + TURN
  for (const item of items) {
    results.push(map(item))
    if (performance.now() < until) continue
    await setImmediate()
    signal.throwIfAborted()
    until = performance.now() + TURN
  }
  return results
}
