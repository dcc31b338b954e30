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
import { createWatch, SILENCE_S, ThreadSilent } from './signs-of-life.ts'

/*
 * A collator in a separate thread, seen from the serving thread. The thread starts when there is work and ends after some idle time. It has no state: the
 * serving thread owns the files. So the loss of a thread costs only the block in progress, which a new thread makes again. A thread that gives no sign of
 * life is terminated and its requests are refused: a new thread might block on the same request.
 */

export interface ThreadCollator extends StepMaker {
  /** Terminates the thread. Later calls are refused. */
  close(): Promise<void>
}

export interface ThreadCollatorDeps {
  readonly data: Omit<CollatorData, 'fetched'>
  readonly fetched: Pick<FetchedLog, 'path' | 'end'> | undefined
  readonly log: Pick<ProducerLog, 'error'>
  /** Makes idle blocks in this thread, so that they start no other thread. */
  readonly here: Collator
  readonly program: URL
  /** For tests: seconds without a sign of life after which a thread is terminated. */
  readonly silence?: number
}

const ATTEMPTS = 2

interface Thread {
  readonly link: Link
  /** Must be called before each request; `idle` after the request. */
  busy(): void
  idle(): void
  lost(): Error | undefined
  end(): Promise<unknown>
}

const isEmpty = ({ externals, internals, accounts, sends = [], config }: StepInput): boolean =>
  externals.length + internals.length + accounts.length + sends.length + config.size === 0

const isIdle = (tip: ChainTip, input: StepInput): boolean => isEmpty(input) && !messagesWaitAt(tip)

/** Starts a thread. `onEnd` is called when the thread is lost, or before it ends because it is idle. */
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
    // Logged once for each thread, even if several requests fail with the error.
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
      // An idle thread must not prevent the process from exiting, so only a busy thread is referenced.
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

export const createThreadCollator = (deps: ThreadCollatorDeps): ThreadCollator => {
  let thread: Thread | undefined
  let lastWork = Number.NEGATIVE_INFINITY
  let closed = false

  /** Throws UNAVAILABLE if the system cannot start a thread. */
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
  /** An external message: its offset in the log, or the message itself if it has no record. */
  const external = async (input: ExternalInput): Promise<unknown> =>
    input.at ?? packed(await withBocs({ message: input.message, dest: input.dest }))

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
