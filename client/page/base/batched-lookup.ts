import { useEffect, useLayoutEffect } from 'preact/hooks'
import { useHold } from './show-when-loaded.ts'
import { createStore, useStore } from './store.ts'

/* Small values that parts of a view need one by one, such as the name of an opcode. Keys that are requested in one task are loaded in one call. */

const MAX_KEYS = 500
const MAX_CACHED = 5_000
/** Milliseconds before a missing value is requested again while its key is shown: a new token gets its name once it is indexed. Further pauses double. */
const AGAIN = 5_000
const LONGEST = 16 * AGAIN
/** Milliseconds between checks for keys whose pause is over. */
const LOOK = 1_000

/**
 * Creates a hook for the value of a key; undefined until the value is loaded, and if there is none. The view is hidden until the first load of the key
 * ends. `load` omits keys without a value. These keys, and keys whose load failed, are loaded again after a pause, while they are shown.
 */
export const createLookup = <V extends NonNullable<unknown>>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
): ((key: string | undefined) => V | undefined) => {
  /** null: the key has no value. */
  const values = new Map<string, V | null>()
  /** Keys without a value: the time of the last request, and the pause before the next. */
  const missed = new Map<string, { readonly at: number; readonly pause: number }>()
  const failed = new Set<string>()
  const running = new Set<string>()
  const queue = new Set<string>()
  const version = createStore(0)

  const miss = (key: string): void => {
    const pause = failed.has(key) ? AGAIN : Math.min(2 * (missed.get(key)?.pause ?? AGAIN / 2), LONGEST)
    missed.set(key, { at: Date.now(), pause })
  }
  const run = async (): Promise<void> => {
    const keys = [...queue].slice(0, MAX_KEYS)
    for (const key of keys) {
      queue.delete(key)
      running.add(key)
    }
    if (queue.size > 0) setTimeout(run)
    const found = await load(keys).catch(() => undefined)
    for (const key of keys) {
      running.delete(key)
      if (found === undefined) failed.add(key)
      else {
        failed.delete(key)
        values.set(key, found.get(key) ?? null)
      }
      if (found?.has(key)) missed.delete(key)
      else miss(key)
    }
    for (const all of [values, failed, missed])
      for (const key of all.keys()) {
        if (all.size <= MAX_CACHED) break
        all.delete(key)
      }
    version.set(version.get() + 1)
  }
  const ask = (key: string): void => {
    const last = missed.get(key)
    if (running.has(key) || (last ? Date.now() - last.at < last.pause : values.has(key))) return
    if (queue.size === 0) setTimeout(run)
    queue.add(key)
  }
  return (key) => {
    const value = useStore(version, () => (key === undefined || failed.has(key) ? null : values.get(key)))
    useHold(value === undefined)
    useLayoutEffect(() => {
      if (key !== undefined) ask(key)
    }, [key])
    const isMissed = key !== undefined && value === null
    useEffect(() => {
      if (!isMissed) return
      const timer = setInterval(() => document.hidden || ask(key), LOOK)
      return () => clearInterval(timer)
    }, [key, isMissed])
    return value ?? undefined
  }
}
