import type { ClientConfig } from 'pg'
import type { Log } from '../../base/log.ts'
import { createDeferred } from '../../base/promises/deferred.ts'
import type { LiteServer } from '../../chain/liteserver.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { MASTER_KEY } from '../../store/row-keys.ts'
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../tlb/ids.ts'
import type { Tvm } from '../../tvm/tvm.ts'
import { completeAccounts } from '../derive/accounts.ts'
import { type Configs, createConfigs } from '../derive/config-at.ts'
import { deriveGroup } from '../derive/derive.ts'
import { createExtras } from '../derive/extra-currency-cache.ts'
import type { GroupRows } from '../derive/group-rows.ts'
import { createRecentRows, type RecentRows } from '../derive/recent-rows.ts'
import { createOpenMessages, type OpenMessages } from '../derive/traces.ts'
import type { Selection } from '../service/account-selection.ts'
import { createProgress } from '../service/pace.ts'
import type { StatusBoard } from '../service/status.ts'
import { createTopicRunner, type TopicRunner } from '../topics/run-topics.ts'
import type { Topic } from '../topics/topic.ts'
import { type AccountsOf, createWriter } from '../write/writer.ts'
import { type Checkpoint, clearIndex } from './checkpoint.ts'
import { CorruptBlockError } from './corrupt-block.ts'
import { createGroups, type IndexPosition } from './groups.ts'
import { openCheckpoint } from './open-index.ts'
import { createInitialStates, openRangeStart } from './range-start.ts'
import { BLOCK, commonBlock, revertTo } from './revert.ts'
import { createSource, openMasterIds, type Source } from './source.ts'
import type { ShardTop } from './tops.ts'

/* A session indexes the chain over one connection. The next session continues from the stored checkpoint. */

export interface IndexSettings {
  readonly network: string
  readonly isTransient: boolean
  /** True if the chain can be reverted. Block ids are then used without a proof, otherwise the chain's head has to prove them. */
  readonly reverts: boolean
  /** The first masterchain block of a new index. */
  readonly from: number | 'head'
  readonly selection: Selection
  /** Number of masterchain blocks that are read in parallel. */
  readonly lanes: number
  /** True for a range of a longer index, which begins with block 1 (backfill/). */
  readonly isRange?: boolean | undefined
  /** True if no message was sent before the first block. Default: true if that is block 1. */
  readonly fromStart?: boolean | undefined
  /** Milliseconds before the second attempt of a request to the source; undefined: the default. */
  readonly pause: number | undefined
}

/** What a process that indexes has. */
export interface IndexingDeps {
  readonly config: ClientConfig
  readonly settings: IndexSettings
  readonly source: Source
  readonly tvm: Pick<Tvm, 'runGetMethod'> | undefined
  readonly board: StatusBoard
  readonly log: Log
}

export interface SessionDeps extends IndexSettings, Omit<IndexingDeps, 'config' | 'settings'> {
  readonly connection: Connection
  readonly topics: readonly Topic[]
}

export const createIndexSource = (server: LiteServer, settings: IndexSettings, log: Log): Source => {
  const { lanes, selection, from, isRange = false, pause } = settings
  return createSource(server, {
    lanes,
    wants: selection.wants,
    // Only an index from block 1, and the ranges of such an index, need the states of old blocks.
    forgets: from !== 1 && !isRange,
    ...(pause !== undefined && { pause }),
    onFailure: (err) => log.warn('index.source_failed', { err }),
  })
}

export type Session = Awaited<ReturnType<typeof openSession>>

const createRunner = (deps: SessionDeps, configs: Configs): TopicRunner => {
  const { topics, connection, source, tvm, from, isRange, selection, board, log } = deps
  const partial = (from !== 1 && !isRange) || selection.name !== ''
  const onFailure = (topic: string, what: string, err: unknown): void => {
    log.warn(`index.${topic}_failed`, { what, err })
    board.update({ failedTraces: board.status().failedTraces + 1 })
  }
  const onLeftOut = (): void => board.update({ leftOut: board.status().leftOut + 1 })
  return createTopicRunner({ topics, connection, source, configs, tvm, partial, onFailure, onLeftOut })
}

/** How far a session is, and what it remembers of earlier blocks. */
interface State {
  at: Checkpoint
  /** Blocks up to here are derived. They are written once `written` resolves. */
  place: IndexPosition
  written: Promise<Checkpoint>
  readonly open: OpenMessages
  readonly recentRows: RecentRows
}

const stateAfter = (connection: Connection, at: Checkpoint, tops: readonly ShardTop[]): State => ({
  at,
  place: { ...at, tops },
  written: Promise.resolve(at),
  open: createOpenMessages(),
  recentRows: createRecentRows(connection),
})

export const openSession = async (deps: SessionDeps, signal: AbortSignal) => {
  const { connection, source, board, log, lanes, reverts, selection, isRange } = deps
  const { update } = board
  const configs = createConfigs(source)
  const runner = createRunner(deps, configs)
  const writer = await createWriter(connection, runner, isRange)
  const extras = createExtras(connection)
  const groups = createGroups(source, { lanes, prove: !reverts })
  const opened = await openCheckpoint(deps, writer, signal)
  const { firstSeqno } = opened.at
  const { fromStart = firstSeqno === 1 } = deps
  const openEarly = async () => {
    const { at } = await openRangeStart(source, firstSeqno, await openMasterIds(source, reverts, signal), signal)
    return createInitialStates({ source, runner, at }, signal)
  }
  const early = isRange && firstSeqno > 1 ? await openEarly() : undefined
  let state = stateAfter(connection, opened.at, opened.tops)
  const reportWritten = createProgress(board)
  /** Resolves when a write fails. The session then cannot be used. */
  const { promise: failed, resolve: fail } = createDeferred()

  /** Reverts the index to the newest block that the chain still has, if the chain was reverted. */
  const realign = async (): Promise<void> => {
    const at = await state.written
    if (at.seqno < firstSeqno || !reverts) return
    // History may have been removed since `at` was read, so the first stored block is read again.
    const { oldestSeqno } = (await writer.checkpoint()) ?? at
    const from = { ...at, oldestSeqno }
    const to = await commonBlock(connection, source, from, signal)
    if (to?.id.seqno === at.seqno) return
    const reverted = to && (await revertTo({ connection, source, runner }, from, to, signal))
    if (to === undefined || reverted === undefined) {
      await clearIndex(connection, deps.topics)
      update({ seqno: -1 })
      throw new Error(`the chain was reverted to before block ${oldestSeqno}, the first one of the index: the index begins again`)
    }
    log.info('index.reverted', { from: at.seqno, to: to.id.seqno })
    state = stateAfter(connection, reverted, (await source.master(to.id, signal)).tops)
    update({ seqno: reverted.seqno })
  }

  /** Writes a derived group of blocks after the previous one. */
  const write = async (from: Checkpoint, rows: GroupRows, started: number): Promise<Checkpoint> => {
    const { recentRows } = state
    const accounts: AccountsOf = (put) => completeAccounts(rows, recentRows, source, signal, put)
    const at = await writer.write(from, rows, accounts, signal, early)
    state.at = at
    reportWritten(at.seqno, { from: started, blocks: rows.parts.length, transactions: rows.transactions.length, leftOut: rows.leftOut })
    return at
  }

  /**
   * Indexes blocks from the session's place up to a head. The next group of blocks is derived while the previous one is written. Returns false if the chain
   * does not continue from that place.
   */
  const goOn = async (head: BlockId): Promise<boolean> => {
    try {
      while (state.place.seqno < head.seqno && !signal.aborted) {
        const started = performance.now()
        const masters = await groups.next(state.place, head, signal)
        if (masters === undefined) return false
        if (masters.length === 0) break
        const { open, recentRows } = state
        const rows = await deriveGroup(
          masters,
          { source, open, extras, configs, senders: recentRows.senders, fromStart, selection },
          signal,
        )
        state.written = write(await state.written, rows, started)
        // The rejection is handled where the next group is written, or by the caller of `written`.
        state.written.catch(fail)
        const { seqno, rootHash } = rows.last.master.id
        state.place = { seqno, rootHash, tops: rows.last.tops }
      }
    } catch (error) {
      // If a write failed, later steps fail because of it. Throw the error of the write.
      await state.written
      throw error
    }
    return true
  }

  await realign()
  const { at } = state
  const indexed = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: at.seqno, rootHash: at.rootHash, fileHash: at.fileHash }
  if (at.seqno >= firstSeqno) state.place = { ...at, tops: (await source.master(indexed, signal)).tops }
  // Publishes again, because an earlier process may have ended between the commit of the rows and their publication.
  const [last] = await connection.query(BLOCK, [MASTER_KEY, at.seqno])
  await writer.publish(at.seqno, Number(last?.gen_utime ?? 0))
  update({ seqno: at.seqno, first: at.oldestSeqno })

  /**
   * Indexes everything up to a head. Reverts the index first if the chain was reverted. May resolve before the last group is written, so that the next head
   * is derived meanwhile.
   */
  const catchUp = async (id: BlockId): Promise<void> => {
    const { place } = state
    const isFar = id.seqno - place.seqno > 2
    update({ head: id.seqno, phase: isFar ? 'backfill' : 'following' })
    const isSame = Buffer.compare(place.rootHash, id.rootHash) === 0
    if (id.seqno < place.seqno || (id.seqno === place.seqno && !isSame)) await realign()
    while (!(await goOn(id))) {
      if (!reverts) throw new CorruptBlockError('the next block does not follow the one that is indexed')
      await realign()
    }
    if (isFar) await state.written
    // A failure is over when nothing is left to write, also if no block has come since.
    update({ phase: 'following', ...(state.at.seqno === state.place.seqno && { error: '' }) })
  }

  /** Resolves when all derived rows are written; rejects with the reason if a write failed. */
  const written = async (): Promise<void> => void (await state.written)

  return { catchUp, written, failed }
}
