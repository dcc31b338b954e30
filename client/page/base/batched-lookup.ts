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

interface Entry<V> {
  /** null: the key has no value, or its load failed. Undefined until the first load ends. */
  readonly value: V | null | undefined
  /** Time before which the key is not requested again: the end of the pause; Infinity while a load runs, and for a key with a value. */
  readonly until: number
  /** Milliseconds. */
  readonly pause: number
}

/**
 * Creates a hook for the value of a key; undefined until the value is loaded, and if there is none. The view is hidden until the first load of the key
 * ends. `load` omits keys without a value. These keys, and keys whose load failed, are loaded again after a pause, while they are shown.
 */
export const createLookup = <V extends NonNullable<unknown>>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
): ((key: string | undefined) => V | undefined) => {
  /** Oldest first. */
  const entries = new Map<string, Entry<V>>()
  const queue: string[] = []
  const version = createStore(0)

  const run = async (): Promise<void> => {
    const keys = queue.splice(0, MAX_KEYS)
    if (queue.length > 0) setTimeout(run)
    const found = await load(keys).catch(() => undefined)
    for (const key of keys) {
      const value = found?.get(key) ?? null
      const pause = found === undefined ? AGAIN : Math.min(2 * (entries.get(key)?.pause || AGAIN / 2), LONGEST)
      entries.delete(key)
      entries.set(key, { value, pause, until: value === null ? Date.now() + pause : Infinity })
    }
    for (const key of entries.keys()) {
      if (entries.size <= MAX_CACHED) break
      entries.delete(key)
    }
    version.set(version.get() + 1)
  }
  const ask = (key: string): void => {
    const { value, until, pause } = entries.get(key) ?? { value: undefined, until: 0, pause: 0 }
    if (Date.now() < until) return
    if (queue.length === 0) setTimeout(run)
    queue.push(key)
    entries.set(key, { value, pause, until: Infinity })
  }
  return (key) => {
    const value = useStore(version, () => (key === undefined ? null : entries.get(key)?.value))
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
