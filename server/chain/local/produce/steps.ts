import type { Log } from '../../../base/log.ts'
import type { ChainClock } from '../chain-clock.ts'
import type { Mempool, Waiting } from '../mempool.ts'
import type { Collator, Step, StepInput } from '../model.ts'
import type { ChainStore } from '../store/chain-store.ts'
import type { PackedCells } from '../store/packed-cells.ts'
import type { Printed } from './debug-output.ts'
import { type Inject, isInvalidInput, type Tasks } from './tasks.ts'
import { type Arrivals, expired, refusedLate, reverted } from './wait-for-block.ts'
import type { WithheldSteps } from './withheld-steps.ts'

export interface StepsDeps {
  readonly store: ChainStore
  readonly collator: Collator
  readonly withheld: WithheldSteps
  readonly clock: ChainClock
  readonly mempool: Mempool
  readonly log: Log
  readonly tasks: Tasks
  readonly arrivals: Arrivals
  readonly printed: Printed
  /** Aborts the running step. Its injections are rejected with the signal's reason. */
  readonly signal: AbortSignal
}

/** Maximum number of external messages, and of controls' inputs (injections), offered to one step. The collator's own limits are usually lower. */
const EXTERNALS_PER_STEP = 4096
const INJECTIONS_PER_STEP = 512
/** Milliseconds after which a message that no block includes is dropped, as validators do. */
const MESSAGE_TTL_MS = 600_000
/** Pause after a failed write or a failed step without input; also the first delay of an external message that makes a step fail. */
const FAILURE_PAUSE_MS = 1000
const NEVER = Number.POSITIVE_INFINITY

const inputOf = (utime: number, injections: readonly Inject[], externals: readonly Waiting[]): StepInput => ({
  utime,
  externals,
  internals: injections.flatMap(({ injection }) => injection.internals ?? []),
  accounts: injections.flatMap(({ injection }) => injection.accounts ?? []),
  sends: injections.flatMap(({ injection }) => injection.sends ?? []),
  config: new Map(injections.flatMap(({ injection }) => [...(injection.config ?? [])])),
})

/** Logs when writes begin to fail and when they succeed again. A failed write is tried again each second, so a repeated failure is logged as `debug`. */
const createWriteLog = (log: Log) => {
  let fault: string | undefined
  return {
    failed(error: unknown): void {
      const text = String(error)
      log[text === fault ? 'debug' : 'error']('chain.write_failed', { err: error })
      fault = text
    },
    done(): void {
      if (fault !== undefined) log.info('chain.write_restored')
      fault = undefined
    },
  }
}

/** Logs a wrong injection as `debug`, because callers can repeat it at will. If a message is at fault, a step without injections will fail too. */
const logFailure = (log: Log, error: unknown, injections: number, externals: number): void =>
  log[injections > 0 && isInvalidInput(error) ? 'debug' : 'error']('chain.step_failed', { err: error, injections, externals })

/** Many thousand messages can expire together, so all of them have one line of the log and one error. */
const dropExpired = ({ mempool, log, arrivals }: StepsDeps): void => {
  const messages = mempool.expire(Date.now() - MESSAGE_TTL_MS)
  const [oldest] = messages
  if (oldest === undefined) return
  log.warn('chain.messages_expired', { messages: messages.length, dest: oldest.dest })
  const error = expired(MESSAGE_TTL_MS)
  for (const message of messages) arrivals.end(message, error)
}

/** Makes blocks from waiting input and writes them. If that fails, finds the input that causes the failure. */
export const createSteps = (deps: StepsDeps) => {
  const { store, collator, withheld, clock, mempool, log, tasks, arrivals, printed, signal } = deps
  let lastStepAt = 0
  /** True if the queues contain unprocessed messages, and at the start, when this is unknown. */
  let unfinished = true
  let due = true
  /** Maximum number of external messages for the next blocks. Halved after each failure, to find the message that causes the failure. */
  let offer = EXTERNALS_PER_STEP
  /** True after a failed step with injections: each injection then gets a separate step. */
  let alone = false
  let pauseUntil = 0
  const writes = createWriteLog(log)
  /** While automine is off, blocks are made only for controls' inputs (injections). Messages wait for an injection with `takesMessages`. */
  let automine = true

  const keep = async (step: Step, packed: PackedCells | undefined, externals: readonly Waiting[]): Promise<void> => {
    const postponed = new Set(step.postponed)
    const settled = externals.filter((_, i) => !postponed.has(i))
    if (packed === undefined) withheld.add(step, settled)
    else {
      await store.appendStep(step, mempool.placesWithout(settled), packed)
      writes.done()
    }
    mempool.remove(settled)
    printed.add(step.printed)
    for (const { index, error } of step.refused) {
      log.debug('chain.message_refused', { dest: externals[index]?.dest, error })
      arrivals.end(externals[index], refusedLate(error))
    }
    for (const each of settled) arrivals.end(each)
    unfinished = step.pending
  }

  const fail = (error: unknown, injections: readonly Inject[], externals: readonly Waiting[]): void => {
    if (injections.length === 1 && externals.length === 0) {
      injections[0]!.reject(error)
      return
    }
    if (injections.length > 0) {
      tasks.putBack(injections)
      alone = true
      offer = 0
    } else if (externals.length > 1) offer = Math.ceil(externals.length / 2)
    else if (externals.length === 1) {
      // The machine may have caused the failure and not the message. So the message is retried, with growing delays, until it expires.
      mempool.defer(externals[0]!, Date.now(), FAILURE_PAUSE_MS)
      offer = EXTERNALS_PER_STEP
    } else pauseUntil = Date.now() + FAILURE_PAUSE_MS
    logFailure(log, error, injections.length, externals.length)
  }

  const tryWriting = (): void => {
    due = true
    pauseUntil = Date.now() + FAILURE_PAUSE_MS
  }

  const make = async (): Promise<void> => {
    dropExpired(deps)
    const injections = tasks.takeInjections(alone ? 1 : INJECTIONS_PER_STEP)
    const takesMessages = automine || injections.some(({ injection }) => injection.takesMessages === true)
    const externals = mempool.take(alone || !takesMessages ? 0 : offer, Date.now())
    due = false
    lastStepAt = Date.now()
    let step: Step
    let packed: PackedCells | undefined
    try {
      const tip = withheld.tip()
      step = await collator.step(tip, inputOf(clock.now(tip.master.utime), injections, externals), signal)
      if (!withheld.isOn()) packed = await store.packStep(step, signal)
    } catch (error) {
      if (signal.aborted) for (const injection of injections) injection.reject(signal.reason)
      else fail(error, injections, externals)
      return
    }
    try {
      await keep(step, packed, externals)
    } catch (error) {
      // The disk may be full. The messages wait until it is writable again.
      writes.failed(error)
      for (const injection of injections) injection.reject(error)
      tryWriting()
      return
    }
    clock.tick()
    if (!tasks.injectionWaits()) {
      alone = false
      if (offer === 0) offer = EXTERNALS_PER_STEP
    }
    offer = Math.min(EXTERNALS_PER_STEP, offer * 2)
    for (const injection of injections) injection.resolve(step)
  }

  return {
    make,
    tryWriting,
    setAutomine: (on: boolean): void => {
      automine = on
      arrivals.setAutomine(on)
    },
    /** Must be called after a revert. `pending`: true if the queues of the newest block contain unprocessed messages. */
    reverted: (pending: boolean): void => {
      unfinished = pending
      arrivals.endAll(reverted())
    },
    hasWork: (): boolean => {
      const now = Date.now()
      return automine && !withheld.isFull() && now >= pauseUntil && (due || unfinished || (mempool.nextAt() ?? NEVER) <= now)
    },
    /** Time when the next blocks are due without new input: unix ms, Infinity for never. `idleMs`: time between idle blocks (0: no idle blocks). */
    nextAt: (idleMs: number): number => {
      if (!automine || withheld.isFull()) return NEVER
      const idleAt = idleMs > 0 && !withheld.isOn() ? lastStepAt + idleMs : NEVER
      const workAt = due || unfinished ? 0 : (mempool.nextAt() ?? NEVER)
      return Math.max(pauseUntil, Math.min(idleAt, workAt))
    },
    tick: (idleMs: number): void => {
      // A machine whose clock went back is due too: else it would make no idle block until its clock is there again.
      if (idleMs > 0 && !withheld.isOn() && Math.abs(Date.now() - lastStepAt) >= idleMs) due = true
    },
  }
}
