import { useEffect, useState } from 'preact/hooks'

/** A value that views follow. */
export interface Store<T> {
  get(): T
  set(value: T): void
  /** Returns a function that ends it. */
  subscribe(listener: () => void): () => void
}

export const createStore = <T>(first: T): Store<T> => {
  let value = first
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The value of a store, or what `select` makes of it. The view is drawn again when that changes. */
export const useStore = <T, S = T>(store: Store<T>, select: (value: T) => S = (value) => value as unknown as S): S => {
  const [, redraw] = useState(0)
  const selected = select(store.get())
  useEffect(() => {
    let before = select(store.get())
    if (!Object.is(before, selected)) redraw((count) => count + 1)
    return store.subscribe(() => {
      const now = select(store.get())
      if (Object.is(now, before)) return
      before = now
      redraw((count) => count + 1)
    })
  }, [store])
  return selected
}
