import { untilAborted } from '../../base/abort.ts'
import { createPauses } from '../../base/yield.ts'
import { LiteServerError } from '../liteserver.ts'
import type { ChainTip, CheckVerdict, ExternalInput } from './model.ts'
import { createBusyTime } from './produce/busy-time.ts'
import { createSteps, type StepsDeps } from './produce/steps.ts'
import { createTasks, type Injection, type MadeStep } from './produce/tasks.ts'
import { createArrivals } from './produce/wait-for-block.ts'
import { cannotApply, readExternal } from './read-external.ts'

export type { Injection, MadeStep } from './produce/tasks.ts'

/* Decides when the next shard block and masterchain block are made (a step), and what input they get. Steps and work between steps never overlap. */

export type ProducerDeps = Omit<StepsDeps, 'tasks' | 'arrivals' | 'signal'> & {
  /** Milliseconds between idle blocks; 0 makes no idle blocks. */
  readonly blockTimeMs: number
}

const SLICE_MS = 5
const CLOSE_MS = 2000
/** Maximum number of waiting messages that are run to check one more message to their account. Each may take a million gas. */
const MAX_EARLIER = 32
const BEHIND_MANY = `it was checked without the messages that wait for this account, because more than ${MAX_EARLIER} do`

const closed = (): LiteServerError => new LiteServerError(0, 'the chain is closed')

/**
 * Checks a message on the newest block. If the message is refused, checks it again after the messages that already wait for the same account. Behind more
 * than MAX_EARLIER of them a message has to be accepted on the newest block, as in TON: a wallet's message with a later seqno is then refused, though a
 * block might take it.
 */
const check = async (
  { clock, mempool, collator }: Pick<ProducerDeps, 'clock' | 'mempool' | 'collator'>,
  tip: ChainTip,
  { message, dest }: ExternalInput,
  signal: AbortSignal,
): Promise<CheckVerdict> => {
  const utime = clock.now(tip.master.utime)
  // Read before the first check: messages that get into a block during the check are not applied at this tip.
  const earlier = mempool.waitingFor(dest)
  const verdict = await collator.check(tip, message, utime, signal)
  if (verdict.ok || earlier.length === 0) return verdict
  if (earlier.length > MAX_EARLIER) return { ...verdict, error: `${verdict.error}\n${BEHIND_MANY}` }
  return collator.check(tip, message, utime, signal, earlier)
}

export const createProducer = ({ blockTimeMs, ...deps }: ProducerDeps) => {
  const { store, withheld, mempool, log } = deps
  const stop = new AbortController()
  const tasks = createTasks()
  const arrivals = createArrivals()
  const busyTime = createBusyTime()
  const steps = createSteps({ ...deps, tasks, arrivals, signal: stop.signal })
  let started = false
  let closing = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const pause = createPauses(SLICE_MS)

  const hasWork = (): boolean => tasks.size() > 0 || steps.hasWork()
  const work = async (): Promise<void> => {
    while (!closing && hasWork()) {
      if (!(await tasks.workBetween())) await steps.make()
      // Idle blocks may be made without any I/O, so the loop yields explicitly.
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
    busyTime.begin()
    running = work()
      .catch((error: unknown) => log.error('chain.production_failed', { err: error }))
      .finally(() => {
        running = undefined
        if (hasWork() && !closing) return kick()
        busyTime.end()
        schedule()
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
  const enqueue = <T>(add: () => Promise<T>): Promise<T> => {
    if (closing) return Promise.reject(closed())
    const done = add()
    kick()
    return done
  }

  return {
    /** Checks an external message, writes it to the log, then resolves. Throws LiteServerError if the message is refused. */
    send: async (boc: Uint8Array, signal: AbortSignal): Promise<void> => {
      const external = readExternal(boc)
      const hashKey = external.message.hashKey()
      for (;;) {
        if (closing) throw closed()
        if (mempool.has(hashKey)) return
        if (!mempool.hasRoom()) throw cannotApply('too many external messages wait for a block')
        const { epoch } = store.head()
        const tip = withheld.tip()
        const verdict = await check(deps, tip, external, signal)
        if (closing) throw closed()
        // The message was checked on a block that was reverted in the meantime, so the check is repeated.
        if (store.head().epoch !== epoch) continue
        if (!verdict.ok) throw cannotApply(verdict.error)
        if (mempool.has(hashKey) || !mempool.hasRoom()) continue
        const { message, dest } = external
        const acceptedAt = Date.now()
        mempool.add({ message, dest, bytes: boc.length, acceptedAt, at: writeMessage(acceptedAt, boc) })
        kick()
        return
      }
    },
    /**
     * Resolves when a block includes the external message; at once while automine is off. Rejects with TonError if the message was accepted but is dropped.
     * Must be called before the message is sent.
     */
    arrival: arrivals.of,
    /** Adds a control's input (an injection) to the next blocks and resolves with these blocks. An empty injection makes idle blocks. */
    inject: (injection: Injection, signal: AbortSignal): Promise<MadeStep> => enqueue(() => tasks.inject(injection, signal)),
    /** Runs `work` while no block is being made, and resolves with its result. */
    between: <T>(work: () => T | Promise<T>, signal: AbortSignal): Promise<T> => enqueue(() => tasks.between(work, signal)),
    /** While automine is off, blocks are made only for controls' inputs (injections). Messages wait for an injection with `takesMessages`. */
    setAutomine: (on: boolean): void => {
      steps.setAutomine(on)
      kick()
    },
    /** Resolves when blocks include the waiting messages and the messages that these cause. While automine is off, resolves after the blocks in progress. */
    idle: (signal: AbortSignal): Promise<void> => untilAborted(busyTime.idle(), signal),
    /** Like `idle`, but gives up once messages have been delivered for eight seconds without a break: a contract may send messages to itself without an end. */
    idleOrBusyTooLong: (signal: AbortSignal): Promise<void> => untilAborted(busyTime.idleOrBusyTooLong(), signal),
    /**
     * Must be called after every revert, once the waiting messages have been dropped. `pending`: true if the queues of the block that is now the newest
     * contain unprocessed messages, for which blocks must be made.
     */
    reverted: steps.reverted,
    start: (): void => {
      started = true
      kick()
    },
    /** Resolves when the blocks in progress are finished. No more blocks are made. */
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

export type Producer = ReturnType<typeof createProducer>
