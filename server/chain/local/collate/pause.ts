import { nextTurn } from '../../../base/next-turn.ts'

/** Lets other work of the thread run after SLICE_MS milliseconds. Throws the signal's reason if it is aborted. */
export type Pause = () => Promise<void> | undefined

/** Milliseconds of work between pauses. */
const SLICE_MS = 3

export const createPause = (signal: AbortSignal): Pause => {
  let until = performance.now() + SLICE_MS
  const rest = async (): Promise<void> => {
    await nextTurn()
    signal.throwIfAborted()
    until = performance.now() + SLICE_MS
  }
  return () => {
    signal.throwIfAborted()
    return performance.now() < until ? undefined : rest()
  }
}
