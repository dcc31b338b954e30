import type { KeyState } from './key-state.ts'

/* Keys that somebody holds for longer than a call: their WebSockets end with them. */

interface Watch {
  readonly state: KeyState
  readonly listeners: Set<() => void>
}

export interface WatchedKeys {
  /** The state that is watched under an id. */
  get(id: string): KeyState | undefined
  ids(): Iterable<string>
  /** Adds a listener; `first` says whether nobody watched the key before. */
  add(state: KeyState, listener: () => void): { readonly first: boolean; readonly stop: () => void }
  /** Calls the listeners of a key once and forgets it. */
  end(id: string): void
  /** Ends every key of which `hasEnded` is true. */
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
