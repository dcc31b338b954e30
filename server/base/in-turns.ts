import { nextTurn } from './next-turn.ts'

/** Milliseconds that long work may block the event loop at a time. */
const TURN = 10

/** Long work calls it after each of its small steps. What it returns is awaited if it is there: other code runs then. */
export type Pause = () => Promise<void> | undefined

/** Pauses after each `turn` milliseconds of work. They reject with the signal's reason when the caller has left. */
export const createPauses = (turn = TURN, signal?: AbortSignal): Pause => {
  let until = performance.now() + turn
  const pause = async (): Promise<void> => {
    await nextTurn()
    signal?.throwIfAborted()
    until = performance.now() + turn
  }
  return () => (performance.now() < until ? undefined : pause())
}

/** Maps a long list and yields to the event loop in between. Rejects with the signal's reason when the caller has left. */
export const inTurns = async <T, R>(items: readonly T[], map: (item: T) => R, signal: AbortSignal): Promise<R[]> => {
  const results: R[] = []
  const pause = createPauses(TURN, signal)
  for (const item of items) {
    results.push(map(item))
    const paused = pause()
    if (paused !== undefined) await paused
  }
  return results
}

/** Runs steps to their end and yields to the event loop in between. Rejects with the signal's reason when the caller has left. */
export const stepsInTurns = async <R>(steps: Generator<void, R>, signal: AbortSignal): Promise<R> => {
  const pause = createPauses(TURN, signal)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    const paused = pause()
    if (paused !== undefined) await paused
  }
}
