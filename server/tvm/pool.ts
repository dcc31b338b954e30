import { setMaxListeners } from 'node:events'
import { createFairQueue, type Owner } from './fair-queue.ts'
import { type Answer, createThreads, type MakeMessage, type Pending, type ThreadsOptions } from './threads.ts'
import { TvmError } from './tvm.ts'

export interface PoolOptions extends Omit<ThreadsOptions, 'onFree' | 'onFailure'> {
  /**
   * Maximum number of waiting jobs of each priority. If too many urgent jobs wait, the new job is refused. If too many normal jobs wait, the newest job of the
   * client with the most jobs is refused.
   */
  readonly maxQueue: number
}

/** `urgent` jobs (making blocks) run before `normal` jobs (reads). FairQueue determines the order of normal jobs. */
export type Priority = 'urgent' | 'normal'

export type Pool = ReturnType<typeof createPool>

export const createPool = ({ maxQueue, ...options }: PoolOptions) => {
  const urgent: Pending[] = []
  const normal = createFairQueue<Pending>(maxQueue)
  let nextId = 1
  let closed: TvmError | undefined

  const refuse = (error: TvmError): void => {
    for (const pending of [...urgent.splice(0), ...normal.drain()]) pending.reject(error)
  }

  const feed = (): void => {
    while (urgent.length > 0 || normal.size > 0) {
      const give = threads.free()
      if (give === undefined) return
      const first = urgent.shift()
      const next = first ? undefined : normal.next(threads.size())
      const pending = first ?? next?.job
      if (!pending) return
      give(pending, next?.running)
    }
  }
  const threads = createThreads({ ...options, onFree: feed, onFailure: refuse })

  const forsake = (pending: Pending): void => {
    const at = urgent.indexOf(pending)
    if (at >= 0) urgent.splice(at, 1)
    else normal.remove(pending)
    threads.forsake(pending)
  }

  const enter = (make: MakeMessage, priority: Priority, owner: Owner, signal: AbortSignal, overloaded: () => TvmError): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const onAbort = (): void => {
        forsake(pending)
        reject(signal.reason)
      }
      const done =
        <T>(settleWith: (value: T) => void) =>
        (value: T): void => {
          signal.removeEventListener('abort', onAbort)
          settleWith(value)
        }
      const pending: Pending = { id: nextId++, make, resolve: done(resolve), reject: done(reject) }
      // A batch of calls may share one signal, which then has many listeners.
      setMaxListeners(0, signal)
      signal.addEventListener('abort', onAbort, { once: true })
      if (priority === 'urgent') urgent.push(pending)
      else normal.push(pending, owner)?.reject(overloaded())
      feed()
    })

  return {
    run: (make: MakeMessage, priority: Priority, owner: Owner, signal: AbortSignal): Promise<Answer> => {
      if (closed) return Promise.reject(closed)
      if (signal.aborted) return Promise.reject(signal.reason)
      const overloaded = (): TvmError => new TvmError('overloaded', `${maxQueue} TVM requests are waiting`)
      if (priority === 'urgent' && urgent.length >= maxQueue) return Promise.reject(overloaded())
      return enter(make, priority, owner, signal, overloaded)
    },
    stats: () => ({ workers: threads.size(), busy: threads.busy(), queued: urgent.length + normal.size, replaced: threads.replaced() }),
    close: () => {
      closed ??= new TvmError('closed', 'the TVM is closed')
      refuse(closed)
      return threads.close(closed)
    },
  }
}
