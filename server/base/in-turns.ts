import { nextTurn } from './next-turn.ts'

/** Milliseconds that long work may block the event loop at a time. */
const TURN = 10

/** Returns a function that long work calls after each of its small steps. What it returns is awaited if it is there: other code runs then. */
export const createPauses = (): (() => Promise<void> | undefined) => {
  let until = performance.now() + TURN
  return () => {
    if (performance.now() < until) return undefined
    return nextTurn().then(() => {
      until = performance.now() + TURN
    })
  }
}

/** Maps a long list and yields to the event loop in between. Rejects with the signal's reason when the caller has left. */
export const inTurns = async <T, R>(items: readonly T[], map: (item: T) => R, signal: AbortSignal): Promise<R[]> => {
  const results: R[] = []
  const pause = createPauses()
  for (const item of items) {
    results.push(map(item))
    const paused = pause()
    if (paused === undefined) continue
    await paused
    signal.throwIfAborted()
  }
  return results
}

/** Runs steps to their end and yields to the event loop in between. Rejects with the signal's reason when the caller has left. */
export const stepsInTurns = async <R>(steps: Generator<void, R>, signal: AbortSignal): Promise<R> => {
  const pause = createPauses()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    const paused = pause()
    if (paused === undefined) continue
    await paused
    signal.throwIfAborted()
  }
}
