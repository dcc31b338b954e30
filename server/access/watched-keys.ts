import type { KeyState } from './key-state.ts'

/* Keys that are held for longer than a call: a WebSocket ends when its key does. */

interface Watch {
  readonly state: KeyState
  readonly listeners: Set<() => void>
}

export interface WatchedKeys {
  /** The watched state of an id; undefined if nobody watches it. */
  get(id: string): KeyState | undefined
  ids(): Iterable<string>
  /** Adds a listener; `first` says whether nobody watched the key before. */
  add(state: KeyState, listener: () => void): { readonly first: boolean; readonly stop: () => void }
  /** Calls the listeners of a key once and stops watching it. */
  end(id: string): void
  /** Ends every key for which `hasEnded` returns true. */
  endWhere(hasEnded: (state: KeyState) => boolean): void
}

export const createWatchedKeys = (): WatchedKeys => {
  const watched = new Map<string, Watch>()
  const end = (id: string): void => {
    const watch = watched.get(id)
    if (!watch) return
    watched.delete(id)
    for (const listener of watch.listeners) listener()
  }
  return {
    get: (id) => watched.get(id)?.state,
    ids: () => watched.keys(),
    add(state, listener) {
      const { id } = state
      const before = watched.get(id)
      const watch = before ?? { state, listeners: new Set() }
      if (!before) watched.set(id, watch)
      const { listeners } = watch
      listeners.add(listener)
      const stop = (): void => {
        listeners.delete(listener)
        if (listeners.size === 0 && watched.get(id)?.listeners === listeners) watched.delete(id)
      }
      return { first: !before, stop }
    },
    end,
    endWhere(hasEnded) {
      for (const [id, { state }] of watched) if (hasEnded(state)) end(id)
    },
  }
}
