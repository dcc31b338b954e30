import { useLayoutEffect } from 'preact/hooks'
import { useHold } from './gate.ts'
import { createStore, useStore } from './store.ts'

/* Small values that parts of a view need one by one, such as the name of an opcode. Those of one turn are loaded in one call. */

/** Keys of one call. */
const MOST_KEYS = 500
/** Keys that are kept. */
const MOST_KNOWN = 5_000
/** Milliseconds after which a key without a value is asked for again when it is shown: a new token has a name once it is indexed. */
const AGAIN = 5_000

/**
 * Returns a hook that gives the value of a key: undefined until it is loaded, and if there is none. A view is held until then. `load` leaves out keys that
 * have no value. Keys whose load failed are loaded again when they are next shown.
 */
export const createLookup = <V extends NonNullable<unknown>>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
): ((key: string | undefined) => V | undefined) => {
  /** null: it has no value. */
  const known = new Map<string, V | null>()
  /** When the keys without a value were asked for. */
  const missed = new Map<string, number>()
  const failed = new Set<string>()
  const running = new Set<string>()
  const wanted = new Set<string>()
  const version = createStore(0)

  const run = async (): Promise<void> => {
    const keys = [...wanted].slice(0, MOST_KEYS)
    for (const key of keys) {
      wanted.delete(key)
      running.add(key)
    }
    if (wanted.size > 0) setTimeout(run)
    const found = await load(keys).catch(() => undefined)
    for (const key of keys) {
      running.delete(key)
      if (found === undefined) failed.add(key)
      else {
        failed.delete(key)
        known.set(key, found.get(key) ?? null)
        if (found.has(key)) missed.delete(key)
        else missed.set(key, Date.now())
      }
    }
    for (const all of [known, failed, missed])
      for (const key of all.keys()) {
        if (all.size <= MOST_KNOWN) break
        all.delete(key)
      }
    version.set(version.get() + 1)
  }
  const ask = (key: string): void => {
    if (running.has(key) || (known.has(key) && Date.now() - (missed.get(key) ?? Infinity) < AGAIN)) return
    if (wanted.size === 0) setTimeout(run)
    wanted.add(key)
  }
  return (key) => {
    const value = useStore(version, () => (key === undefined || failed.has(key) ? null : known.get(key)))
    useHold(value === undefined)
    useLayoutEffect(() => {
      if (key !== undefined) ask(key)
    }, [key])
    return value ?? undefined
  }
}
