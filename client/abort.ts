/** Calls `run` when the signal is aborted. Returns a function that cancels this. */
export type OnAbort = (signal: AbortSignal, run: () => void) => () => void

/** Registers one listener per signal, for all calls that share the signal. Node warns of a leak from the eleventh listener on. */
export const createOnAbort = (): OnAbort => {
  const runsOf = new WeakMap<EventTarget, Set<() => void>>()
  const onAbort = ({ currentTarget }: Event): void => {
    for (const run of runsOf.get(currentTarget!)!) run()
  }
  return (signal, run) => {
    const runs = runsOf.get(signal) ?? new Set()
    runsOf.set(signal, runs.add(run))
    // Registers it once: a further registration of the same function has no effect.
    signal.addEventListener('abort', onAbort)
    return () => {
      runs.delete(run)
      if (runs.size === 0) signal.removeEventListener('abort', onAbort)
    }
  }
}
