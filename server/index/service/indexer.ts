import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { Log } from '../../base/log.ts'
import type { Head, LiteServer } from '../../chain/liteserver.ts'
import type { Connection, connect } from '../../store/postgres/connection.ts'
import { databaseFault } from '../../store/postgres/faults.ts'
import type { Tvm } from '../../tvm/tvm.ts'
import { CheckpointMovedError, readCheckpoint } from '../follow/checkpoint.ts'
import { IndexRefusal, ofAnotherChain, type Session } from '../follow/session.ts'
import { createWorkSource, openWork, type WorkSettings } from '../follow/work.ts'
import type { Job } from '../thread/protocol.ts'
import type { IndexThread } from '../thread/thread.ts'
import { actionsExtension } from '../topics/actions/extension.ts'
import { rederiveActions } from '../topics/actions/rederive.ts'
import { EXTENSIONS } from '../topics/registry.ts'
import type { Extension } from '../topics/topic.ts'
import { connectAsLeader, type KeptIndex } from './leader.ts'
import { EVERYTHING, type Selection } from './selection.ts'
import { createStatusBoard, type IndexStatus } from './status.ts'

export type { IndexStatus } from './status.ts'

export interface IndexerDeps {
  readonly source: LiteServer
  readonly connection: ClientConfig
  readonly network: string
  readonly log: Log
  /** Runs get-methods for extensions. */
  readonly tvm?: Pick<Tvm, 'runGetMethod'>
  /** EXTENSIONS by default. */
  readonly extensions?: readonly Extension[]
  /** Whether the chain ends with its process: the next chain with the same network name may then discard this index. */
  readonly passing?: boolean
  /** Whether the chain can be reverted (only the embedded one can). On other chains a block that does not fit is a fault of the server: retry. */
  readonly reverts?: boolean
  /** The first masterchain block to index, 1 by default; `head`: the current one. */
  readonly from?: number | 'head'
  /** Which accounts are indexed; all by default. */
  readonly selection?: Selection
  /** Blocks and states that are requested in parallel. */
  readonly lanes?: number
  /** Runs long backfills; without it the main thread does all the work. */
  readonly thread?: IndexThread
  /** Replaces `connect` in tests. */
  readonly open?: typeof connect
  /** Milliseconds between attempts, for tests. */
  readonly patience?: number
}

export interface Indexer {
  status(): IndexStatus
  /** Resolves when readers can see masterchain block `seqno` (in the current epoch). Rejects if the index is closed first. */
  reached(seqno: number, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

const LANES = 8
const RETRY_MS = 1_000
/** The pause doubles up to this while the same failure repeats. */
const LONGEST_RETRY_MS = 5_000
/** Pause after a failure that only a person can fix. */
const REFUSED_MS = 30_000
const LEADER_MS = 500
/** Time for running statements to end when the index is closed. After it the connection is cut, since they could wait forever. */
const LAST_STATEMENTS_MS = 3_000
/** The thread is used if the index is more than this many blocks behind the head; otherwise starting it costs too much. */
const FAR = 50

export const createIndexer = (deps: IndexerDeps): Indexer => {
  const { log } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const hurrying = new AbortController()
  // Many parallel requests listen to this signal.
  setMaxListeners(0, signal)
  const retry = deps.patience ?? RETRY_MS
  const board = createStatusBoard(signal)
  const { tell } = board
  const { network, from = 1, selection = EVERYTHING, lanes = LANES, reverts = true, passing = false } = deps
  const settings: WorkSettings = { network, from, selection, lanes, reverts, passing, pause: deps.patience }
  const source = createWorkSource(deps.source, settings, log)

  /** Whether to catch up in the thread. Extensions from `deps` cannot be sent to a thread, so then the answer is no. */
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
    // A lost connection or a failed write must also end the wait for the next head.
    const following = new AbortController()
    const stop = (): void => following.abort(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    connection.ended.then(() => following.abort())
    /** Derives the actions of traces that another release indexed, in parallel with new blocks. */
    const rederive = async (): Promise<void> => {
      if (!(deps.extensions ?? EXTENSIONS).includes(actionsExtension)) return
      const failed = (what: string, err: unknown): void => {
        log.warn('index.actions_failed', { what, err })
        tell({ failedTraces: board.status().failedTraces + 1 })
      }
      const left = (tracesLeft: number): void => tell({ tracesLeft })
      await rederiveActions({ config: deps.connection, left, failed }, following.signal).catch((err: unknown) => {
        if (!following.signal.aborted) log.warn('index.rederive_failed', { err })
      })
    }
    let rederiving: Promise<void> | undefined
    const goFar = async (head: Head): Promise<void> => {
      tell({ head: head.id.seqno, phase: 'backfill' })
      try {
        const ports = { connection, source: deps.source, tvm: deps.tvm, board, log }
        await deps.thread!.run(jobOf(head), ports, following.signal)
      } catch (error) {
        // If the connection was lost, the thread only knows that it was aborted: throw the real reason.
        if (following.signal.aborted && !signal.aborted) await lost
        throw error
      }
    }
    try {
      for await (const head of source.server.heads(following.signal)) {
        if (await isFar(head, connection)) {
          // The thread writes to the tables, so what this session caches of them becomes stale: drop the session.
          await session?.written()
          session = undefined
          await goFar(head)
        }
        if (session === undefined) {
          session = await openHere()
          session.failed.then(() => following.abort())
          rederiving ??= rederive()
        }
        await session.catchUp(head)
      }
      await session?.written()
      if (!signal.aborted) await lost
    } finally {
      signal.removeEventListener('abort', stop)
      following.abort()
      await rederiving
      // The caller closes the connection next, so wait until all writes are finished.
      await session?.written().catch(() => {})
    }
  }

  let zeroHash: Uint8Array | undefined
  /** While another process indexes, readers here see what it has published, if it indexes the same chain. */
  const follow = async (kept: KeptIndex | undefined): Promise<void> => {
    if (kept === undefined) return tell({ phase: 'waiting', seqno: -1, error: '' })
    zeroHash ??= (await source.zeroState(signal)).rootHash
    if (Buffer.compare(kept.zeroHash, zeroHash) !== 0) return tell({ phase: 'waiting', seqno: -1, error: ofAnotherChain(kept.network) })
    tell({ phase: 'waiting', seqno: kept.seqno, first: kept.first, error: '' })
  }

  /** Waits until this process may index. Meanwhile reports the progress of the process that does. */
  const becomeLeader = async (): Promise<Connection> => {
    const waiting = new AbortController()
    const stop = AbortSignal.any([signal, waiting.signal])
    let isWatching = false
    const watchHeads = async (): Promise<void> => {
      for await (const { id } of source.server.heads(stop)) tell({ head: id.seqno })
    }
    const onWait = async (kept: KeptIndex | undefined): Promise<void> => {
      if (!isWatching) watchHeads().catch((err: unknown) => log.debug('index.heads_failed', { err }))
      isWatching = true
      await follow(kept)
    }
    try {
      return await connectAsLeader(
        deps.connection,
        { pause: deps.patience ?? LEADER_MS, onWait, cut: hurrying.signal, open: deps.open },
        signal,
      )
    } finally {
      waiting.abort()
    }
  }

  /** Returns a function that gives the milliseconds before the next attempt. The same error again without progress is logged as `debug` only. */
  const createFailures = (): ((error: unknown) => number) => {
    let last = { text: '', seqno: -1, pause: 0 }
    return (error) => {
      const text = error instanceof Error ? error.message : String(error)
      const { seqno } = board.status()
      const isNews = text !== last.text || seqno !== last.seqno
      log[isNews ? 'error' : 'debug']('index.failed', { err: error })
      const isRefusal = error instanceof IndexRefusal
      tell({ phase: isRefusal ? 'refused' : 'failing', error: text, cause: databaseFault(error) ?? '' })
      last = { text, seqno, pause: isNews ? retry : Math.min(last.pause * 2, LONGEST_RETRY_MS) }
      return isRefusal ? (deps.patience ?? REFUSED_MS) : last.pause
    }
  }

  const run = async (): Promise<void> => {
    const failed = createFailures()
    while (!signal.aborted) {
      let connection: Connection | undefined
      let pause = retry
      try {
        connection = await becomeLeader()
        await lead(connection)
      } catch (error) {
        if (signal.aborted) break
        pause = error instanceof CheckpointMovedError ? 0 : failed(error)
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
