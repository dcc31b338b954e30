import { setTimeout as sleep } from 'node:timers/promises'
import { INDEX_LOCK, tryLock, tryShareLock, unlock } from '../../store/postgres/advisory-lock.ts'
import { type Connection, connect } from '../../store/postgres/connection.ts'
import {
  type Checkpoint,
  CheckpointMovedError,
  compareVersions,
  derivationVersionsOf,
  readCheckpoint,
  readDerivation,
} from '../follow/checkpoint.ts'
import { anotherChainText, IndexRefusal } from '../follow/open-index.ts'
import { type IndexingDeps, type IndexSettings, openSession } from '../follow/session.ts'
import { openMasterIds } from '../follow/source.ts'
import { TOPICS } from '../topics/registry.ts'
import { joinRange, publishUpTo } from './join.ts'
import { createRangeTables, inSchema, schemaOf } from './range-schema.ts'
import { claimRange, markDone, noteOwner, type Plan, planRanges, type Range, removeRange } from './ranges.ts'

/*
 * Backfill by any number of processes on one database. Each process claims a range of blocks, derives its rows, and joins derived ranges to the index. The
 * index itself does not depend on ranges: without them it continues from its checkpoint, block by block.
 */

export interface BackfillDeps extends IndexingDeps {
  readonly to: number
  readonly size: number
  /** Called with the seqno of the last block that readers see. */
  readonly progress: (seqno: number) => void
  /** For tests: milliseconds that another process may index before the backfill is refused. */
  readonly patience?: number
}

/** Milliseconds between two reads of the plan, which other processes change. */
const LOOK_MS = 200
/** Timeout of a statement, in milliseconds. A join copies many rows. */
const JOIN_MS = 600_000
const PATIENCE_MS = 30_000

/** Checks an index that another process has opened. The index must be of this chain, and derived by the same versions of the code. */
const mustBeOfThis = async ({ settings, source }: BackfillDeps, connection: Connection, signal: AbortSignal): Promise<void> => {
  const at = await readCheckpoint(connection)
  const { rootHash } = await source.zeroState(signal)
  if (!at?.zeroHash.equals(rootHash)) throw new IndexRefusal(anotherChainText(at?.network ?? settings.network))
  if (compareVersions(await readDerivation(connection), derivationVersionsOf(TOPICS, settings.selection)) !== 'same')
    throw new IndexRefusal('the processes that backfill are of another release of tonway')
}

/**
 * Takes the lock that backfilling processes share, and opens the index if this process is the first of them. Waits while an indexing process has the
 * exclusive lock. Resolves with the connection that has the lock.
 */
const join = async (deps: BackfillDeps, signal: AbortSignal): Promise<Connection> => {
  const { settings, source, tvm, board, log } = deps
  const connection = await connect(deps.config, 'tonway-backfill', { signal, patience: JOIN_MS })
  try {
    for (const until = performance.now() + (deps.patience ?? PATIENCE_MS); ; await sleep(LOOK_MS, undefined, { signal })) {
      if (await tryLock(connection, INDEX_LOCK)) {
        // Creates a missing index, refuses the index of another chain, and reverts the index if the chain was reverted.
        await openSession({ ...settings, connection, source, topics: TOPICS, tvm, board, log }, signal)
        await tryShareLock(connection, INDEX_LOCK)
        await unlock(connection, INDEX_LOCK)
        return connection
      }
      if (await tryShareLock(connection, INDEX_LOCK)) {
        await mustBeOfThis(deps, connection, signal)
        return connection
      }
      if (performance.now() > until) throw new IndexRefusal('another process keeps the index of this database: stop it first')
    }
  } catch (error) {
    await connection.close().catch(() => {})
    throw error
  }
}

const mustBeWhole = ({ firstSeqno, oldestSeqno }: Checkpoint): void => {
  if (firstSeqno !== 1)
    throw new IndexRefusal(`the index begins with block ${firstSeqno}: only an index from block 1 is backfilled in parallel`)
  if (oldestSeqno !== 1)
    throw new IndexRefusal(`the index has removed the blocks before ${oldestSeqno}: only a whole one is backfilled in parallel`)
}

/** Joins the range after the checkpoint to the index. This process must have claimed the range. */
const joinClaimed = async (
  deps: BackfillDeps,
  connection: Connection,
  at: Checkpoint,
  range: Range,
  signal: AbortSignal,
): Promise<void> => {
  const { log } = deps
  const { first, last } = range
  const idOf = await openMasterIds(deps.source, deps.settings.reverts, signal)
  const before = at.seqno === 0 ? undefined : await idOf(at.seqno)
  if (at.seqno > 0 && (before === undefined || !at.rootHash.equals(before.rootHash)))
    throw new IndexRefusal(`the chain was reverted to before block ${at.seqno}: start again`)
  const end = await idOf(last)
  const outcome = end === undefined ? 'lost' : await joinRange(connection, range, end.rootHash, TOPICS)
  if (outcome === 'joined') return log.info('backfill.joined', { first, last })
  log.warn('backfill.range_lost', { first, last })
  await removeRange(connection, first)
}

/** Joins the range after the checkpoint to the index, if the range is derived and no other process joins it. Returns whether the plan has changed. */
const joinNext = async (deps: BackfillDeps, connection: Connection, { at, ranges }: Plan, signal: AbortSignal): Promise<boolean> => {
  const [next] = ranges
  if (!next?.done || next.first !== at.seqno + 1) return false
  await using claim = await claimRange(connection, next.first)
  if (!claim) return false
  try {
    await joinClaimed(deps, connection, at, next, signal)
  } catch (error) {
    // Another process has joined the range.
    if (!(error instanceof CheckpointMovedError)) throw error
  }
  return true
}

/**
 * Derives a range into its own tables, if no other process works on it. Returns false if another process does, or if the range no longer exists or is done.
 */
const deriveRange = async (deps: BackfillDeps, connection: Connection, range: Range, signal: AbortSignal): Promise<boolean> => {
  const { source, tvm, board, log } = deps
  const { first, last } = range
  await using claim = await claimRange(connection, first)
  if (!claim) return false
  if (!(await noteOwner(connection, first))) return false
  const idOf = await openMasterIds(source, deps.settings.reverts, signal)
  const id = await idOf(last)
  if (id === undefined) {
    // The chain was reverted and is shorter. The remaining blocks of the range are planned again.
    await removeRange(connection, first)
    return true
  }
  log.info('backfill.range', { first, last })
  await createRangeTables(connection, first)
  const settings: IndexSettings = { ...deps.settings, from: first, isRange: true }
  await inSchema(connection, schemaOf(first), async () => {
    const session = await openSession({ ...settings, connection, source, topics: TOPICS, tvm, board, log }, signal)
    await session.catchUp(id)
    await session.written()
  })
  await markDone(connection, first)
  return true
}

const deriveFirst = async (deps: BackfillDeps, connection: Connection, ranges: readonly Range[], signal: AbortSignal): Promise<boolean> => {
  for (const range of ranges) if (!range.done && range.first <= deps.to && (await deriveRange(deps, connection, range, signal))) return true
  return false
}

/**
 * Indexes everything up to block `to`, together with other processes that do the same on this database. Resolves when block `to` is published. Rejects with
 * IndexRefusal if the operator has to change something.
 */
export const backfill = async (deps: BackfillDeps, signal: AbortSignal): Promise<void> => {
  await using connection = await join(deps, signal)
  for (;;) {
    signal.throwIfAborted()
    const plan = await planRanges(connection, deps.to, deps.size)
    if (plan === undefined) throw new Error('the index is gone')
    mustBeWhole(plan.at)
    deps.progress(plan.at.seqno)
    if (plan.at.seqno >= deps.to) {
      // Publishes again, because the process that joined the last range may have been killed before its publication.
      await publishUpTo(connection, plan.at.seqno)
      return
    }
    if (await joinNext(deps, connection, plan, signal)) continue
    if (await deriveFirst(deps, connection, plan.ranges, signal)) continue
    await sleep(LOOK_MS, undefined, { signal })
  }
}
