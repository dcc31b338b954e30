import { on } from 'node:events'
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads'
import { TonError } from '../../../shared/errors.ts'
import type { Answer } from '../../base/answer.ts'
import type { Log } from '../../base/log.ts'
import { endingWith } from '../../base/pieces.ts'
import { builtWorker } from '../../base/threads/built-worker.ts'
import { fromFailure } from '../../base/threads/failure.ts'
import { createIdleEnd, IDLE_MS, type IdleEnd, startThread } from '../../base/threads/start.ts'
import { PAGE_READERS } from '../../store/postgres/connection-budget.ts'
import type { ReadableDatabase } from '../../store/replicas/floor.ts'
import type { FromPage, FromThread, PageRequest, ThreadSettings } from './protocol.ts'

/*
 * Makes large pages in worker threads. A page takes seconds of computing and would delay all other calls in the main thread. The main thread only passes
 * the chunks of JSON on to the connection.
 */

export interface PageCall extends Omit<PageRequest, 'connection' | 'least' | 'port'> {
  /** The database to read, and the oldest head that the page may show: that of an earlier answer. */
  readonly database: ReadableDatabase
}

export type PageThreads = ReturnType<typeof createPageThreads>

export interface PageThreadsOptions extends Omit<ThreadSettings, 'wants'> {
  readonly log: Log
  readonly want: ((token: Buffer) => void) | undefined
  /** URL of the thread's module; for tests. */
  readonly url?: URL
}

/** Heap limit of a thread, in megabytes. A page needs less than a tenth of it. A thread above the limit dies; the service continues. */
const HEAP_MB = 512
/** Room for new objects. The rows of a page live for many milliseconds. With V8's default most of them would be copied before they end. */
const YOUNG_MB = 64

const { NODE_OPTIONS: _, ...ENVIRONMENT } = process.env

interface Thread {
  readonly worker: Worker
  readonly idleEnd: IdleEnd
  pages: number
}

/** Messages of a page until it is done. Throws the page's error, UNAVAILABLE if the thread dies before, or the signal's reason. */
async function* messagesOf(port: MessagePort, close: () => void, signal: AbortSignal): AsyncGenerator<FromPage> {
  const messages = on(port, 'message', { signal, close: ['close'] } as Parameters<typeof on>[2]) as AsyncIterable<[FromPage]>
  port.unref()
  try {
    for await (const [message] of messages) {
      if (message.type === 'failed') throw fromFailure(message.failure)
      if (message.type === 'done') return
      yield message
    }
    throw new TonError('UNAVAILABLE', 'the page could not be made; try again, or take a smaller limit', { retryAfter: 1 })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    close()
  }
}

async function* bytesOf(messages: AsyncIterable<FromPage>, port: MessagePort): AsyncGenerator<Uint8Array> {
  for await (const message of messages) {
    if (message.type !== 'piece') continue
    port.postMessage('more')
    yield message.bytes
  }
}

export const createPageThreads = ({ log, want, slowQuery, url }: PageThreadsOptions) => {
  const threads = new Set<Thread>()

  const start = (): Thread => {
    const settings: ThreadSettings = { slowQuery, wants: want !== undefined }
    const worker = startThread(url ?? builtWorker('v3'), {
      name: 'pages',
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
      // The PostgreSQL driver takes settings that the URL lacks from the environment (PGPASSWORD, HOME for ~/.pgpass, ...).
      env: ENVIRONMENT,
    })
    const idleEnd = createIdleEnd(IDLE_MS, () => {
      threads.delete(thread)
      void worker.terminate()
    })
    const thread: Thread = { worker, idleEnd, pages: 0 }
    worker.on('message', (message: FromThread) => {
      if (message.type === 'want') want?.(Buffer.from(message.token))
      else if (message.type === 'slow') log.warn('sql.slow', message.statement)
      else process.emitWarning(fromFailure(message.warning))
    })
    worker.on('error', (err) => log.error('pages.thread_failed', { err }))
    worker.on('exit', () => {
      threads.delete(thread)
      idleEnd.busy()
    })
    // An idle thread must not keep the process alive. A waiting request does that by its connection.
    worker.unref()
    threads.add(thread)
    return thread
  }

  /** Returns the thread with the fewest pages, or a new thread if all are busy and the limit is not reached. Each thread has one database connection. */
  const least = (): Thread => {
    const [first] = [...threads].sort((a, b) => a.pages - b.pages)
    return first === undefined || (first.pages > 0 && threads.size < PAGE_READERS) ? start() : first
  }

  return {
    /** Makes a page. Rejects with the errors of the handler, and with UNAVAILABLE if the thread dies. */
    async ask({ database: { connection, floor }, ...page }: PageCall, signal: AbortSignal): Promise<Answer> {
      signal.throwIfAborted()
      const thread = least()
      thread.idleEnd.busy()
      thread.pages++
      const { port1: port, port2 } = new MessageChannel()
      let isOver = false
      const close = (): void => {
        if (isOver) return
        isOver = true
        port.close()
        if (--thread.pages === 0 && threads.has(thread)) thread.idleEnd.idle()
      }
      port.once('close', () => {
        // Nobody but a thread that dies closes the port on the other side. The exit of the thread is reported later.
        if (!isOver) threads.delete(thread)
        close()
      })
      const request: PageRequest = { ...page, connection, least: floor.at(), port: port2 }
      thread.worker.postMessage(request, [port2])
      const messages = messagesOf(port, close, signal)
      const { value: begun } = await messages.next()
      if (begun?.type !== 'begun') throw new Error('a page has no beginning')
      if (begun.head) floor.raise(begun.head)
      return { pieces: endingWith(bytesOf(messages, port), close), isTransient: true, ...(begun.headers && { headers: begun.headers }) }
    },
    async close(): Promise<void> {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}
