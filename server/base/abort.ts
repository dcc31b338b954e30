import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** A controller whose signal may have any number of listeners. A call with many reads adds a listener for each of them, and node would warn of a leak. */
export const createAbortController = (): AbortController => {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}

export interface JoinedAbort {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
  release(): void
}

/** Joined signals by their parent. A parent has one listener for all: node searches all listeners of a signal for each one that is added or removed. */
const joined = new WeakMap<AbortSignal, Set<AbortController>>()

const joinedTo = (parent: AbortSignal): Set<AbortController> => {
  const found = joined.get(parent)
  if (found !== undefined) return found
  const all = new Set<AbortController>()
  joined.set(parent, all)
  parent.addEventListener('abort', () => {
    for (const each of all) each.abort(parent.reason)
  })
  return all
}

/**
 * Creates a signal that is aborted with its parent, with the parent's reason. Call `release` when the work is over, so that the parent forgets the signal.
 * AbortSignal.any is not used, because the parent would keep an entry for every signal that was ever made from it.
 */
export const joinAbort = (parent: AbortSignal): JoinedAbort => {
  const own = createAbortController()
  const all = joinedTo(parent)
  if (parent.aborted) own.abort(parent.reason)
  else all.add(own)
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    release: () => void all.delete(own),
  }
}

/** Runs work with a signal that is aborted with its parent, or after `ms` milliseconds. */
export const withTimeout = async <T>(parent: AbortSignal, ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const { signal, abort, release } = joinAbort(parent)
  const timer = setTimeout(() => abort(new Error(`no answer in ${ms} ms`)), ms)
  try {
    return await work(signal)
  } finally {
    clearTimeout(timer)
    release()
  }
}

/** Settles like `value`, but rejects with the signal's reason as soon as the signal is aborted. `left` is called if the abort comes first. */
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

/** Resolves when a promise is settled, or after `ms` milliseconds. Never rejects. */
export const settledWithin = (promise: Promise<unknown>, ms: number): Promise<unknown> =>
  Promise.race([promise.catch(() => {}), sleep(ms, undefined, { ref: false })])
