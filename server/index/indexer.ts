import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { Head, LiteServer } from '../chain/liteserver.ts'
import type { Log } from '../dispatch-types.ts'
import type { Connection, connect } from '../store/connection.ts'
import type { Tvm } from '../tvm/tvm.ts'
import { CheckpointMovedError, readCheckpoint } from './checkpoint.ts'
import type { Extension } from './extension.ts'
import { EXTENSIONS } from './extensions.ts'
import { connectAsLeader } from './leader.ts'
import { EVERYTHING, type Selection } from './selection.ts'
import { IndexRefusal, type Session } from './session.ts'
import { createStatusBoard, type IndexStatus } from './status.ts'
import type { Job } from './thread/protocol.ts'
import type { IndexThread } from './thread/thread.ts'
import { createWorkSource, openWork, type WorkSettings } from './work.ts'

export type { IndexStatus } from './status.ts'

export interface IndexerDeps {
  readonly source: LiteServer
  readonly connection: ClientConfig
  readonly network: string
  readonly log: Log
  /** Runs get-methods for extensions. */
  readonly tvm?: Pick<Tvm, 'runGetMethod'>
  /** EXTENSIONS unless told. */
  readonly extensions?: readonly Extension[]
  /** Whether an index of another chain of the same name may be thrown away: the embedded chain without a data directory begins anew each time. */
  readonly replace?: boolean
  /** Whether the chain may be taken back (the embedded one); of others a server that lags or lies is asked again. */
  readonly reverts?: boolean
  /** The first masterchain block to index, 1 unless told; `head`: the present one. */
  readonly from?: number | 'head'
  /** Which accounts are indexed; all unless told. */
  readonly selection?: Selection
  /** Blocks and states that are asked for at once. */
  readonly lanes?: number
  /** Where long ways are gone; without it all is done here. */
  readonly thread?: IndexThread
  /** Another way to connect, for tests. */
  readonly open?: typeof connect
  /** Milliseconds between tries, for tests. */
  readonly patience?: number
}

export interface Indexer {
  status(): IndexStatus
  /** Resolves when readers can see masterchain block `seqno` (of the present epoch). Rejects when the index is closed before. */
  reached(seqno: number, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

const LANES = 8
const RETRY_MS = 1_000
const LEADER_MS = 2_000
/** What statements under way have when the index is closed: what they wait for may never come. */
const LAST_STATEMENTS_MS = 3_000
/** So many blocks behind the head the thread is worth its start. */
const FAR = 50

export const createIndexer = (deps: IndexerDeps): Indexer => {
  const { log } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const hurrying = new AbortController()
  // Many blocks and states are asked for at once.
  setMaxListeners(0, signal)
  const retry = deps.patience ?? RETRY_MS
  const board = createStatusBoard(signal)
  const { tell } = board
  const { network, from = 1, selection = EVERYTHING, lanes = LANES, reverts = true, replace = false } = deps
  const settings: WorkSettings = { network, from, selection, lanes, reverts, replace, pause: deps.patience }
  const source = createWorkSource(deps.source, settings, log)

  /** Whether the way to a head is for the thread. Extensions that are given here cannot go there. */
  const isFar = async ({ id }: Head, connection: Connection): Promise<boolean> => {
    if (deps.thread === undefined || deps.extensions !== undefined) return false
    const { seqno } = board.status()
    if (seqno >= 0) return id.seqno - seqno > FAR
    const at = await readCheckpoint(connection)
    const first = from === 'head' ? id.seqno : from
    return id.seqno - (at?.seqno ?? first - 1) > FAR
  }

  const jobOf = (head: Head): Job => ({
    ...settings,
    selection: selection.entries,
    head,
    tvm: deps.tvm !== undefined,
    status: board.status(),
  })

  const lead = async (connection: Connection): Promise<void> => {
    let session: Session | undefined
    const openHere = (): Promise<Session> => {
      const { extensions = EXTENSIONS, tvm } = deps
      return openWork(settings, { connection, source, extensions, tvm, board, log }, signal)
    }
    const lost = connection.ended.then(() => {
      throw new Error('the connection to the database was lost')
    })
    lost.catch(() => {})
    // A lost connection must end the wait for a head too, and so must a block that could not be written.
    const following = new AbortController()
    const stop = (): void => following.abort(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    connection.ended.then(() => following.abort())
    const goFar = async (head: Head): Promise<void> => {
      tell({ head: head.id.seqno, phase: 'backfill' })
      try {
        const ports = { connection, source: deps.source, tvm: deps.tvm, board, log }
        await deps.thread!.run(jobOf(head), ports, following.signal)
      } catch (error) {
        // Of a lost connection the thread knows only that it had to stop.
        if (following.signal.aborted && !signal.aborted) await lost
        throw error
      }
    }
    try {
      for await (const head of source.server.heads(following.signal)) {
        if (await isFar(head, connection)) {
          // What a session remembers of the tables is not so any more when another one has written.
          await session?.written()
          session = undefined
          await goFar(head)
        }
        if (session === undefined) {
          session = await openHere()
          session.failed.then(() => following.abort())
        }
        await session.catchUp(head)
      }
      await session?.written()
      if (!signal.aborted) await lost
    } finally {
      signal.removeEventListener('abort', stop)
      following.abort()
      // The connection is let go when nothing is on its way to it any more.
      await session?.written().catch(() => {})
    }
  }

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      let connection: Connection | undefined
      let pause = retry
      try {
        connection = await connectAsLeader(deps.connection, deps.open, hurrying.signal)
        if (connection === undefined) {
          tell({ phase: 'waiting', error: '' })
          pause = deps.patience ?? LEADER_MS
        } else await lead(connection)
      } catch (error) {
        if (signal.aborted) break
        if (error instanceof CheckpointMovedError) pause = 0
        else {
          const text = error instanceof Error ? error.message : String(error)
          log.error('index.failed', { err: error })
          tell({ phase: 'failing', error: text })
          if (error instanceof IndexRefusal) return
        }
      } finally {
        await connection?.close().catch(() => {})
      }
      await sleep(pause, undefined, { signal }).catch(() => {})
    }
    tell({ phase: 'stopped' })
  }
  const running = run()

  return {
    status: board.status,
    reached: board.reached,
    async close() {
      const stopped = new Error('the index is stopped')
      stopping.abort(stopped)
      const patience = setTimeout(() => hurrying.abort(stopped), LAST_STATEMENTS_MS)
      await running
      clearTimeout(patience)
    },
  }
}
