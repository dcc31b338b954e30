import { sharedAbort } from '../base/abort.ts'
import type { Leaving } from '../base/call.ts'

/** Runs that several callers wait for at once. */
export interface Coalescer<T> {
  /**
   * Joins the run of this key, or starts it. `run`'s controller is aborted when the last waiter has left; nobody waits for the run then. A caller
   * who leaves is rejected with the reason; the others go on waiting.
   */
  join(key: string, caller: Leaving, run: (controller: AbortController) => Promise<T>): Promise<T>
  /** Runs under way. */
  size(): number
}

interface Run<T> {
  readonly result: Promise<T>
  readonly controller: AbortController
  waiters: number
}

export const createCoalescer = <T>(): Coalescer<T> => {
  const runs = new Map<string, Run<T>>()

  const start = (key: string, work: (controller: AbortController) => Promise<T>): Run<T> => {
    const controller = sharedAbort()
    const run: Run<T> = { controller, waiters: 0, result: work(controller) }
    runs.set(key, run)
    const forget = (): void => {
      if (runs.get(key) === run) runs.delete(key)
    }
    run.result.then(forget, forget)
    return run
  }

  const wait = (key: string, run: Run<T>, caller: Leaving): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      run.waiters++
      const leave = (): void => {
        reject(caller.reason)
        if (--run.waiters > 0) return
        // Nobody is left: later callers start anew instead of joining a run that is being given up.
        if (runs.get(key) === run) runs.delete(key)
        run.controller.abort(caller.reason)
      }
      caller.addEventListener('abort', leave)
      const settled = (): void => {
        caller.removeEventListener('abort', leave)
      }
      run.result.then(
        (value) => {
          settled()
          resolve(value)
        },
        (error) => {
          settled()
          reject(error)
        },
      )
    })

  return {
    join(key, caller, work) {
      if (caller.aborted) return Promise.reject(caller.reason)
      return wait(key, runs.get(key) ?? start(key, work), caller)
    },
    size: () => runs.size,
  }
}
