import { untilAborted } from '../../base/abort.ts'
import { createPauses } from '../../base/yield.ts'
import { LiteServerError } from '../liteserver.ts'
import type { ChainTip, CheckVerdict, ExternalInput } from './model.ts'
import { createArrivals } from './produce/arrivals.ts'
import { createSteps, type StepsDeps } from './produce/steps.ts'
import { createTasks, type Injection, type MadeStep } from './produce/tasks.ts'
import { cannotApply, readExternal } from './read-external.ts'

export type { ProducerLog } from './produce/steps.ts'
export type { Injection, MadeStep } from './produce/tasks.ts'

/* Decides when a step is made and what goes into it. Only one step or one piece of work between steps runs at a time. */

export type ProducerDeps = Omit<StepsDeps, 'tasks' | 'arrivals' | 'signal'> & {
  /** Milliseconds between idle steps; 0 makes no idle steps. */
  readonly blockTimeMs: number
}

export interface Producer {
  /** Checks an external message and writes it to the log before it resolves. Throws LiteServerError if it is refused. */
  send(boc: Uint8Array, signal: AbortSignal): Promise<void>
  /**
   * Resolves when an external message is in a block; while automine is off, at once. Rejects with TonError if it was accepted and will be in none. Called before
   * the message is sent.
   */
  arrival(hashKey: string, signal: AbortSignal): Promise<void>
  /** Puts an injection into the next step and resolves with the step. An empty injection makes an idle step. */
  inject(injection: Injection, signal: AbortSignal): Promise<MadeStep>
  /** Runs `work` between steps and resolves with its result. */
  between<T>(work: () => T, signal: AbortSignal): Promise<T>
  /** While it is off, blocks are made only for injections, and messages wait for one that takes them. */
  setAutomine(on: boolean): void
  /** Resolves when the waiting messages are in blocks and their own messages too. While automine is off it waits for the running step only. */
  settled(signal: AbortSignal): Promise<void>
  /** Blocks were undone, and messages that waited were dropped. `pending`: whether the queues of the newest block hold unprocessed messages. */
  reverted(pending: boolean): void
  /** Starts making steps; at once if something is waiting. */
  start(): void
  /** Resolves when the running step has ended. No further steps are made. */
  close(): Promise<void>
}

/** Longest run of steps before timers and sockets are served, ms. */
const SLICE_MS = 5
/** How long closing waits for the running step before it aborts it, ms. */
const CLOSE_MS = 2000

const closed = (): LiteServerError => new LiteServerError(0, 'the chain is closed')

export const createProducer = ({ blockTimeMs, ...deps }: ProducerDeps): Producer => {
  const { store, collator, here, withheld, clock, mempool, log } = deps
  const stop = new AbortController()
  const tasks = createTasks()
  const arrivals = createArrivals()
  const steps = createSteps({ ...deps, tasks, arrivals, signal: stop.signal })
  let started = false
  let closing = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const pause = createPauses(SLICE_MS)

  const hasWork = (): boolean => tasks.size() > 0 || steps.hasWork()
  const work = async (): Promise<void> => {
    while (!closing && hasWork()) {
      if (!tasks.workBetween()) await steps.make()
      // Idle steps may never wait for anything, so the event loop gets a turn here.
      await pause()
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
      .catch((error: unknown) => log.error('chain.production_failed', { err: error }))
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
  /** Adds a task and starts the work loop if it is idle. */
  const enqueue = <T>(add: () => Promise<T>): Promise<T> => {
    if (closing) return Promise.reject(closed())
    const done = add()
    kick()
    return done
  }

  /** Checks a message on the newest block; if that refuses it, after the messages to its account that wait already. */
  const check = async (tip: ChainTip, { message, dest }: ExternalInput, signal: AbortSignal): Promise<CheckVerdict> => {
    const utime = clock.now(tip.master.utime)
    // Read before the first check: those that get into a block meanwhile are not on this tip.
    const earlier = mempool.waitingFor(dest)
    const { check } = withheld.isEmpty() ? collator : here
    const verdict = await check(tip, message, utime, signal)
    return verdict.ok || earlier.length === 0 ? verdict : check(tip, message, utime, signal, earlier)
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
        const tip = withheld.tip()
        const verdict = await check(tip, external, signal)
        if (closing) throw closed()
        // The check ran on a block that has been undone since, so it is repeated.
        if (store.head().epoch !== epoch) continue
        if (!verdict.ok) throw cannotApply(verdict.error)
        if (mempool.has(hashKey) || !mempool.hasRoom()) continue
        const { message, dest } = external
        const acceptedAt = Date.now()
        mempool.add({ message, dest, acceptedAt, at: writeMessage(acceptedAt, boc) })
        kick()
        return
      }
    },
    arrival: arrivals.of,
    inject: (injection, signal) => enqueue(() => tasks.inject(injection, signal)),
    between: (run, signal) => enqueue(() => tasks.between(run, signal)),
    setAutomine: (on) => {
      steps.setAutomine(on)
      kick()
    },
    settled: async (signal) => {
      while (running !== undefined && !closing) await untilAborted(running, signal)
    },
    reverted: steps.reverted,
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
      arrivals.endAll(closed())
    },
  }
}
