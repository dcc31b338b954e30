import { setMaxListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { LiteServerError } from '../liteserver.ts'
import type { ChainClock } from './chain-clock.ts'
import { cannotApply, readExternal } from './external.ts'
import type { Mempool, Waiting } from './mempool.ts'
import type { AccountInput, Collator, InternalInput, Step, StepInput } from './model.ts'
import type { ChainStore } from './store/chain-store.ts'

/* Decides when a step is made and what goes into it. One thing happens at a time: a step, or work between steps. */

export interface ProducerLog {
  debug(event: string, fields?: object): void
  warn(event: string, fields?: object): void
  error(event: string, fields?: object): void
}

export interface ProducerDeps {
  readonly store: ChainStore
  readonly collator: Collator
  readonly clock: ChainClock
  readonly mempool: Mempool
  readonly log: ProducerLog
  /** Milliseconds between idle steps; 0 makes none. */
  readonly blockTimeMs: number
}

/** What the owner of the chain puts into a step. */
export interface Injection {
  readonly internals?: readonly InternalInput[]
  readonly accounts?: readonly AccountInput[]
  readonly config?: StepInput['config']
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

type Task =
  | {
      readonly type: 'inject'
      readonly injection: Injection
      readonly resolve: (step: Step) => void
      readonly reject: (error: unknown) => void
    }
  | { readonly type: 'between'; readonly work: () => void; readonly reject: (error: unknown) => void }
type Inject = Task & { type: 'inject' }

/** External messages and injections offered to one step; the collator's own limits are lower for anything but trifles. */
const EXTERNALS_PER_STEP = 4096
const INJECTIONS_PER_STEP = 512
const MAX_TASKS = 10_000
/** A message that found no place in a block for this long is given up, as validators do. */
const MESSAGE_TTL_MS = 600_000
/** Pause after a step that failed for no reason of its input. */
const FAILURE_PAUSE_MS = 1000
/** Longest time of steps in a row before timers and sockets are served. */
const SLICE_MS = 5
const NEVER = Number.POSITIVE_INFINITY
/** How long closing waits for the step in work before it gives it up. */
const CLOSE_MS = 2000

export const createProducer = (deps: ProducerDeps): Producer => {
  const { store, collator, clock, mempool, log } = deps
  const tasks: Task[] = []
  const stop = new AbortController()
  let started = false
  let closing = false
  let lastStepAt = 0
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  /** Work that the chain has by itself: messages on their way between accounts; at the start it is not known. */
  let unfinished = true
  let due = true
  /** How many externals the next step is offered; halved after a failure to find the one that a step fails on. */
  let offer = EXTERNALS_PER_STEP
  /** After a failed step with injections each goes alone. */
  let alone = false
  let pauseUntil = 0
  let sliceAt = 0

  const closed = (): LiteServerError => new LiteServerError(0, 'the chain is closed')

  const takeInjections = (): Inject[] => {
    const limit = alone ? 1 : INJECTIONS_PER_STEP
    const taken: Inject[] = []
    while (taken.length < limit && tasks[0]?.type === 'inject') taken.push(tasks.shift() as Inject)
    return taken
  }

  const inputOf = (injections: readonly Inject[], externals: readonly Waiting[]): StepInput => ({
    utime: clock.now(store.tip().master.utime),
    externals,
    internals: injections.flatMap(({ injection }) => injection.internals ?? []),
    accounts: injections.flatMap(({ injection }) => injection.accounts ?? []),
    config: new Map(injections.flatMap(({ injection }) => [...(injection.config ?? [])])),
  })

  const keep = (step: Step, externals: readonly Waiting[]): void => {
    const postponed = new Set(step.postponed)
    const settled = externals.filter((_, i) => !postponed.has(i))
    store.appendStep(step, mempool.placesWithout(settled))
    mempool.remove(settled)
    for (const { index, error } of step.refused) log.debug('message refused at its turn', { dest: externals[index]?.dest, error })
    unfinished = step.pending
  }

  const fail = (error: unknown, injections: readonly Inject[], externals: readonly Waiting[]): void => {
    if (injections.length === 1 && externals.length === 0) {
      injections[0]!.reject(error)
      return
    }
    if (injections.length > 0) {
      tasks.unshift(...injections)
      alone = true
      offer = 0
    } else if (externals.length > 1) offer = Math.ceil(externals.length / 2)
    else if (externals.length === 1) {
      // It may be the machine and not the message: it is tried again, ever more rarely, until it expires.
      mempool.defer(externals[0]!, Date.now(), FAILURE_PAUSE_MS)
      offer = EXTERNALS_PER_STEP
    } else pauseUntil = Date.now() + FAILURE_PAUSE_MS
    log.error('step failed', { err: error, injections: injections.length, externals: externals.length })
  }

  /** After a write that failed a step is due, which finds out whether the disk takes writes again. */
  const tryWriting = (): void => {
    due = true
    pauseUntil = Date.now() + FAILURE_PAUSE_MS
  }
  const writeMessage = (acceptedAt: number, boc: Uint8Array): number => {
    try {
      return store.appendMessage(acceptedAt, boc)
    } catch (error) {
      tryWriting()
      if (!running) schedule()
      throw error
    }
  }

  const makeStep = async (): Promise<void> => {
    for (const { dest } of mempool.expire(Date.now() - MESSAGE_TTL_MS)) log.warn('message expired', { dest })
    const injections = takeInjections()
    const externals = mempool.take(alone ? 0 : offer, Date.now())
    due = false
    lastStepAt = Date.now()
    let step: Step
    try {
      step = await collator.step(store.tip(), inputOf(injections, externals), stop.signal)
    } catch (error) {
      if (stop.signal.aborted) for (const injection of injections) injection.reject(closed())
      else fail(error, injections, externals)
      return
    }
    try {
      keep(step, externals)
    } catch (error) {
      // The disk is full, say: messages wait until it is not.
      log.error('block cannot be written', { err: error })
      for (const injection of injections) injection.reject(error)
      tryWriting()
      return
    }
    clock.tick()
    if (tasks[0]?.type !== 'inject') {
      alone = false
      if (offer === 0) offer = EXTERNALS_PER_STEP
    }
    offer = Math.min(EXTERNALS_PER_STEP, offer * 2)
    for (const injection of injections) injection.resolve(step)
  }

  const hasWork = (): boolean => {
    const now = Date.now()
    return tasks.length > 0 || (now >= pauseUntil && (due || unfinished || (mempool.nextAt() ?? NEVER) <= now))
  }
  const work = async (): Promise<void> => {
    while (!closing && hasWork()) {
      const [task] = tasks
      if (task?.type === 'between') {
        tasks.shift()
        task.work()
      } else await makeStep()
      // Idle steps can be made without ever waiting: others get their turn all the same.
      if (performance.now() - sliceAt > SLICE_MS) {
        await setImmediate()
        sliceAt = performance.now()
      }
    }
  }

  const schedule = (): void => {
    clearTimeout(timer)
    if (closing) return
    const idleAt = deps.blockTimeMs > 0 ? lastStepAt + deps.blockTimeMs : NEVER
    const workAt = due || unfinished ? 0 : (mempool.nextAt() ?? NEVER)
    const at = Math.max(pauseUntil, Math.min(idleAt, workAt))
    if (at === NEVER) return
    timer = setTimeout(
      () => {
        due ||= Date.now() >= idleAt
        kick()
      },
      Math.max(0, at - Date.now()),
    )
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

  const enqueue = <T>(make: (resolve: (value: T) => void, reject: (error: unknown) => void) => Task, signal: AbortSignal): Promise<T> => {
    if (closing) return Promise.reject(closed())
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
      kick()
    })
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
    inject: (injection, signal) => enqueue((resolve, reject) => ({ type: 'inject', injection, resolve, reject }), signal),
    between: <T>(run: () => T, signal: AbortSignal) =>
      enqueue<T>(
        (resolve, reject) => ({
          type: 'between',
          reject,
          work: () => {
            try {
              resolve(run())
            } catch (error) {
              reject(error)
            }
          },
        }),
        signal,
      ),
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
      for (const task of tasks.splice(0)) task.reject(closed())
    },
  }
}
