import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { PASSING } from '../../failure-kinds.ts'
import { TonClientError } from '../../index.ts'
import { live, setLost } from './live.ts'
import { createLoads, type LoadEnd, type Loads } from './loads.ts'
import { useHold } from './show-when-loaded.ts'
import { useStore } from './store.ts'

export interface Loaded<T> {
  /** The newest answer. During a reload the previous answer stays. */
  readonly data: T | undefined
  readonly error: TonClientError | undefined
  readonly again: () => void
}

let next: Promise<void> | undefined

/**
 * Resolves in a new browser task that all concurrent callers share. A large answer is parsed in one task and drawn in the next, so that neither blocks the
 * page for long.
 */
const nextTask = (): Promise<void> => {
  next ??= new Promise((resolve) =>
    setTimeout(() => {
      next = undefined
      resolve()
    }),
  )
  return next
}

export const asError = (thrown: unknown): TonClientError => {
  if (thrown instanceof TonClientError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  // An error of the page is of no method, whose name would stand before the text.
  return Object.assign(new TonClientError('page', { kind: 'PROTOCOL', message, endpoint: '' }), { message })
}

/** Minimum milliseconds between the starts of two loads of a view that follows the chain. */
const LEAST = 2_000

/**
 * Loads the data of a view. An undefined `load` loads nothing. When one of `deps` changes, the old answer is dropped and `load` is called again. With
 * `follow`, new blocks also cause a reload. All views reload when the service responds again after a failure. A reload keeps the old answer on screen, so
 * that nothing moves. A load without an answer is retried automatically.
 */
export const useCall = <T extends NonNullable<unknown> | null>(
  load: ((signal: AbortSignal) => Promise<T>) | undefined,
  deps: readonly unknown[],
  follow = false,
): Loaded<T> => {
  const key = JSON.stringify([load !== undefined, ...deps])
  const version = useStore(live, (value) => (follow ? value.version : 0))
  const returns = useStore(live, (value) => value.returns)
  const [state, setState] = useState<{ key: string; data?: T; error?: TonClientError }>({ key })
  const newest = useRef(load)
  const loads = useRef<Loads | undefined>(undefined)
  // A layout effect runs before the browser draws. A load from an ordinary effect would start one frame later.
  useLayoutEffect(() => {
    newest.current = load
  })
  useLayoutEffect(() => {
    if (newest.current === undefined) return
    const run = async (signal: AbortSignal): Promise<LoadEnd> => {
      try {
        if (newest.current === undefined) return 'answered'
        const data = await newest.current(signal)
        await nextTask()
        if (!signal.aborted) setState({ key, data })
        return 'answered'
      } catch (thrown) {
        const error = asError(thrown)
        if (error.kind === 'NETWORK' && !signal.aborted) setLost()
        if (!signal.aborted) setState((before) => ({ ...(before.key === key && before), key, error }))
        return PASSING[error.kind] ? 'unanswered' : 'answered'
      }
    }
    const own = createLoads(run, LEAST, () => !document.hidden)
    loads.current = own
    setState((before) => (before.key === key ? before : { key }))
    return own.end
  }, [key])
  useLayoutEffect(() => loads.current?.ask(), [key, version, returns])

  const { data, error } = state.key === key ? state : {}
  useHold(load !== undefined && data === undefined && error === undefined)
  return { data, error, again: () => loads.current?.ask() }
}

/** The outcome of the last call that the user started. A running call has none. */
export interface Ran<T> {
  readonly busy: boolean
  readonly data?: T
  readonly error?: TonClientError
}

/** For calls that the user starts: the outcome of the last one, and a function that runs one. */
export const useRun = <T>(): readonly [Ran<T>, (call: () => Promise<T>) => Promise<void>] => {
  const [ran, setRan] = useState<Ran<T>>({ busy: false })
  const run = async (call: () => Promise<T>): Promise<void> => {
    setRan({ busy: true })
    try {
      setRan({ busy: false, data: await call() })
    } catch (thrown) {
      setRan({ busy: false, error: asError(thrown) })
    }
  }
  return [ran, run]
}
