import { createAbortController } from '../base/abort.ts'
import { UserError } from '../base/user-error.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Does the work of a command. If it fails, rejects with a UserError that says that the command cannot do `what`, with `exitCode`. */
export const attempt = async <T>(what: string, exitCode: number, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw error instanceof UserError ? error : new UserError(`cannot ${what}: ${(error as Error).message}`, exitCode)
  }
}

/** As `attempt`, for long work. `signal` is aborted on the first SIGINT or SIGTERM; a second one ends the process at once. */
export const untilStopped = async (what: string, exitCode: number, work: (signal: AbortSignal) => Promise<number>): Promise<number> => {
  const stopping = createAbortController()
  const stop = (): void => stopping.abort(new Error('stopped'))
  for (const name of SIGNALS) process.once(name, stop)
  return await attempt(what, exitCode, () => work(stopping.signal)).finally(() => {
    for (const name of SIGNALS) process.off(name, stop)
  })
}
