import type { Worker } from 'node:worker_threads'
import { createAbortController } from '../../base/abort.ts'
import type { Log } from '../../base/log.ts'
import { builtWorker } from '../../base/threads/built-worker.ts'
import { fromFailure, toFailure } from '../../base/threads/failure.ts'
import { packed, withBuffers } from '../../base/threads/packed.ts'
import { createSendQueue } from '../../base/threads/send-queue.ts'
import { createIdleEnd, startThread } from '../../base/threads/start.ts'
import { parseBocRoot } from '../../cell/boc.ts'
import type { LiteServer } from '../../chain/liteserver.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { packResult, unpackMethod } from '../../tvm/pack-requests.ts'
import type { Tvm } from '../../tvm/tvm.ts'
import type { StatusBoard } from '../service/status.ts'
import { createVerdicts } from './answer-verdicts.ts'
import { INDEX_ERRORS } from './errors.ts'
import type { Answer, CallName, Calls, FromThread, Job, Question, ToThread } from './protocol.ts'

/*
 * Backfill in a worker thread: blocks are parsed and rows are derived in parallel with the rest of the process, including the COPY of earlier rows. Blocks
 * that arrive one by one are derived in the main thread, which is faster for single blocks.
 */

export interface ThreadPorts {
  readonly connection: Connection
  readonly source: LiteServer
  readonly tvm: Pick<Tvm, 'runGetMethod'> | undefined
  readonly board: StatusBoard
  readonly log: Log
}

export interface IndexThread {
  /**
   * Indexes from the stored checkpoint up to the job's head. Rejects if the work fails or the thread dies; uncommitted rows are lost then. After an abort
   * the promise settles when the thread no longer uses the connection.
   */
  run(job: Job, ports: ThreadPorts, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Megabytes of V8's young generation. A group of blocks lives until it is written. A small young generation would copy the group twice. */
const YOUNG_MB = 64
/** Milliseconds after which an idle thread ends, which frees its memory. */
const IDLE_MS = 2_000
/** Milliseconds after which an aborted thread is terminated. */
const GRACE_MS = 2_000

const answers = ({ connection, source, tvm }: ThreadPorts, signal: AbortSignal) =>
  ({
    query: ({ text, values }) => connection.query(text, values && withBuffers(values)),
    script: ({ text, rows }) => connection.script(text, rows) as Promise<undefined>,
    ask: ({ fn, args }) => source.query(fn, args, signal),
    run: async ({ request, config }) => {
      if (tvm === undefined) throw new Error('the index was given no TVM')
      return packResult(await tvm.runGetMethod(unpackMethod(request, parseBocRoot(config)), signal))
    },
  }) satisfies { readonly [N in keyof Calls]: (args: Calls[N]['args']) => Promise<Calls[N]['answer']> }

export interface IndexThreadOptions {
  readonly url?: URL
  readonly idleMs?: number
}

/** Creates the index thread. The worker starts with the first job. */
export const createIndexThread = ({ url = builtWorker('index'), idleMs = IDLE_MS }: IndexThreadOptions = {}): IndexThread => {
  let worker: Worker | undefined
  const idleEnd = createIdleEnd(idleMs, () => void end())

  const end = async (): Promise<void> => {
    idleEnd.busy()
    const ending = worker
    worker = undefined
    await ending?.terminate()
  }

  const start = (): Worker => {
    idleEnd.busy()
    if (worker !== undefined) {
      worker.ref()
      return worker
    }
    const started = startThread(url, { name: 'index', resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } })
    const forget = (): void => {
      if (worker === started) worker = undefined
    }
    // A running job gets the error too. The next job starts another thread.
    started.on('error', forget)
    started.on('exit', forget)
    worker = started
    return started
  }

  const rest = (): void => {
    worker?.unref()
    idleEnd.idle()
  }

  return {
    async run(job, ports, signal) {
      signal.throwIfAborted()
      const running = start()
      /** Aborts all calls of the thread when the job ends: nobody would receive the answers. */
      const over = createAbortController()
      const handlers = answers(ports, over.signal)
      const verdicts = createVerdicts(over.signal)
      const post = (message: ToThread): void => running.postMessage(message)
      const put = createSendQueue<Answer>((given) => post({ type: 'answers', answers: given }))
      const answer = async (id: number, name: CallName, args: unknown): Promise<void> => {
        try {
          put({ id, value: packed(await (handlers[name] as (args: unknown) => Promise<unknown>)(args)) })
        } catch (error) {
          post({ type: 'failed', id, failure: toFailure(error) })
        }
      }
      const { source } = ports
      /** Passes the thread's verdict on an answer to the source. After a refusal the source asks the next server. */
      const ask = async ({ id, args, judged }: Question): Promise<void> => {
        if (judged === undefined || source.checked === undefined) return answer(id, 'ask', args)
        const check = (value: unknown): Promise<void> => {
          put({ id, value: packed(value) })
          return verdicts.of(id)
        }
        try {
          await source.checked(args.fn, args.args, over.signal, check, judged)
        } catch (error) {
          post({ type: 'failed', id, failure: toFailure(error) })
        }
      }
      let grace: NodeJS.Timeout | undefined
      const abort = (): void => {
        post({ type: 'abort' })
        over.abort(signal.reason)
        grace = setTimeout(() => void running.terminate(), GRACE_MS)
      }
      let onMessage = (_: FromThread): void => {}
      let failed = (_: Error): void => {}
      let exited = (_: number): void => {}
      const settled = new Promise<void>((resolve, reject) => {
        onMessage = (message) => {
          if (message.type === 'call') void answer(message.id, message.name, message.args)
          else if (message.type === 'asks') for (const question of message.questions) void ask(question)
          else if (message.type === 'verdicts') for (const verdict of message.verdicts) verdicts.settle(verdict)
          else if (message.type === 'tell') ports.board.update(message.change)
          else if (message.type === 'log') {
            const { level, event, failure, fields } = message
            ports.log[level](event, failure === undefined ? fields : { ...fields, err: fromFailure(failure, INDEX_ERRORS) })
          } else if (message.failure === undefined) resolve()
          else reject(fromFailure(message.failure, INDEX_ERRORS))
        }
        failed = (error) => reject(new Error(`the index's thread failed: ${error.message}`, { cause: error }))
        exited = (code) => reject(new Error(`the index's thread ended with code ${code}`))
      })
      running.on('message', onMessage)
      running.on('error', failed)
      running.on('exit', exited)
      signal.addEventListener('abort', abort, { once: true })
      try {
        post({ type: 'job', job, several: source.checked !== undefined })
        await settled
      } finally {
        over.abort(new Error('the job of the index is over'))
        clearTimeout(grace)
        signal.removeEventListener('abort', abort)
        running.off('message', onMessage)
        running.off('error', failed)
        running.off('exit', exited)
        rest()
      }
    },
    close: end,
  }
}
