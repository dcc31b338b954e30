import type { ClientConfig } from 'pg'
import { joinAbort } from '../../base/abort.ts'
import type { Log } from '../../base/log.ts'
import type { Connection, connect } from '../../store/postgres/connection.ts'
import { anotherChainText } from '../follow/open-index.ts'
import type { Source } from '../follow/source.ts'
import { connectAsLeader, type LeaderIndex } from './leader-lock.ts'
import type { StatusBoard } from './status.ts'

const LEADER_MS = 500

export interface CandidateDeps {
  readonly connection: ClientConfig
  readonly source: Source
  readonly board: StatusBoard
  readonly log: Log
  /** Aborting this signal closes the connection, even if the connection has the lock. */
  readonly cut: AbortSignal
  readonly open?: typeof connect | undefined
  readonly patience?: number | undefined
}

/** Returns a function that waits until this process may index. Meanwhile the status shows the progress of the process that indexes. */
export const createCandidate = (deps: CandidateDeps, signal: AbortSignal): (() => Promise<Connection>) => {
  const { connection, source, board, log, cut, open, patience } = deps
  const { update } = board
  let zeroHash: Uint8Array | undefined

  /** While another process indexes the same chain, readers of this process see the blocks that the other process has published. */
  const follow = async (index: LeaderIndex | undefined): Promise<void> => {
    if (index === undefined) return update({ phase: 'waiting', seqno: -1, error: '' })
    zeroHash ??= (await source.zeroState(signal)).rootHash
    if (Buffer.compare(index.zeroHash, zeroHash) !== 0)
      return update({ phase: 'waiting', seqno: -1, error: anotherChainText(index.network) })
    update({ phase: 'waiting', seqno: index.seqno, first: index.first, error: '' })
  }

  return async () => {
    const waiting = joinAbort(signal)
    let isWatching = false
    const watchHeads = async (): Promise<void> => {
      for await (const { id } of source.server.heads(waiting.signal)) update({ head: id.seqno })
    }
    const onWait = async (index: LeaderIndex | undefined): Promise<void> => {
      if (!isWatching) watchHeads().catch((err: unknown) => log.debug('index.heads_failed', { err }))
      isWatching = true
      await follow(index)
    }
    try {
      return await connectAsLeader(connection, { pause: patience ?? LEADER_MS, onWait, cut, open }, signal)
    } finally {
      waiting.release()
      waiting.abort()
    }
  }
}
