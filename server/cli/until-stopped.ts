const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Runs work whose signal is aborted on the first SIGINT or SIGTERM. A second one ends the process at once. */
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
