import { once } from 'node:events'
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { ClientConfig } from 'pg'
import { createAbortController } from '../../base/abort.ts'
import type { Call } from '../../base/call.ts'
import { silentLog } from '../../base/log.ts'
import { Lru } from '../../base/memory/lru.ts'
import { textOfPiece } from '../../base/pieces.ts'
import { toFailure } from '../../base/threads/failure.ts'
import { createLateReader } from '../../index/service/late-reader.ts'
import { createReader, type Reader } from '../../store/postgres/reader.ts'
import { createFloor } from '../../store/replicas/floor.ts'
import { createIndexHandlers } from '../index.ts'
import { AHEAD, type FromPage, type FromThread, type PageRequest, type ThreadSettings } from './protocol.ts'

/* Entry point of a thread that makes large pages. It runs the handlers of the main thread on its own database connection. */

if (!parentPort) throw new Error('this file must run in a worker thread')
const main = parentPort
const { slowQuery, wants } = workerData as ThreadSettings
const report = (message: FromThread): void => main.postMessage(message)

// Without this, node would print warnings of this thread as text, whatever the format of the log.
process.removeAllListeners('warning')
process.on('warning', (warning) => report({ type: 'warning', warning: toFailure(warning) }))

const open = (connection: ClientConfig): Reader =>
  createReader(connection, {
    connections: 1,
    slow: slowQuery === 0 ? undefined : { over: slowQuery, log: (statement) => report({ type: 'slow', statement }) },
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

const want = wants ? (token: Buffer): void => report({ type: 'want', token: Uint8Array.from(token) }) : undefined

const encoder = new TextEncoder()

const make = async ({ method, params, network, connection, least, port }: PageRequest): Promise<void> => {
  const controller = createAbortController()
  const { signal } = controller
  let credit = AHEAD
  port.on('message', () => credit++)
  port.on('close', () => controller.abort())
  const post = (message: FromPage, transferred: ArrayBuffer[] = []): void => port.postMessage(message, transferred)
  const call: Call = { network, signal, requestId: '', log: silentLog, localAllowed: false, isLarge: true }
  try {
    const floor = createFloor(least)
    const handlers = createIndexHandlers({ reader: createLateReader(() => readerOf(connection), floor), want })
    const answer = await handlers[method]!(params as never, call)
    post({ type: 'begun', headers: answer.headers, head: floor.at() })
    // Iterates the answer even after an abort. Without iteration the snapshot would never be released.
    for await (const piece of answer.pieces!) {
      if (credit === 0) await once(port, 'message', { signal })
      signal.throwIfAborted()
      credit--
      const bytes = encoder.encode(textOfPiece(piece))
      post({ type: 'piece', bytes }, [bytes.buffer])
    }
    post({ type: 'done' })
  } catch (error) {
    post({ type: 'failed', failure: toFailure(error) })
  }
}

main.on('message', make)
