const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Runs work that the first SIGINT or SIGTERM asks to end; a second signal ends the process at once. */
export const untilStopped = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const stopping = new AbortController()
  const stop = (): void => stopping.abort(new Error('stopped'))
  for (const name of SIGNALS) process.once(name, stop)
  try {
    return await work(stopping.signal)
  } finally {
    for (const name of SIGNALS) process.off(name, stop)
  }
}
