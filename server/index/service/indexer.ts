import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { createAbortController } from '../../base/abort.ts'
import type { Log } from '../../base/log.ts'
import type { LiteServer } from '../../chain/liteserver.ts'
import type { Keep } from '../../config/index-keep.ts'
import type { connect } from '../../store/postgres/connection.ts'
import type { Tvm } from '../../tvm/tvm.ts'
import { CheckpointMovedError } from '../follow/checkpoint.ts'
import { createIndexSource, type IndexSettings } from '../follow/session.ts'
import type { Topic } from '../topics/topic.ts'
import { EVERYTHING, type Selection } from './account-selection.ts'
import { becomeLeader } from './candidate.ts'
import { createFailures, logRecoveries } from './failures.ts'
import { followChain } from './lead.ts'
import { createStatusBoard, type StatusBoard } from './status.ts'

export interface IndexerDeps {
  readonly source: LiteServer
  readonly connection: ClientConfig
  readonly network: string
  readonly log: Log
  readonly tvm?: Pick<Tvm, 'runGetMethod'>
  readonly topics?: readonly Topic[]
  /** True if the chain ends with its process. The next chain with the same network name may then discard this index. */
  readonly isTransient?: boolean
  /**
   * True if the chain can be reverted (only the embedded chain can). On other chains a block that does not fit is an error of the server, and the request
   * is repeated.
   */
  readonly reverts?: boolean
  /** First masterchain block of a new index, 1 by default; `head`: the current block. */
  readonly from?: number | 'head'
  readonly selection?: Selection
  /** Number of blocks and states that are requested in parallel. */
  readonly lanes?: number
  readonly keep?: Keep | undefined
  /** The status of the index; by default one of its own. */
  readonly board?: StatusBoard
  readonly open?: typeof connect
  readonly patience?: number
}

/** What the settings of a network say of its index. */
export type IndexPart = Required<Pick<IndexerDeps, 'from' | 'selection' | 'lanes'>> & Pick<IndexerDeps, 'keep'>

export type Indexer = ReturnType<typeof createIndexer>

const LANES = 8
/** Milliseconds in which running statements may end when the index is closed. Then the connection is cut, because statements could wait forever. */
const LAST_STATEMENTS_MS = 3_000

/** Waits until this process may index, follows the chain until closed, and starts again after a failure. */
export const createIndexer = (deps: IndexerDeps) => {
  const { log, open, patience, source: server, connection: config } = deps
  const stopping = createAbortController()
  const { signal } = stopping
  const hurrying = new AbortController()
  const board = logRecoveries(deps.board ?? createStatusBoard(signal), log)
  const { network, from = 1, selection = EVERYTHING, lanes = LANES, reverts = true, isTransient = false } = deps
  const settings: IndexSettings = { network, from, selection, lanes, reverts, isTransient, pause: patience }
  const source = createIndexSource(server, settings, log)
  const candidate = { config, source, board, log, cut: hurrying.signal, open, patience }
  const { tvm, topics, keep } = deps
  const following = { config, settings, source, tvm, topics, keep, board, log }

  const run = async (): Promise<void> => {
    const onFailure = createFailures(board, log, patience)
    while (!signal.aborted) {
      let pause = 0
      try {
        await using connection = await becomeLeader(candidate, signal)
        await followChain(following, connection, signal)
      } catch (error) {
        if (signal.aborted) break
        if (!(error instanceof CheckpointMovedError)) pause = onFailure(error)
      }
      await sleep(pause, undefined, { signal }).catch(() => {})
    }
    board.update({ phase: 'stopped' })
  }
  const running = run()

  return {
    status: board.status,
    /** Resolves when readers see masterchain block `seqno`. Rejects if the index is closed first, and with the signal's reason on abort. */
    reached: board.reached,
    async close(): Promise<void> {
      const stopped = new Error('the index is stopped')
      stopping.abort(stopped)
      using _patience = setTimeout(() => hurrying.abort(stopped), LAST_STATEMENTS_MS)
      await running
    },
  }
}
