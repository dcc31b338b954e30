import { setImmediate } from 'node:timers/promises'

/** Milliseconds that the work on blocks may block the event loop at a time. */
const TURN = 2

/** Returns a function for long loops. It yields to the event loop if TURN milliseconds have passed, and otherwise returns undefined. */
export const createRest = (): (() => Promise<void> | undefined) => {
  let until = performance.now() + TURN
  const rest = async (): Promise<void> => {
    await setImmediate()
    until = performance.now() + TURN
  }
  return () => (performance.now() < until ? undefined : rest())
}
