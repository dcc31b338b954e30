import { setMaxListeners } from 'node:events'
import { TonError } from '../../shared/errors.ts'
import { inOwnTurn } from './yield.ts'

/** The reason of `abort()` without an argument. Made once, because an error records where it was made, which takes long when a thousand clients leave. */
export const CALLER_LEFT = new DOMException('This operation was aborted', 'AbortError')

/** A controller whose signal may have any number of listeners. A call with many reads adds a listener for each of them, and node would warn of a leak. */
export const createAbortController = (): AbortController => {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}

/** Joined signals by their parent. The parent has one listener for all of them, because node searches a signal's listeners whenever one comes or goes. */
const joined = new WeakMap<AbortSignal, { readonly all: Set<AbortController>; readonly listener: () => void }>()

const join = (parent: AbortSignal, own: AbortController): void => {
  const found = joined.get(parent)
  if (found !== undefined) return void found.all.add(own)
  const all = new Set([own])
  const listener = (): void => {
    for (const each of all) each.abort(parent.reason)
  }
  joined.set(parent, { all, listener })
  parent.addEventListener('abort', listener)
}

const leave = (parent: AbortSignal, own: AbortController): void => {
  const found = joined.get(parent)
  if (!found?.all.delete(own) || found.all.size > 0) return
  joined.delete(parent)
  parent.removeEventListener('abort', found.listener)
}

/**
 * Creates a signal that is aborted with its parent, with the parent's reason. Call `release` when the work is over, so that the parent forgets the signal.
 * AbortSignal.any is not used, because the parent would keep an entry for every signal that was ever made from it.
 */
export const joinAbort = (parent: AbortSignal) => {
  const own = createAbortController()
  if (parent.aborted) own.abort(parent.reason)
  else join(parent, own)
  return {
    signal: own.signal,
    abort: (reason?: unknown): void => own.abort(reason),
    release: (): void => leave(parent, own),
    [Symbol.dispose]: (): void => leave(parent, own),
  }
}

/** Runs work with a signal that is aborted with its parent, or after `ms` milliseconds. */
export const withTimeout = async <T>(parent: AbortSignal, ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  using own = joinAbort(parent)
  // Thousands of calls may end at one instant, and what follows the abort would be in one turn.
  const timer = setTimeout(() => void inOwnTurn(() => own.abort(new Error(`no answer in ${ms} ms`))), ms)
  try {
    return await work(own.signal)
  } finally {
    clearTimeout(timer)
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
    void value.then(resolve, reject).then(() => signal.removeEventListener('abort', onAbort))
  })

/** Runs work with a deadline. After `deadline` milliseconds it aborts the controller and rejects with SOURCE_TIMEOUT and `text`, even if the work continues. */
export const beforeDeadline = async <T>(
  deadline: number,
  text: string,
  controller: Pick<AbortController, 'abort' | 'signal'>,
  work: () => Promise<T>,
): Promise<T> => {
  const timer = setTimeout(() => controller.abort(new TonError('SOURCE_TIMEOUT', text)), deadline)
  try {
    return await untilAborted(work(), controller.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** Waits until a promise is settled, but at most `ms` milliseconds. Returns whether it is settled. Never rejects. */
export const settledWithin = (promise: Promise<unknown>, ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, false).unref()
    const settled = (): void => {
      clearTimeout(timer)
      resolve(true)
    }
    promise.then(settled, settled)
  })
