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
 * A controller whose signal may have any number of listeners: one call can fan out into many waits, and node warns at the eleventh. The next
 * controller is made ahead of time, in an idle turn of the event loop, because making one takes as long as parsing the parameters of a call.
 */
export const sharedAbort = (): AbortController => {
  const controller = next ?? make()
  next = undefined
  setImmediate(prepare)
  return controller
}
