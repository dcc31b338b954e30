import { CallSignal, untilAborted } from '../base/abort.ts'

/** Runs that several callers can share. */
export interface Coalescer<T> {
  /**
   * Joins the run of this key, or starts it. `run`'s signal is aborted when the last caller has left. The promise of a caller that
   * leaves is rejected with its reason; the others keep waiting. A run that is over at once is not shared, because nobody can join it.
   */
  join(key: string, caller: AbortSignal, run: (signal: CallSignal) => Promise<T> | T): Promise<T> | T
  /** Number of current runs. */
  size(): number
}

interface Run<T> {
  readonly result: Promise<T>
  readonly signal: CallSignal
  waiters: number
}

export const createCoalescer = <T>(): Coalescer<T> => {
  const runs = new Map<string, Run<T>>()

  const keep = (key: string, run: Run<T>): void => {
    runs.set(key, run)
    const forget = (): void => {
      if (runs.get(key) === run) runs.delete(key)
    }
    run.result.then(forget, forget)
  }

  const waitFor = (key: string, run: Run<T>, caller: AbortSignal): Promise<T> => {
    run.waiters++
    return untilAborted(run.result, caller, () => {
      if (--run.waiters > 0) return
      // Nobody is left. Later callers start a new run instead of joining one that is being aborted.
      if (runs.get(key) === run) runs.delete(key)
      run.signal.abort(caller.reason)
    })
  }

  return {
    join(key, caller, work) {
      if (caller.aborted) return Promise.reject(caller.reason)
      const running = runs.get(key)
      if (running !== undefined) return waitFor(key, running, caller)
      const signal = new CallSignal()
      const result = work(signal)
      if (!(result instanceof Promise)) return result
      const run: Run<T> = { signal, waiters: 0, result }
      keep(key, run)
      return waitFor(key, run, caller)
    },
    size: () => runs.size,
  }
}
