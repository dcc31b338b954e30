import { useEffect, useRef, useState } from 'preact/hooks'

export interface Store<T> {
  get(): T
  set(value: T): void
  /** Returns a function that ends the subscription. */
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

export const useStore = <T, S = T>(store: Store<T>, select: (value: T) => S = (value) => value as unknown as S): S => {
  const [, redraw] = useState(0)
  const selected = select(store.get())
  const drawn = useRef({ select, selected })
  drawn.current = { select, selected }
  useEffect(() => {
    const look = (): void => {
      if (!Object.is(drawn.current.select(store.get()), drawn.current.selected)) redraw((count) => count + 1)
    }
    look()
    return store.subscribe(look)
  }, [store])
  return selected
}
