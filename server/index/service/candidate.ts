import { setTimeout as sleep } from 'node:timers/promises'
import { joinAbort } from '../../base/abort.ts'
import type { ZeroStateId } from '../../chain/liteserver.ts'
import type { IndexStatus } from '../../metrics/figures.ts'
import { INDEX_LOCK, tryLock } from '../../store/postgres/advisory-lock.ts'
import { type Connection, connect } from '../../store/postgres/connection.ts'
import { PUBLISHED, readCheckpoint } from '../follow/checkpoint.ts'
import { anotherChainText } from '../follow/open-index.ts'
import type { IndexingDeps } from '../follow/session.ts'

/** Milliseconds between two attempts to take the lock. */
const LEADER_MS = 500

export interface CandidateDeps extends Pick<IndexingDeps, 'config' | 'source' | 'board' | 'log'> {
  /** Aborting this signal closes the connection, even if the connection has the lock. */
  readonly cut: AbortSignal
  readonly open?: typeof connect | undefined
  readonly patience?: number | undefined
}

/** The status while another process indexes: readers of this process see the blocks that the other process has published. */
const statusOfLeader = async (connection: Connection, zeroState: () => Promise<ZeroStateId>): Promise<Partial<IndexStatus>> => {
  const at = await readCheckpoint(connection)
  const [head] = await connection.query(PUBLISHED)
  if (at === undefined || head === undefined) return { seqno: -1, error: '' }
  if (!at.zeroHash.equals((await zeroState()).rootHash)) return { seqno: -1, error: anotherChainText(at.network) }
  return { seqno: head.mc_seqno, first: at.oldestSeqno, error: '' }
}

/**
 * Waits until this process may index, and returns the connection that has the lock. One process per database indexes, and the others wait until it ends. All
 * processes of a standby wait. Rejects when `signal` aborts.
 */
export const becomeLeader = async (
  { config, source, board, log, cut, open = connect, patience = LEADER_MS }: CandidateDeps,
  signal: AbortSignal,
): Promise<Connection> => {
  const connection = await open(config, undefined, { signal: cut })
  using waiting = joinAbort(signal)
  const watchHeads = async (): Promise<void> => {
    for await (const { id } of source.server.heads(waiting.signal)) board.update({ head: id.seqno })
  }
  let isWatching = false
  /** Asked for once, because it never changes. So this process goes on waiting while no lite-server works. */
  let zero: ZeroStateId | undefined
  const zeroState = async (): Promise<ZeroStateId> => {
    zero ??= await source.zeroState(signal)
    return zero
  }
  try {
    while (!(await tryLock(connection, INDEX_LOCK))) {
      if (!isWatching) watchHeads().catch((err: unknown) => log.debug('index.heads_failed', { err }))
      isWatching = true
      board.update({ phase: 'waiting', ...(await statusOfLeader(connection, zeroState)) })
      await sleep(patience, undefined, { signal })
    }
    return connection
  } catch (error) {
    await connection.close().catch(() => {})
    throw error
  } finally {
    waiting.abort()
  }
}
