import type { Streams } from './streams.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Does the work of a command. `signal` is aborted on the first SIGINT or SIGTERM; a second one ends the process at once. If the work fails, prints that the
 * command cannot do `what`, and returns the exit code `failed`.
 */
export const untilStopped = async (
  what: string,
  failed: number,
  { printError }: Pick<Streams, 'printError'>,
  work: (signal: AbortSignal) => Promise<number>,
): Promise<number> => {
  const stopping = new AbortController()
  const stop = (): void => stopping.abort(new Error('stopped'))
  for (const name of SIGNALS) process.once(name, stop)
  try {
    return await work(stopping.signal)
  } catch (error) {
    printError(`tonway: cannot ${what}: ${(error as Error).message}`)
    return failed
  } finally {
    for (const name of SIGNALS) process.off(name, stop)
  }
}
