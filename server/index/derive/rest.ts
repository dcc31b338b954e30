import { setImmediate } from 'node:timers/promises'

/** Milliseconds that work on blocks may hold the event loop at a time. */
const TURN = 2

/** Lets others have their turn when it is time: for what is done many times in a row. */
export const createRest = (): (() => Promise<void> | undefined) => {
  let until = performance.now() + TURN
  const rest = async (): Promise<void> => {
    await setImmediate()
    until = performance.now() + TURN
  }
  return () => (performance.now() < until ? undefined : rest())
}
