import { setImmediate } from 'node:timers/promises'
import { LiteServerError } from '../liteserver.ts'
import { cannotApply, readExternal } from './external.ts'
import type { Step } from './model.ts'
import { createSteps, type StepsDeps } from './produce/steps.ts'
import { createTasks, type Injection } from './produce/tasks.ts'

export type { ProducerLog } from './produce/steps.ts'
export type { Injection } from './produce/tasks.ts'

/* Decides when a step is made and what goes into it. One thing happens at a time: a step, or work between steps. */

export type ProducerDeps = Omit<StepsDeps, 'tasks' | 'signal'> & {
  /** Milliseconds between idle steps; 0 makes none. */
  readonly blockTimeMs: number
}

export interface Producer {
  /** Checks and keeps an external message: once this resolves, it is in the log. */
  send(boc: Uint8Array, signal: AbortSignal): Promise<void>
  /** Puts something into the next step (an empty injection makes one); resolves with it. */
  inject(injection: Injection, signal: AbortSignal): Promise<Step>
  /** Runs between steps. */
  between<T>(work: () => T, signal: AbortSignal): Promise<T>
  /** Begins to make steps: at once, when something is waiting. */
  start(): void
  /** Resolves when the step in work has ended; nothing is made after it. */
  close(): Promise<void>
}

/** Longest time of steps in a row before timers and sockets are served. */
const SLICE_MS = 5
/** How long closing waits for the step in work before it gives it up. */
const CLOSE_MS = 2000

const closed = (): LiteServerError => new LiteServerError(0, 'the chain is closed')

export const createProducer = ({ blockTimeMs, ...deps }: ProducerDeps): Producer => {
  const { store, collator, clock, mempool, log } = deps
  const stop = new AbortController()
  const tasks = createTasks()
  const steps = createSteps({ ...deps, tasks, signal: stop.signal })
  let started = false
  let closing = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let sliceAt = 0

  const hasWork = (): boolean => tasks.size() > 0 || steps.hasWork()
  const work = async (): Promise<void> => {
    while (!closing && hasWork()) {
      if (!tasks.workBetween()) await steps.make()
      // Idle steps can be made without ever waiting: others get their turn all the same.
      if (performance.now() - sliceAt > SLICE_MS) {
        await setImmediate()
        sliceAt = performance.now()
      }
    }
  }
  const schedule = (): void => {
    clearTimeout(timer)
    const at = steps.nextAt(blockTimeMs)
    if (closing || at === Number.POSITIVE_INFINITY) return
    const wake = (): void => {
      steps.tick(blockTimeMs)
      kick()
    }
    timer = setTimeout(wake, Math.max(0, at - Date.now()))
  }
  const kick = (): void => {
    if (!started || running || closing) return
    clearTimeout(timer)
    running = work()
      .catch((error: unknown) => log.error('block production failed', { err: error }))
      .finally(() => {
        running = undefined
        if (hasWork() && !closing) kick()
        else schedule()
      })
  }

  const writeMessage = (acceptedAt: number, boc: Uint8Array): number => {
    try {
      return store.appendMessage(acceptedAt, boc)
    } catch (error) {
      steps.tryWriting()
      if (!running) schedule()
      throw error
    }
  }
  /** Adds a task and sees to it that somebody does it. */
  const enqueue = <T>(add: () => Promise<T>): Promise<T> => {
    if (closing) return Promise.reject(closed())
    const done = add()
    kick()
    return done
  }

  return {
    send: async (boc, signal) => {
      const external = readExternal(boc)
      const hashKey = external.message.hashKey()
      for (;;) {
        if (closing) throw closed()
        if (mempool.has(hashKey)) return
        if (!mempool.hasRoom()) throw cannotApply('too many external messages wait for a block')
        const { epoch } = store.head()
        const tip = store.tip()
        const verdict = await collator.check(tip, external.message, clock.now(tip.master.utime), signal)
        if (closing) throw closed()
        // What was found out about a block that has been undone says nothing.
        if (store.head().epoch !== epoch) continue
        if (!verdict.ok) throw cannotApply(verdict.error)
        if (mempool.has(hashKey) || !mempool.hasRoom()) continue
        const acceptedAt = Date.now()
        mempool.add({ ...external, acceptedAt, at: writeMessage(acceptedAt, boc) })
        kick()
        return
      }
    },
    inject: (injection, signal) => enqueue(() => tasks.inject(injection, signal)),
    between: (run, signal) => enqueue(() => tasks.between(run, signal)),
    start: () => {
      started = true
      kick()
    },
    close: async () => {
      closing = true
      clearTimeout(timer)
      const patience = setTimeout(() => stop.abort(closed()), CLOSE_MS)
      await running
      clearTimeout(patience)
      tasks.rejectAll(closed())
    },
  }
}
