/** A listener of a CallSignal. `once` has no effect, because a signal is aborted at most once. */
type AbortListener = EventListenerOrEventListenerObject

const tell = (listener: AbortListener, event: Event, signal: AbortSignal): void => {
  try {
    if (typeof listener === 'function') listener.call(signal, event)
    else listener.handleEvent(event)
  } catch (error) {
    // As EventTarget does: the other listeners are called, and the process learns of the error.
    process.nextTick(() => {
      throw error
    })
  }
}

/**
 * The signal of one call, and its controller. Each call has one, and node's own AbortController takes seven microseconds to make and drop (measured).
 * It may have any number of listeners. node's own modules take it for an AbortSignal; `fetch` and AbortSignal.any do not, so give them `nativeSignal` of it.
 */
export class CallSignal implements AbortSignal {
  aborted = false
  reason: unknown = undefined
  onabort: ((this: AbortSignal, event: Event) => unknown) | null = null
  #listeners: Set<AbortListener> | undefined = undefined
  #native: AbortController | undefined = undefined

  /** The signal itself: a CallSignal can stand wherever a controller is expected. */
  get signal(): AbortSignal {
    return this
  }

  /** A signal of the platform's own class that is aborted together with this one, always the same. */
  get native(): AbortSignal {
    if (this.#native === undefined) {
      const controller = new AbortController()
      this.#native = controller
      if (this.aborted) controller.abort(this.reason)
      else this.addEventListener('abort', () => controller.abort(this.reason))
    }
    return this.#native.signal
  }

  /** Aborts it. Only the first call counts. By default the reason is an AbortError. */
  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    const listeners = this.#listeners
    if (listeners === undefined && this.onabort === null) return
    const event = new Event('abort')
    if (this.onabort !== null) tell(this.onabort, event, this)
    // A listener that is removed by an earlier one is not called.
    for (const listener of listeners ?? []) tell(listener, event, this)
    this.#listeners = undefined
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }

  addEventListener(type: string, listener: AbortListener | null, options?: boolean | AddEventListenerOptions): void {
    if (type !== 'abort' || listener === null || this.aborted) return
    const until = typeof options === 'object' ? options.signal : undefined
    if (until?.aborted) return
    this.#listeners ??= new Set()
    this.#listeners.add(listener)
    until?.addEventListener('abort', () => this.removeEventListener('abort', listener), { once: true })
  }

  removeEventListener(type: string, listener: AbortListener | null): void {
    if (type === 'abort' && listener !== null) this.#listeners?.delete(listener)
  }

  /** Nobody but `abort` tells that it is aborted. */
  dispatchEvent(): boolean {
    return true
  }

  /** events.setMaxListeners calls it. There is no limit to lift. */
  setMaxListeners(): void {}
}

/** A signal of the platform's own class that is aborted together with this one, for what looks at the class: AbortSignal.any and fetch. */
export const nativeSignal = (signal: AbortSignal): AbortSignal => (signal instanceof CallSignal ? signal.native : signal)

/** A signal that is aborted together with its parent. */
export interface JoinedAbort {
  readonly signal: CallSignal
  /** Aborts it before its parent is. */
  abort(reason?: unknown): void
  /** Removes its listener from the parent. */
  leave(): void
}

/**
 * Joins a new signal to its parent and takes the parent's reason. Call `leave` when the work is over: it removes the listener from the parent.
 * AbortSignal.any would leave an entry at the parent for every signal that was ever made from it.
 */
export const joinAbort = (parent: AbortSignal): JoinedAbort => {
  const signal = new CallSignal()
  const follow = (): void => signal.abort(parent.reason)
  if (parent.aborted) follow()
  else parent.addEventListener('abort', follow)
  return {
    signal,
    abort: (reason) => signal.abort(reason),
    leave: () => parent.removeEventListener('abort', follow),
  }
}

/** The value of a promise, or a rejection with the signal's reason as soon as that is aborted. `left` is called if it is aborted before the value is there. */
export const untilAborted = <T>(value: Promise<T>, signal: AbortSignal, left?: () => void): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = (): void => {
      reject(signal.reason)
      left?.()
    }
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
