import { setMaxListeners } from 'node:events'

/** A controller whose signal many may listen to: one call fans out into as many waits as it likes, and node warns from the eleventh on. */
export const sharedAbort = (): AbortController => {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}
