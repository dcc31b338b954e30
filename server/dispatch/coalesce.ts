import { sharedAbort } from '../base/abort.ts'
import type { Leaving } from '../base/call.ts'

/** Runs that several callers can share. */
export interface Coalescer<T> {
  /**
   * Joins the run of this key, or starts it. `run`'s controller is aborted when the last caller has left. The promise of a caller that
   * leaves is rejected with its reason; the others keep waiting.
   */
  join(key: string, caller: Leaving, run: (controller: AbortController) => Promise<T>): Promise<T>
  /** Number of current runs. */
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
        // Nobody is left. Later callers start a new run instead of joining one that is being aborted.
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
