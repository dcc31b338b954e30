/** Calls `run` when the signal is aborted. Returns a function that cancels this. */
export type OnAbort = (signal: AbortSignal, run: () => void) => () => void

/** Registers one listener per signal, for all calls that share the signal. Node warns of a leak from the eleventh listener on. */
export const createOnAbort = (): OnAbort => {
  const listeners = new WeakMap<AbortSignal, EventListenerObject & { readonly runs: Set<() => void> }>()
  return (signal, run) => {
    let listener = listeners.get(signal)
    if (!listener) {
      const runs = new Set<() => void>()
      listener = {
        runs,
        handleEvent() {
          for (const one of runs) one()
        },
      }
      listeners.set(signal, listener)
      signal.addEventListener('abort', listener, { once: true })
    }
    const { runs } = listener
    runs.add(run)
    return () => {
      runs.delete(run)
      if (runs.size > 0) return
      listeners.delete(signal)
      signal.removeEventListener('abort', listener)
    }
  }
}
