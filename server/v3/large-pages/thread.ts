import type { Worker } from 'node:worker_threads'
import { TonError } from '../../../shared/errors.ts'
import type { Answer, AnswerHeaders } from '../../base/answer.ts'
import type { Log } from '../../base/log.ts'
import { endingWith } from '../../base/pieces.ts'
import { builtWorker } from '../../base/threads/built-worker.ts'
import { fromFailure } from '../../base/threads/failure.ts'
import { createIdleEnd, type IdleEnd, startThread } from '../../base/threads/start.ts'
import { PAGE_READERS } from '../../store/postgres/connection-budget.ts'
import type { ReadableDatabase } from '../../store/replicas/floor.ts'
import type { FromThread, PageRequest, ThreadSettings, ToThread } from './protocol.ts'

/*
 * Makes large pages in worker threads. A page takes seconds of computing and would delay all other calls in the main thread. The main thread only passes
 * the chunks of JSON on to the connection.
 */

export interface PageCall extends Omit<PageRequest, 'id' | 'connection' | 'least'> {
  /** The database to read, and the oldest head that the page may show: that of an earlier answer. */
  readonly database: ReadableDatabase
}

export interface PageThreads {
  /** Makes a page. Rejects with the errors of the handler, and with UNAVAILABLE if the thread dies. */
  ask(page: PageCall, signal: AbortSignal): Promise<Answer>
  close(): Promise<void>
}

export interface PageThreadsOptions extends Omit<ThreadSettings, 'wants'> {
  readonly log: Log
  readonly want: ((token: Buffer) => void) | undefined
  /** URL of the thread's module; for tests. */
  readonly url?: URL
}

/** Heap limit of a thread, in megabytes. A page needs less than a tenth of it. A thread above the limit dies; the service continues. */
const HEAP_MB = 512
/** Milliseconds after which an idle thread is terminated to free its memory. */
const IDLE_MS = 60_000

const { NODE_OPTIONS: _, ...ENVIRONMENT } = process.env

const lost = (cause: unknown): TonError =>
  new TonError('UNAVAILABLE', 'the page could not be made; try again, or take a smaller limit', { retryAfter: 1, cause })

interface OpenPage {
  begun(message: Extract<FromThread, { readonly type: 'begun' }>): void
  piece(bytes: Uint8Array): void
  done(): void
  failed(error: Error): void
}

interface Thread {
  readonly worker: Worker
  readonly pages: Map<number, OpenPage>
  readonly idleEnd: IdleEnd
}

/** Buffers the chunks that have arrived and were not read yet, and the end of the answer. */
const createPieces = (taken: () => void) => {
  const pieces: Uint8Array[] = []
  let end: { readonly error?: Error } | undefined
  let wake = (): void => {}
  async function* read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = pieces.shift()
      if (piece !== undefined) {
        taken()
        yield piece
      } else if (end !== undefined) {
        if (end.error) throw end.error
        return
      } else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }
  return {
    read,
    put(piece: Uint8Array): void {
      pieces.push(piece)
      wake()
    },
    end(error?: Error): void {
      end ??= error === undefined ? {} : { error }
      wake()
    },
  }
}

export const createPageThreads = ({ log, want, slowQuery, url }: PageThreadsOptions): PageThreads => {
  const threads = new Set<Thread>()
  let last = 0

  const onMessage = ({ pages }: Thread, message: FromThread): void => {
    if (message.type === 'want') want?.(Buffer.from(message.token))
    else if (message.type === 'slow') log.warn('sql.slow', message.statement)
    else {
      const page = pages.get(message.id)
      if (message.type === 'begun') page?.begun(message)
      else if (message.type === 'piece') page?.piece(message.bytes)
      else if (message.type === 'done') page?.done()
      else page?.failed(fromFailure(message.failure))
    }
  }

  const start = (): Thread => {
    const settings: ThreadSettings = { slowQuery, wants: want !== undefined }
    const worker = startThread(url ?? builtWorker('v3'), {
      name: 'pages',
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      // The PostgreSQL driver takes settings that the URL lacks from the environment (PGPASSWORD, HOME for ~/.pgpass, ...).
      env: ENVIRONMENT,
    })
    const idleEnd = createIdleEnd(IDLE_MS, () => {
      threads.delete(thread)
      void worker.terminate()
    })
    const thread: Thread = { worker, pages: new Map(), idleEnd }
    const gone = (error: Error): void => {
      threads.delete(thread)
      idleEnd.busy()
      for (const page of thread.pages.values()) page.failed(lost(error))
    }
    worker.on('message', (message: FromThread) => onMessage(thread, message))
    worker.on('error', (err) => {
      log.error('pages.thread_failed', { err })
      gone(err)
    })
    worker.on('exit', (code) => gone(new Error(`the thread of large pages ended with code ${code}`)))
    // An idle thread must not keep the process alive. A waiting request does that by its connection.
    worker.unref()
    threads.add(thread)
    return thread
  }

  /** Returns the thread with the fewest pages, or a new thread if all are busy and the limit is not reached. Each thread has one database connection. */
  const least = (): Thread => {
    const [first, ...others] = [...threads].sort((a, b) => a.pages.size - b.pages.size)
    if (first === undefined || (first.pages.size > 0 && others.length + 1 < PAGE_READERS)) return start()
    first.idleEnd.busy()
    return first
  }

  const rest = (thread: Thread): void => {
    if (thread.pages.size === 0 && threads.has(thread)) thread.idleEnd.idle()
  }

  return {
    async ask({ database: { connection, floor }, ...page }, signal) {
      signal.throwIfAborted()
      const thread = least()
      const id = ++last
      const send = (message: ToThread): void => thread.worker.postMessage(message)
      let isOver = false
      const over = (): void => {
        if (isOver) return
        isOver = true
        signal.removeEventListener('abort', abort)
        thread.pages.delete(id)
        rest(thread)
      }
      const abort = (): void => {
        if (isOver) return
        send({ type: 'abort', id })
        over()
        failed(signal.reason)
      }
      const pieces = createPieces(() => {
        if (!isOver) send({ type: 'more', id })
      })
      let failed = (_: Error): void => {}
      const begun = new Promise<AnswerHeaders | undefined>((resolve, reject) => {
        failed = (error) => {
          reject(error)
          pieces.end(error)
        }
        thread.pages.set(id, {
          begun({ headers, head }) {
            if (head) floor.raise(head)
            resolve(headers)
          },
          piece: pieces.put,
          done() {
            over()
            pieces.end()
          },
          failed(error) {
            over()
            failed(error)
          },
        })
      })
      signal.addEventListener('abort', abort, { once: true })
      send({ type: 'ask', id, ...page, connection, least: floor.at() })
      const headers = await begun
      return { pieces: endingWith(pieces.read(), abort), ...(headers && { headers }) }
    },
    async close() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}
