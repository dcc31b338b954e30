import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { ClientConfig } from 'pg'
import type { Answer } from '../../base/answer.ts'
import type { Call } from '../../base/call.ts'
import { jsonText } from '../../base/json-text.ts'
import { silentLog } from '../../base/log.ts'
import { Lru } from '../../base/memory/lru.ts'
import { toAnsweredFailure } from '../../base/threads/failure.ts'
import { createLateReader } from '../../index/service/late-reader.ts'
import { createReader, type Reader } from '../../store/postgres/reader.ts'
import { createFloor } from '../../store/replicas/floor.ts'
import { createIndexHandlers } from '../index.ts'
import { AHEAD, type FromThread, type PageRequest, type ThreadSettings, type ToThread } from './protocol.ts'

/* Entry point of a thread that makes large pages. It runs the handlers of the main thread on its own database connection. */

const port = parentPort
if (!port) throw new Error('this file must run in a worker thread')
const { slowQuery, wants } = workerData as ThreadSettings
const post = (message: FromThread): void => port.postMessage(message)
const postPiece = (id: number, bytes: Uint8Array<ArrayBuffer>): void =>
  port.postMessage({ type: 'piece', id, bytes } satisfies FromThread, [bytes.buffer])

const open = (connection: ClientConfig): Reader =>
  createReader(connection, {
    connections: 1,
    slow: slowQuery === 0 ? undefined : { over: slowQuery, log: (statement) => post({ type: 'slow', statement }) },
  })

const NICE = 10
/**
 * Lowers the priority of this thread, because with few cores the other threads are more urgent. Has no effect outside Linux, the only system with a
 * priority per thread.
 */
const giveWay = (): void => {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICE)
  } catch {}
}
giveWay()

/** Maximum number of cached readers. There can be several databases: replicas, or an embedded server that was restarted on another port. */
const MAX_DATABASES = 16
const readers = new Lru<string, Reader>({ max: MAX_DATABASES, dispose: (reader) => void reader.close().catch(() => {}) })

/** The reader of a database. Cached, because the next page may use the same database. Idle connections are closed. */
const readerOf = (connection: ClientConfig): Reader => {
  const at = JSON.stringify(connection)
  const cached = readers.get(at)
  if (cached) return cached
  const reader = open(connection)
  readers.set(at, reader)
  return reader
}

const want = wants ? (token: Buffer): void => post({ type: 'want', token: Uint8Array.from(token) }) : undefined

interface Page {
  readonly controller: AbortController
  /** Number of chunks that may be sent before the main thread requests more. */
  credit: number
  wake: () => void
}
const pages = new Map<number, Page>()

/** Waits until one more chunk may be sent. Rejects when the page is aborted. */
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

const encoder = new TextEncoder()

/** The chunks of an answer, each in its own ArrayBuffer, so that it can be transferred. */
async function* piecesOf(answer: Answer, signal: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (answer.pieces === undefined) yield encoder.encode(await jsonText(answer, signal))
  else for await (const piece of answer.pieces) yield typeof piece === 'string' ? encoder.encode(piece) : ownPiece(piece)
}

/** Copies the bytes unless they fill their ArrayBuffer. */
const ownPiece = (piece: Uint8Array): Uint8Array<ArrayBuffer> =>
  piece.byteLength === piece.buffer.byteLength && piece.buffer instanceof ArrayBuffer
    ? (piece as Uint8Array<ArrayBuffer>)
    : Uint8Array.from(piece)

const make = async ({ id, method, params, network, connection, least }: PageRequest): Promise<void> => {
  const page: Page = { controller: new AbortController(), credit: AHEAD, wake: () => {} }
  const { signal } = page.controller
  pages.set(id, page)
  const call: Call = { network, signal, requestId: '', log: silentLog, localAllowed: false, isLarge: true }
  try {
    const floor = createFloor(least)
    const handlers = createIndexHandlers({ reader: createLateReader(() => readerOf(connection), floor), want })
    const answer = await handlers[method]!(params as never, call)
    post({ type: 'begun', id, headers: answer.headers, head: floor.at() })
    // Iterates the answer even after an abort. Without iteration the snapshot would never be released.
    for await (const piece of piecesOf(answer, signal)) {
      await room(page)
      postPiece(id, piece)
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
