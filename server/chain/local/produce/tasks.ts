import { setMaxListeners } from 'node:events'
import { LiteServerError } from '../../liteserver.ts'
import type { AccountInput, InternalInput, Step, StepInput } from '../model.ts'

/** What the owner of the chain puts into a step. */
export interface Injection {
  readonly internals?: readonly InternalInput[]
  readonly accounts?: readonly AccountInput[]
  readonly config?: StepInput['config']
}

/** Something to be put into the next step. */
export interface Inject {
  readonly type: 'inject'
  readonly injection: Injection
  readonly resolve: (step: Step) => void
  readonly reject: (error: unknown) => void
}
/** Something to be done between steps. */
interface Between {
  readonly type: 'between'
  readonly work: () => void
  readonly reject: (error: unknown) => void
}
type Task = Inject | Between

const MAX_TASKS = 10_000

/** What waits for its turn in the making of steps, in the order in which it came. */
export const createTasks = () => {
  const tasks: Task[] = []

  const add = <T>(make: (resolve: (value: T) => void, reject: (error: unknown) => void) => Task, signal: AbortSignal): Promise<T> => {
    if (signal.aborted) return Promise.reject(signal.reason)
    if (tasks.length >= MAX_TASKS) return Promise.reject(new LiteServerError(0, 'too many requests wait for the next block'))
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        const at = tasks.indexOf(task)
        if (at >= 0) tasks.splice(at, 1)
        reject(signal.reason)
      }
      const settle =
        <V>(then: (value: V) => void) =>
        (value: V): void => {
          signal.removeEventListener('abort', onAbort)
          then(value)
        }
      const task = make(settle(resolve), settle(reject))
      // Many calls may wait under one signal.
      setMaxListeners(0, signal)
      signal.addEventListener('abort', onAbort)
      tasks.push(task)
    })
  }

  return {
    size: (): number => tasks.length,
    /** Whether something is to be put into a step before anything else is done. */
    injectionWaits: (): boolean => tasks[0]?.type === 'inject',
    /** Does the next task if it is work between steps; whether it was. */
    workBetween: (): boolean => {
      const [task] = tasks
      if (task?.type !== 'between') return false
      tasks.shift()
      task.work()
      return true
    },
    /** Takes injections, at most `limit` and none behind work between steps. */
    takeInjections: (limit: number): Inject[] => {
      const taken: Inject[] = []
      while (taken.length < limit && tasks[0]?.type === 'inject') taken.push(tasks.shift() as Inject)
      return taken
    },
    /** Puts injections back in front. */
    putBack: (injections: readonly Inject[]): void => {
      tasks.unshift(...injections)
    },
    /** Resolves with the step that the injection went into. */
    inject: (injection: Injection, signal: AbortSignal): Promise<Step> =>
      add((resolve, reject) => ({ type: 'inject', injection, resolve, reject }), signal),
    /** Resolves with what `run` gives when it was its turn. */
    between: <T>(run: () => T, signal: AbortSignal): Promise<T> =>
      add<T>((resolve, reject) => {
        const work = (): void => {
          try {
            resolve(run())
          } catch (error) {
            reject(error)
          }
        }
        return { type: 'between', reject, work }
      }, signal),
    rejectAll: (reason: Error): void => {
      for (const task of tasks.splice(0)) task.reject(reason)
    },
  }
}
export type Tasks = ReturnType<typeof createTasks>
