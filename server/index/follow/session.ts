import type { Log } from '../../base/log.ts'
import type { Head, ZeroStateId } from '../../chain/liteserver.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { MASTER_KEY } from '../../store/row-keys.ts'
import type { BlockId } from '../../tlb/ids.ts'
import { completeAccounts, historyOf } from '../derive/accounts.ts'
import { deriveGroup } from '../derive/derive.ts'
import { createExtras, type ExtraCurrencies } from '../derive/extra-currency-cache.ts'
import { createVersions } from '../derive/global-version.ts'
import type { GroupRows } from '../derive/group-rows.ts'
import { createRecentRows, type RecentRows } from '../derive/recent-rows.ts'
import { createOpenMessages, type OpenMessages } from '../derive/traces.ts'
import type { Selection } from '../service/account-selection.ts'
import { createPace } from '../service/pace.ts'
import type { StatusBoard } from '../service/status.ts'
import type { TopicRunner } from '../topics/run-topics.ts'
import { type AccountsOf, createWriter, type Writer, type Writing } from '../write/writer.ts'
import {
  type Checkpoint,
  checkpointId,
  clearIndex,
  derivationVersionsOf,
  isOfTransientChain,
  madeBy,
  madeByNewer,
  TRANSIENT,
} from './checkpoint.ts'
import { CorruptBlockError } from './corrupt-block.ts'
import { createGroups, type Groups, type IndexPosition } from './groups.ts'
import { headOf, openMasterIds } from './master-ids.ts'
import { createInitialStates, openRangeStart, type RangeStart } from './range-start.ts'
import { BLOCK, commonBlock, revertTo } from './revert.ts'
import type { Source } from './source.ts'
import { openStart, type Start } from './start-state.ts'
import type { ShardTop } from './tops.ts'

/* A session indexes the chain over one connection. The next session continues from the stored checkpoint. */

export interface SessionDeps {
  readonly connection: Connection
  readonly source: Source
  readonly runner: TopicRunner
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
  readonly board: StatusBoard
  readonly log: Log
}

/** Thrown if indexing cannot continue until a person has changed something. */
export class IndexRefusal extends Error {
  override readonly name = 'IndexRefusal'
}

export const anotherChainText = (network: string): string =>
  `the database holds the index of another chain (${network}): give another DATABASE_URL, or empty it`

export interface Session {
  /**
   * Indexes everything up to a head. Reverts the index first if the chain was reverted. May resolve before the last group is written, so that the next head
   * is derived meanwhile.
   */
  catchUp(head: Head): Promise<void>
  /** Resolves when all derived rows are written; rejects with the reason if a write failed. */
  written(): Promise<void>
  /** Resolves when a write fails. The session then cannot be used. */
  readonly failed: Promise<void>
}

const rangeStart = async ({ source, reverts }: SessionDeps, first: number, signal: AbortSignal): Promise<RangeStart> => {
  const idOf = await openMasterIds(source, reverts, signal)
  const id = await idOf(first)
  if (id === undefined) throw new Error(`the chain has no masterchain block ${first} yet`)
  return await openRangeStart(source, id, signal)
}

const startOf = async (deps: SessionDeps, zero: ZeroStateId, from: number | 'head', signal: AbortSignal): Promise<[number, Start]> => {
  const { source, reverts, isRange } = deps
  const first = from === 'head' ? Math.max(1, (await headOf(source, signal)).seqno) : from
  if (isRange && first > 1) return [first, await rangeStart(deps, first, signal)]
  return [first, await openStart(source, zero, first, await openMasterIds(source, reverts, signal), signal)]
}

interface Opened {
  readonly at: Checkpoint
  readonly tops: readonly ShardTop[] | undefined
}

const openCheckpoint = async (
  deps: SessionDeps,
  writer: Writer,
  groups: Groups,
  extras: ExtraCurrencies,
  signal: AbortSignal,
): Promise<Opened> => {
  const { source, network, connection, runner, selection, log } = deps
  const zero = await source.zeroState(signal)
  const zeroHash = Buffer.from(zero.rootHash)
  const found = await writer.checkpoint()
  const derivationVersions = derivationVersionsOf(runner.topics, selection)
  const isThis = found?.zeroHash.equals(zeroHash) ?? false
  let { from } = deps
  if (found !== undefined) {
    // Replaces the index of another chain only if that chain has ended with its process: nobody can continue such an index.
    if (!isThis && !(found.network === network && (await isOfTransientChain(connection))))
      throw new IndexRefusal(anotherChainText(found.network))
    if (isThis && from !== 'head' && from < found.firstSeqno) {
      throw new IndexRefusal(
        `the index begins with block ${found.firstSeqno}: to begin with ${from} give another DATABASE_URL, or empty it`,
      )
    }
    if (isThis && (await madeBy(connection, derivationVersions))) {
      // The shard tops are read after realign() made sure that the chain has the block.
      if (found.seqno >= found.firstSeqno) return { at: found, tops: undefined }
      const [, { tops = [] }] = await startOf(deps, zero, found.firstSeqno, signal)
      return { at: found, tops }
    }
    // Without this refusal, two releases would discard each other's index during a rolling update.
    if (isThis && (await madeByNewer(connection, derivationVersions)))
      throw new IndexRefusal('the index was made by a newer release of tonway')
    log.warn('index.replaced', { network, reason: isThis ? 'made with other settings, or by another release' : 'of another chain' })
    if (isThis) from = from === 'head' ? found.oldestSeqno : found.firstSeqno
  }
  const [firstSeqno, start] = await startOf(deps, zero, from, signal)
  if (start.tops === undefined && selection.wants(0)) {
    throw new IndexRefusal(`the source has no block ${firstSeqno - 1}, so it is not known which shard blocks are the first ones`)
  }
  if (found !== undefined) await clearIndex(connection, runner.topics)
  const { seqno, rootHash, fileHash } = start.id
  const at: Checkpoint = {
    network,
    zeroHash,
    firstSeqno,
    oldestSeqno: firstSeqno,
    seqno,
    rootHash: Buffer.from(rootHash),
    fileHash: Buffer.from(fileHash),
  }
  const head = source.server.head?.()
  if (head !== undefined) groups.prepare({ seqno, rootHash, tops: start.tops ?? [] }, head.id, signal)
  await writer.begin(
    at,
    deps.isTransient ? [...derivationVersions, TRANSIENT] : derivationVersions,
    start.portions(selection, extras),
    signal,
  )
  return { at, tops: start.tops ?? [] }
}

/** Returns a function that reports written groups to the status board: last block, speed, and remaining time. */
const createProgress = ({ update, status }: StatusBoard) => {
  const pace = createPace()
  /** `from`: when the reading of the group began (`performance.now()`). */
  return (
    seqno: number,
    group: { readonly from: number; readonly blocks: number; readonly transactions: number; readonly leftOut: number },
  ): void => {
    const { blocksPerSecond, transactionsPerSecond } = pace({ ...group, at: performance.now() })
    const { head, transactions, leftOut } = status()
    update({
      seqno,
      transactions: transactions + group.transactions,
      blocksPerSecond: Math.round(blocksPerSecond),
      transactionsPerSecond: Math.round(transactionsPerSecond),
      secondsLeft: Math.ceil(Math.max(0, head - seqno) / blocksPerSecond),
      leftOut: leftOut + group.leftOut,
      error: '',
    })
  }
}

export const openSession = async (deps: SessionDeps, signal: AbortSignal): Promise<Session> => {
  const { connection, source, runner, board, log } = deps
  const { update } = board
  const writer = await createWriter(connection, runner, { isRange: deps.isRange })
  let recentRows: RecentRows = createRecentRows(connection)
  const extras = createExtras(connection)
  const versionAt = createVersions(source)
  const groups: Groups = createGroups(source, { lanes: deps.lanes, prove: !deps.reverts })
  const opened = await openCheckpoint(deps, writer, groups, extras, signal)
  let { at } = opened
  const isCut = deps.isRange === true && at.firstSeqno > 1
  const early = isCut
    ? createInitialStates({ source, runner, extras, at: (await rangeStart(deps, at.firstSeqno, signal)).at }, signal)
    : undefined
  /** Blocks up to here are derived. They are written once `writing` ends. */
  let place: IndexPosition = { ...at, tops: opened.tops ?? [] }
  let open: OpenMessages = createOpenMessages()
  let writing: Writing = { sent: Promise.resolve(), written: Promise.resolve(at) }
  const reportWritten = createProgress(board)
  let fail = (): void => {}
  const failed = new Promise<void>((resolve) => {
    fail = resolve
  })

  /** Reverts the index to the newest block that the chain still has, if the chain was reverted. */
  const realign = async (): Promise<void> => {
    await writing.written
    if (at.seqno < at.firstSeqno || !deps.reverts) return
    // History may have been removed since `at` was read, so the first stored block is read again.
    const { oldestSeqno } = (await writer.checkpoint()) ?? at
    const to = await commonBlock(connection, source, { ...at, oldestSeqno }, signal)
    if (to?.id.seqno === at.seqno) return
    const reverted = to && (await revertTo({ connection, source, runner }, at, to, signal))
    if (to === undefined || reverted === undefined) {
      await clearIndex(connection, runner.topics)
      update({ seqno: -1 })
      throw new Error(`the chain was reverted to before block ${oldestSeqno}, the first one of the index: the index begins again`)
    }
    log.info('index.reverted', { from: at.seqno, to: to.id.seqno })
    at = reverted
    open = createOpenMessages()
    recentRows = createRecentRows(connection)
    writing = { sent: Promise.resolve(), written: Promise.resolve(at) }
    place = { ...at, tops: (await source.master(to.id, signal)).tops }
    update({ seqno: at.seqno })
  }

  /**
   * Starts to write a derived group of blocks, after all statements of the previous group are sent. The rows are committed after those of the previous
   * group.
   */
  const write = (rows: GroupRows, started: number): Writing => {
    const accounts: AccountsOf = (put) =>
      completeAccounts(rows.accounts.values(), historyOf(rows), rows.cells, recentRows, source, signal, put)
    const { sent, written } = writer.write(writing.written, rows, accounts, signal, early)
    const reported = async (): Promise<Checkpoint> => {
      at = await written
      reportWritten(at.seqno, { from: started, blocks: rows.parts.length, transactions: rows.transactions.length, leftOut: rows.leftOut })
      return at
    }
    return { sent, written: reported() }
  }

  /**
   * Indexes blocks from `place` up to a head. The next group of blocks is derived while the previous one is written. Returns false if the chain does not
   * continue from `place`.
   */
  const goOn = async (head: BlockId): Promise<boolean> => {
    try {
      while (place.seqno < head.seqno && !signal.aborted) {
        const started = performance.now()
        const masters = await groups.next(place, head, signal)
        if (masters === undefined) return false
        if (masters.length === 0) break
        const rows = await deriveGroup(
          masters,
          { source, open, extras, versionAt, senders: recentRows.senders, fromStart: at.firstSeqno === 1, selection: deps.selection },
          signal,
        )
        const before = writing
        await before.sent
        writing = write(rows, started)
        // The rejection is handled where the next group is written, or by the caller of `written`.
        writing.written.catch(fail)
        const { id } = rows.last.master
        place = { seqno: id.seqno, rootHash: id.rootHash, tops: rows.last.tops }
        await before.written
      }
    } catch (error) {
      // If a write failed, later steps fail because of it. Throw the error of the write.
      await writing.written
      throw error
    }
    return true
  }

  await realign()
  if (at.seqno >= at.firstSeqno) place = { ...at, tops: (await source.master(checkpointId(at), signal)).tops }
  // Publishes again, because an earlier process may have ended between the commit of the rows and their publication.
  const [last] = await connection.query(BLOCK, [MASTER_KEY, at.seqno])
  await writer.publish(at.seqno, Number(last?.gen_utime ?? 0))
  update({ seqno: at.seqno, first: at.oldestSeqno })

  return {
    async catchUp({ id }) {
      const isFar = id.seqno - place.seqno > 2
      update({ head: id.seqno, phase: isFar ? 'backfill' : 'following' })
      const isSame = Buffer.compare(place.rootHash, id.rootHash) === 0
      if (id.seqno < place.seqno || (id.seqno === place.seqno && !isSame)) await realign()
      while (!(await goOn(id))) {
        if (!deps.reverts) throw new CorruptBlockError('the next block does not follow the one that is indexed')
        await realign()
      }
      if (isFar) await writing.written
      update({ phase: 'following' })
    },
    async written() {
      await writing.written
    },
    failed,
  }
}
