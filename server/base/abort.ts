import { setMaxListeners } from 'node:events'
import type { Leaving } from './call.ts'

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

/** A signal that is aborted together with its parent. */
export interface JoinedAbort {
  /** It may have any number of listeners. */
  readonly signal: AbortSignal
  /** Aborts it before its parent is. */
  abort(reason?: unknown): void
  /** Removes its listener from the parent. */
  leave(): void
}

/**
 * Joins a new signal to its parent and takes the parent's reason. Call `leave` when the work is over: it removes the listener from the parent.
 * AbortSignal.any would leave an entry at the parent for every signal that was ever made from it.
 */
export const joinAbort = (parent: Leaving): JoinedAbort => {
  const controller = sharedAbort()
  const follow = (): void => controller.abort(parent.reason)
  if (parent.aborted) follow()
  else parent.addEventListener('abort', follow)
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    leave: () => parent.removeEventListener('abort', follow),
  }
}

/** The value of a promise, or a rejection with the signal's reason as soon as that is aborted. */
export const untilAborted = <T>(value: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    const settled = (): void => signal.removeEventListener('abort', leave)
    value.then(
      (found) => {
        settled()
        resolve(found)
      },
      (error: unknown) => {
        settled()
        reject(error)
      },
    )
  })
