import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** A controller whose signal may have any number of listeners: a call with many reads has a listener for each of them, where node warns of a leak. */
export const createAbortController = (): AbortController => {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}

/** A signal that is aborted together with its parent. */
export interface JoinedAbort {
  readonly signal: AbortSignal
  /** Aborts it before its parent is. */
  abort(reason?: unknown): void
  /** Removes its listener from the parent. */
  release(): void
}

/**
 * Joins a new signal to its parent and takes the parent's reason. Call `release` when the work is over: it removes the listener from the parent.
 * AbortSignal.any would leave an entry at the parent for every signal that was ever made from it.
 */
export const joinAbort = (parent: AbortSignal): JoinedAbort => {
  const own = createAbortController()
  const follow = (): void => own.abort(parent.reason)
  if (parent.aborted) follow()
  else parent.addEventListener('abort', follow)
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    release: () => parent.removeEventListener('abort', follow),
  }
}

/** The value of a promise, or a rejection with the signal's reason as soon as that is aborted. `left` is called if it is aborted before the value is there. */
export const untilAborted = <T>(value: Promise<T>, signal: AbortSignal, left?: () => void): Promise<T> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => {
      reject(signal.reason)
      left?.()
    }
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    const settled = (): void => signal.removeEventListener('abort', onAbort)
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

/** Resolves when a promise is settled, but after `ms` milliseconds at the latest. */
export const settledWithin = (promise: Promise<unknown>, ms: number): Promise<unknown> =>
  Promise.race([promise.catch(() => {}), sleep(ms, undefined, { ref: false })])
