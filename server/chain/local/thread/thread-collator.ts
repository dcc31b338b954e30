import { TonError } from '../../../../shared/errors.ts'
import { createLink, type Link, type Message } from '../../../base/threads/link.ts'
import { packed } from '../../../base/threads/packed.ts'
import { createSendQueue } from '../../../base/threads/send-queue.ts'
import { createIdleEnd, type IdleEnd, idleTime, startThread } from '../../../base/threads/start.ts'
import { messagesWaitAt } from '../collate/queue.ts'
import type { ChainTip, CheckVerdict, Collator, ExternalInput, StepInput, StepMaker } from '../model.ts'
import type { ProducerLog } from '../producer.ts'
import type { FetchedLog } from '../store/fetched-log.ts'
import { withBocs } from './cells.ts'
import {
  type CheckedMessages,
  type CheckRequest,
  COLLATOR_ERRORS,
  type CollatorData,
  type StepAnswer,
  type StepRequest,
  tipInLog,
} from './protocol.ts'
import { createWatch, SILENCE_S, ThreadSilent } from './signs.ts'

/*
 * The collator in a thread of its own, as the serving thread sees it. The thread starts when there is something for it and ends after some time without. It
 * owns nothing: the serving thread has the files, so a thread that is lost costs only the block that it was making, which is made by the next one. A thread
 * that gives no sign of life is ended, and its requests are refused: the next one might stand still over it too.
 */

export interface ThreadCollator extends StepMaker {
  /** Ends the thread. Calls are refused then. */
  close(): Promise<void>
}

export interface ThreadCollatorDeps {
  readonly data: Omit<CollatorData, 'fetched'>
  /** The cells that a fork has fetched; undefined if the chain is no fork. */
  readonly fetched: Pick<FetchedLog, 'path' | 'end'> | undefined
  readonly log: Pick<ProducerLog, 'error'>
  /** Makes the idle steps, so that no thread has to run for them. */
  readonly here: Collator
  /** The built worker. */
  readonly program: URL
  /** Another time without a sign of life after which a thread is ended, for tests: seconds. */
  readonly silence?: number
}

/** How often a request is made whose thread is lost. */
const ATTEMPTS = 2

interface Thread {
  readonly link: Link
  /** To be called before and after each request. */
  busy(): void
  idle(): void
  /** Why the thread has ended; undefined while it runs. */
  lost(): Error | undefined
  end(): Promise<unknown>
}

const isEmpty = ({ externals, internals, accounts, sends = [], config }: StepInput): boolean =>
  externals.length + internals.length + accounts.length + sends.length + config.size === 0

/** Whether a step has only what each block has: neither input nor messages in the queues. */
const isIdle = (tip: ChainTip, input: StepInput): boolean => isEmpty(input) && !messagesWaitAt(tip)

/** Starts a thread. `onEnd`: it is gone, or about to end because it had no work. */
const openThread = (
  { data, fetched, log, program, silence = SILENCE_S }: Omit<ThreadCollatorDeps, 'here'>,
  idleMs: number,
  onEnd: () => void,
): Thread => {
  const workerData: CollatorData = { ...data, fetched: fetched?.path }
  const worker = startThread(program, { name: 'collator', workerData })
  worker.unref()
  const post = createSendQueue<Message>((messages) => worker.postMessage(messages))
  let requests = 0
  let lost: Error | undefined
  let isEnding = false
  const end = (): Promise<unknown> => {
    isEnding = true
    return worker.terminate()
  }
  const send = (message: Message): boolean => {
    if (lost === undefined) post(message)
    return lost === undefined
  }
  const link = createLink({ send }, {}, {}, COLLATOR_ERRORS)
  const gone = (error: Error): void => {
    // Once for a thread, however many requests it had.
    if (lost === undefined && !isEnding) log.error('chain.thread_lost', { err: error })
    lost ??= error
    onEnd()
    idleEnd.busy()
    watch.stop()
    link.close()
  }
  const watch = createWatch(silence, (error) => {
    gone(error)
    void end()
  })
  const idleEnd: IdleEnd = createIdleEnd(idleMs, () => {
    onEnd()
    void end()
  })
  worker.on('message', (messages: readonly Message[]) => {
    watch.sign()
    for (const message of messages) link.receive(message)
  })
  worker.on('error', gone)
  worker.on('exit', (code) => gone(new Error(`it ended with code ${code}`)))
  return {
    link,
    busy() {
      if (requests++ > 0) return
      // Only a thread with work keeps the process alive.
      worker.ref()
      idleEnd.busy()
      if (lost === undefined) watch.start()
    },
    idle() {
      if (--requests > 0) return
      worker.unref()
      watch.stop()
      if (lost === undefined) idleEnd.idle()
    },
    lost: () => lost,
    end,
  }
}

/** A collator in a thread, over the tips of the store whose log the thread reads. */
export const createThreadCollator = (deps: ThreadCollatorDeps): ThreadCollator => {
  let thread: Thread | undefined
  let lastWork = Number.NEGATIVE_INFINITY
  let closed = false

  /** Throws UNAVAILABLE if the system has no thread for it. */
  const begin = (): Thread => {
    try {
      const opened = openThread(deps, idleTime(lastWork), () => {
        if (thread === opened) thread = undefined
      })
      return opened
    } catch (cause) {
      const { message } = cause as Error
      throw new TonError('UNAVAILABLE', `the thread that makes blocks cannot be started: ${message}`, { cause, retryAfter: 1 })
    }
  }
  const attempt = async <T>(on: Thread, kind: string, value: unknown, signal: AbortSignal): Promise<T> => {
    on.busy()
    try {
      return await on.link.ask<T>(kind, value, signal)
    } finally {
      lastWork = performance.now()
      on.idle()
    }
  }
  const ask = async <T>(kind: string, value: unknown, signal: AbortSignal): Promise<T> => {
    for (let left = ATTEMPTS - 1; ; left--) {
      if (closed) throw new TonError('UNAVAILABLE', 'the chain is closed')
      thread ??= begin()
      const on = thread
      try {
        return await attempt<T>(on, kind, value, signal)
      } catch (error) {
        const lost = on.lost()
        if (lost === undefined || closed || signal.aborted) throw error
        if (left === 0 || lost instanceof ThreadSilent)
          throw new TonError('UNAVAILABLE', `the thread that makes blocks fails: ${lost.message}`, { cause: lost, retryAfter: 1 })
      }
    }
  }
  /** An external message as an offset in the log, or as it is. */
  const external = async (input: ExternalInput): Promise<unknown> =>
    input.at ?? packed(await withBocs({ message: input.message, dest: input.dest }))

  /** What every request has. */
  const after = (tip: ChainTip) => ({ tip: tipInLog(tip), fetchedTo: deps.fetched?.end() ?? 0 })

  return {
    async step(tip, input, signal) {
      if (isIdle(tip, input)) return await deps.here.step(tip, input, signal)
      const { externals, ...rest } = input
      const cells = { externals: await Promise.all(externals.map(external)), rest: packed(await withBocs(rest)) }
      const request: StepRequest = { ...after(tip), ...cells }
      return await ask<StepAnswer>('step', request, signal)
    },
    async check(tip, message, utime, signal, earlier = []) {
      const messages: CheckedMessages = [message, ...earlier]
      const cells = { messages: await withBocs(messages) }
      const request: CheckRequest = { ...after(tip), utime, ...cells }
      return await ask<CheckVerdict>('check', request, signal)
    },
    async close() {
      closed = true
      await thread?.end()
    },
  }
}
