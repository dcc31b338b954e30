import { useEffect, useRef, useState } from 'preact/hooks'

export const createStore = <T>(first: T) => {
  let value = first
  const listeners = new Set<() => void>()
  return {
    get: (): T => value,
    set(next: T): void {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    /** Returns a function that ends the subscription. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

type Store<T> = ReturnType<typeof createStore<T>>

/** A text that the browser stores; '' if there is none. */
export const createStored = (storage: () => Storage, name: string) => ({
  read(): string {
    try {
      return storage().getItem(name) ?? ''
    } catch {
      return ''
    }
  },
  write(text: string): void {
    try {
      if (text === '') storage().removeItem(name)
      else storage().setItem(name, text)
    } catch {
      // Without storage, the text is lost when the page is closed or loaded again.
    }
  },
})

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
