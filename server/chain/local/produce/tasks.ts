import { setMaxListeners } from 'node:events'
import { untilAborted } from '../../../base/abort.ts'
import { CellError } from '../../../cell/cell.ts'
import { LiteServerError } from '../../liteserver.ts'
import type { AccountInput, InternalInput, Step, StepInput } from '../model.ts'

export interface Injection {
  readonly internals?: readonly InternalInput[]
  readonly accounts?: readonly AccountInput[]
  readonly sends?: StepInput['sends']
  readonly config?: StepInput['config']
  /** True if the injection's block also includes waiting messages while automine is off. */
  readonly takesMessages?: boolean
}

export type MadeStep = Pick<Step, 'shard' | 'master' | 'sent'>

export interface Inject {
  readonly type: 'inject'
  readonly injection: Injection
  readonly resolve: (step: MadeStep) => void
  readonly reject: (error: unknown) => void
}
interface Between {
  readonly type: 'between'
  readonly work: () => Promise<void>
  readonly reject: (error: unknown) => void
}
type Task = Inject | Between

const MAX_TASKS = 10_000

/** Returns whether an injection failed because of its caller's parameters. */
export const isInvalidInput = (error: unknown): error is CellError | RangeError => error instanceof CellError || error instanceof RangeError

/** Queue of controls' inputs for blocks (injections) and of work that must run while no block is made, first in, first out. */
export const createTasks = () => {
  const tasks: Task[] = []

  const add = <T>(make: (resolve: (value: T) => void, reject: (error: unknown) => void) => Task, signal: AbortSignal): Promise<T> => {
    if (signal.aborted) return Promise.reject(signal.reason)
    if (tasks.length >= MAX_TASKS) return Promise.reject(new LiteServerError(0, 'too many requests wait for the next block'))
    // Many calls may wait with the same signal, so Node's warning about listeners is switched off.
    setMaxListeners(0, signal)
    let task: Task | undefined
    const done = new Promise<T>((resolve, reject) => {
      task = make(resolve, reject)
      tasks.push(task)
    })
    return untilAborted(done, signal, () => {
      const at = tasks.indexOf(task!)
      if (at >= 0) tasks.splice(at, 1)
    })
  }

  return {
    size: (): number => tasks.length,
    injectionWaits: (): boolean => tasks[0]?.type === 'inject',
    /** Runs the first task if it is work that must run while no block is made. Resolves with false otherwise. */
    workBetween: async (): Promise<boolean> => {
      const [task] = tasks
      if (task?.type !== 'between') return false
      tasks.shift()
      await task.work()
      return true
    },
    /** Removes and returns injections from the front of the queue, up to the first task that is not an injection. */
    takeInjections: (limit: number): Inject[] => {
      const taken: Inject[] = []
      while (taken.length < limit && tasks[0]?.type === 'inject') taken.push(tasks.shift() as Inject)
      return taken
    },
    putBack: (injections: readonly Inject[]): void => {
      tasks.unshift(...injections)
    },
    /** Rejects with LiteServerError if the queue is full. */
    inject: (injection: Injection, signal: AbortSignal): Promise<MadeStep> =>
      add((resolve, reject) => ({ type: 'inject', injection, resolve, reject }), signal),
    between: <T>(run: () => T | Promise<T>, signal: AbortSignal): Promise<T> =>
      add<T>((resolve, reject) => {
        const work = async (): Promise<void> => {
          try {
            resolve(await run())
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
