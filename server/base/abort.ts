import { setMaxListeners } from 'node:events'

const make = (): AbortController => {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}

let next: AbortController | undefined
const prepare = (): void => {
  next ??= make()
}

/**
 * A controller whose signal many may listen to: one call fans out into as many waits as it likes, and node warns from the eleventh on. The next one is
 * made when the event loop has sent what this one is for: making it takes as long as parsing the parameters of a call.
 */
export const sharedAbort = (): AbortController => {
  const controller = next ?? make()
  next = undefined
  setImmediate(prepare)
  return controller
}
