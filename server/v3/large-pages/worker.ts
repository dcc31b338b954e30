import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { ClientConfig } from 'pg'
import type { Answer, AnyHandler } from '../../base/answer.ts'
import type { Call } from '../../base/call.ts'
import { jsonText } from '../../base/json-text.ts'
import { silentLog } from '../../base/log.ts'
import { toAnsweredFailure } from '../../base/threads/failure.ts'
import { createReader, type Reader } from '../../store/postgres/pool.ts'
import { createIndexHandlers } from '../index.ts'
import { AHEAD, type FromThread, type PageRequest, type ThreadSettings, type ToThread } from './protocol.ts'

/* Entry of a thread that makes large pages: the same handlers as in the main thread, over a connection of its own. */

const port = parentPort
if (!port) throw new Error('this file must run in a worker thread')
const { slowQuery, wants } = workerData as ThreadSettings
const post = (message: FromThread): void => port.postMessage(message)

const open = (connection: ClientConfig): Reader =>
  createReader(connection, {
    connections: 1,
    slow: slowQuery === 0 ? undefined : { over: slowQuery, tell: (statement) => post({ type: 'slow', statement }) },
  })

const NICE = 10
/** On a machine with few cores the other threads of the process have priority. Linux has a priority for each thread; elsewhere nothing is changed. */
const giveWay = (): void => {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICE)
  } catch {}
}
giveWay()

interface Database {
  readonly at: string
  readonly reader: Reader
  readonly handlers: Readonly<Record<string, AnyHandler>>
}

let database: Database | undefined
/** The database of a request. It changes when the embedded one was started again. */
const databaseAt = (connection: ClientConfig): Database => {
  const at = JSON.stringify(connection)
  if (database?.at === at) return database
  void database?.reader.close().catch(() => {})
  const reader = open(connection)
  const want = wants ? (token: Buffer): void => post({ type: 'want', token: Uint8Array.from(token) }) : undefined
  database = { at, reader, handlers: createIndexHandlers({ reader, want }) }
  return database
}

/** A page that is being made. */
interface Page {
  readonly controller: AbortController
  /** Pieces that may be sent before the reader asks for more. */
  credit: number
  wake: () => void
}
const pages = new Map<number, Page>()

/** Waits until one more piece may be sent. Rejects when the page is given up. */
const room = async (page: Page): Promise<void> => {
  const { signal } = page.controller
  while (page.credit === 0) {
    signal.throwIfAborted()
    await new Promise<void>((resolve) => {
      page.wake = resolve
    })
  }
  signal.throwIfAborted()
  page.credit--
}

async function* textsOf(answer: Answer, signal: AbortSignal): AsyncGenerator<string> {
  if (answer.pieces === undefined) yield await jsonText(answer, signal)
  else {
    const decoder = new TextDecoder()
    for await (const piece of answer.pieces) yield typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
  }
}

const make = async ({ id, method, params, network, connection }: PageRequest): Promise<void> => {
  const page: Page = { controller: new AbortController(), credit: AHEAD, wake: () => {} }
  const { signal } = page.controller
  pages.set(id, page)
  const call: Call = { network, signal, requestId: '', log: silentLog, localAllowed: false }
  try {
    const answer = await databaseAt(connection).handlers[method]!(params as never, call)
    post({ type: 'begun', id, headers: answer.headers })
    // The reading is always begun: if nobody reads an answer, its snapshot is released only when its pieces are given up.
    for await (const text of textsOf(answer, signal)) {
      await room(page)
      post({ type: 'piece', id, text })
    }
    post({ type: 'done', id })
  } catch (error) {
    post({ type: 'failed', id, failure: toAnsweredFailure(error) })
  } finally {
    pages.delete(id)
  }
}

port.on('message', (message: ToThread) => {
  if (message.type === 'ask') return void make(message)
  const page = pages.get(message.id)
  if (page === undefined) return
  if (message.type === 'more') page.credit++
  else page.controller.abort()
  page.wake()
})
