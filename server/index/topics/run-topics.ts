import { portionsOf } from '../../base/memory/portions.ts'
import { createPauses, runSteps } from '../../base/yield.ts'
import type { Cell } from '../../cell/cell.ts'
import type { BlockConfig } from '../../chain/configs.ts'
import type { FetchLibraries } from '../../chain/libraries.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { distinct } from '../../store/row-keys.ts'
import type { TableRows } from '../../store/rows/copy-rows.ts'
import type { BlockId } from '../../tlb/ids.ts'
import type { Tvm } from '../../tvm/tvm.ts'
import type { Configs } from '../derive/config-at.ts'
import type { AccountChange, GroupBlock, Placed } from '../derive/group-rows.ts'
import type { Source } from '../follow/source.ts'
import { revertStatements, topicStatements } from '../write/statements.ts'
import { createAccountRows, type Reads } from './account-rows.ts'
import { type AccountViews, createAccountViews, viewOf } from './account-views.ts'
import { createCachedQueries } from './cached-queries.ts'
import type { BlockView, PlacedTransaction, Topic } from './topic.ts'
import { configOfRoot, createTopicContext } from './topic-context.ts'

/* Runs the topics block by block. The rows of a topic are sent as SQL scripts. */

export interface TopicRunnerDeps {
  readonly topics: readonly Topic[]
  readonly connection: Pick<Connection, 'query'>
  readonly source: Source
  readonly configs: Pick<Configs, 'at' | 'forget'>
  readonly tvm: Pick<Tvm, 'runGetMethod'> | undefined
  /** True if accounts can be missing in the index. */
  readonly partial?: boolean
  readonly onFailure?: (topic: string, what: string, error: unknown) => void
  readonly onLeftOut?: () => void
}

/** The block to which given account states belong: the last one before the index begins, or that of their last change after a revert. */
export interface BlockContext {
  readonly id: BlockId
  readonly config?: Cell
}

export interface Sink extends Reads {
  put(script: string): Promise<void>
  /** Collects rows that no topic reads, and sends them at the end of a group of blocks, or earlier if they are large. If missing, `put` writes them. */
  later?(made: readonly TableRows[]): Promise<void>
}

export type TopicRunner = ReturnType<typeof createTopicRunner>

const AT_ONCE = 5_000

const viewOfTransaction = ({ tx, hash, traceId, isCutOff, key, block }: Placed): PlacedTransaction => ({
  tx,
  hash: Buffer.from(hash, 'latin1'),
  traceId: Buffer.from(traceId, 'latin1'),
  isCutOff,
  account: key,
  block,
})

export const createTopicRunner = ({ topics, connection, source, configs, tvm, partial = false, onFailure, onLeftOut }: TopicRunnerDeps) => {
  const accountRows = createAccountRows(topics.flatMap(({ tables }) => tables))
  const queries = createCachedQueries()
  const cachedValues = new Map<string, unknown>()

  const derive = async (
    view: BlockView,
    views: AccountViews,
    config: () => Promise<Pick<BlockConfig, 'root' | 'param'>>,
    libraries: FetchLibraries,
    sink: Sink,
    signal: AbortSignal,
  ): Promise<void> => {
    let running: Topic | undefined
    const pause = createPauses(undefined, signal)
    const put = async (made: readonly TableRows[], { tables, isUnread }: Topic): Promise<void> => {
      if (isUnread && sink.later) return await sink.later(made)
      let isAny = false
      for (const statement of topicStatements(tables, made)) {
        if (!isAny) queries.forget(tables)
        isAny = true
        await sink.put(statement)
        const paused = pause()
        if (paused !== undefined) await paused
      }
      await runSteps(accountRows.takeWritten(made), signal)
    }
    const context = createTopicContext(
      {
        rows: (text, values) => queries.read(sink, text, values),
        put: (made) => put(made, running!),
        reads: sink,
        accountRows,
        cachedValues,
        failed: (what, error) => onFailure?.(running!.name, what, error),
        leaveOut: () => onLeftOut?.(),
        views,
        config,
        libraries,
        tvm,
      },
      signal,
    )
    for (const topic of topics) {
      signal.throwIfAborted()
      running = topic
      await put(await topic.derive(view, context), topic)
    }
  }

  return {
    /** Derives the rows of blocks that the database does not have yet. Each block sees the rows of earlier blocks. */
    async blocks(parts: readonly GroupBlock[], sink: Sink, signal: AbortSignal): Promise<void> {
      if (topics.length === 0) return
      const views = createAccountViews({ connection, source, partial }, signal)
      // Reads the accounts of all blocks at once. The rows of each block then replace those in memory.
      const keys = distinct(parts.flatMap(({ changes }) => changes.map(({ key }) => key)))
      for (const some of portionsOf(keys, AT_ONCE)) await accountRows.owners(sink, some)
      for (const part of parts) {
        const { id } = part.of.master
        views.note(part.changes, id)
        const view = {
          mcSeqno: id.seqno,
          groupSeqno: parts[0]!.of.master.id.seqno,
          master: id,
          blocks: [...part.of.shards, part.of.master],
          transactions: part.placed.map(viewOfTransaction),
          accounts: part.changes.map(viewOf),
        }
        await derive(view, views, () => configs.at(part.of.master, signal), source.libraries(id), sink, signal)
      }
    },
    /** Derives rows from account states without a block: at the start, and after a revert. `undone`: see BlockView. */
    async states(
      { id, config }: BlockContext,
      changes: readonly AccountChange[],
      sink: Sink,
      signal: AbortSignal,
      undone: readonly Buffer[] = [],
    ): Promise<void> {
      if (topics.length === 0 || changes.length + undone.length === 0) return
      const views = createAccountViews({ connection, source, partial }, signal)
      views.note(changes, id)
      const at = { mcSeqno: id.seqno, groupSeqno: id.seqno, master: id }
      const view = { ...at, blocks: [], transactions: [], accounts: changes.map(viewOf), undone }
      const given = config && configOfRoot(config)
      // A zerostate is not a block, so libraries cannot be requested for it.
      const libraries: FetchLibraries = id.seqno === 0 ? async () => [] : source.libraries(id)
      await derive(view, views, async () => given ?? source.config(id, signal), libraries, sink, signal)
    },
    /** Statements that delete the rows above a block, and those of the accounts that changed since (`touched`). */
    *revert(seqno: number, touched: readonly Buffer[]): Generator<string> {
      for (const { tables } of topics) yield* revertStatements(tables, seqno, touched)
    },
    forget(): void {
      configs.forget()
      queries.forget()
      accountRows.forget()
      cachedValues.clear()
    },
  }
}
