import { mapWithPauses, runSteps } from '../../base/yield.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { errorCode } from '../../store/postgres/faults.ts'
import { copySteps } from '../../store/postgres/script.ts'
import { nameOf } from '../../store/row-keys.ts'
import { type RowBytes, Rows, type TableRows } from '../../store/rows/copy-rows.ts'
import { accountSets, accounts as accountsTable } from '../../store/schema/accounts.ts'
import { blocks, shardTops } from '../../store/schema/blocks.ts'
import { HEAD_CHANNEL, indexCheckpoint, publishedHead } from '../../store/schema/head.ts'
import { cells, messages } from '../../store/schema/messages.ts'
import { columnList, columnNames, type Table, type WriteRow } from '../../store/schema/table.ts'
import { CHAIN_TABLES } from '../../store/schema/tables.ts'
import { traces } from '../../store/schema/traces.ts'
import { transactions, txByHash } from '../../store/schema/transactions.ts'
import type { BlockId } from '../../tlb/ids.ts'
import type { GroupRows } from '../derive/group-rows.ts'
import { traceRow } from '../derive/traces.ts'
import {
  type Checkpoint,
  CheckpointMovedError,
  type DerivationVersion,
  readCheckpoint,
  recordCheckpoint,
  settleChanges,
} from '../follow/checkpoint.ts'
import type { InitialStates } from '../follow/range-start.ts'
import type { StartPortion } from '../follow/start-state.ts'
import type { TopicRunner } from '../topics/run-topics.ts'
import { FINISHED, isCluster } from './cluster-commit.ts'
import { createSink } from './sink.ts'
import { conflictOf, insert, update } from './statements.ts'

/* Writes the rows of a group of masterchain blocks and the new checkpoint in one SQL transaction. */

/** Completes the rows of accounts and cells of a group of blocks. `put` writes rows that are too large to stay in memory until the end. */
export type AccountsOf = (put: (rows: RowBytes) => Promise<void>) => Promise<RowBytes>

export type Writer = Awaited<ReturnType<typeof createWriter>>

/** Rows by table. `added`: none of the rows exists, even if the table is `merged`. */
type Lines = readonly (readonly [Table, RowBytes, 'added'?])[]

/** Accounts that did not exist before their first transaction in the group of blocks. */
const begunIn = ({ parts }: GroupRows): readonly Buffer[] => {
  const begun = new Map<string, Buffer | undefined>()
  for (const { key, tx } of parts.flatMap(({ placed }) => placed)) {
    const name = nameOf(key)
    if (!begun.has(name)) begun.set(name, tx.origStatus === 'nonexist' ? key : undefined)
  }
  return [...begun.values()].filter((key) => key !== undefined)
}

/** Maximum number of rows of a `merged` table that are sent as INSERT values. For so few rows the temporary table costs more than it saves. */
const FEW = 50
/**
 * Maximum bytes of rows that are sent as INSERT values. The values become part of one SQL text, and JavaScript limits the length of a string. Larger rows
 * are sent by COPY. Rows that are collected until the end of a group of blocks are sent when they are larger.
 */
const LIGHT = 4 << 20

type Way = 'copy' | 'insert' | 'stage'
const wayOf = ([table, of, added]: Lines[number]): Way => {
  if (table.kind !== 'merged' || added) return 'copy'
  return of.length <= FEW && of.size <= LIGHT ? 'insert' : 'stage'
}

const copyInto = (table: Table): string => `copy ${table.name} (${columnList(table)}) from stdin;`

const merge = (table: Table): string => {
  const [name, columns] = [table.name, columnList(table)]
  return `copy stage_${name} (${columns}) from stdin;
   insert into ${name} (${columns}) select ${columns} from stage_${name} order by ${columnNames(table)[0]} ${conflictOf(table)};
   delete from stage_${name};`
}

const filled = (lines: Lines): Lines => lines.filter(([, of]) => of.length > 0)

/** The statements that write the rows. Rows of `copy` and `stage` are sent separately, as COPY messages (rowsOf). */
const statements = (lines: Lines): string =>
  filled(lines)
    .map((part) => {
      const [table, of] = part
      const way = wayOf(part)
      return way === 'insert' ? insert(table, of.lines()) : way === 'stage' ? merge(table) : copyInto(table)
    })
    .join('\n')

const rowsOf = (lines: Lines): Promise<readonly Uint8Array[]> =>
  runSteps(
    copySteps(
      filled(lines)
        .filter((part) => wayOf(part) !== 'insert')
        .map(([, of]) => of.bytes()),
    ),
  )

export const createCopier = (connection: Connection) => {
  let staged: Promise<void> | undefined
  /** Creates the temporary tables of `stage` at the first use: a connection that only follows does not need them. */
  const stage = (): Promise<void> => {
    const tables = CHAIN_TABLES.filter(({ kind }) => kind === 'merged').map(
      ({ name }) => `create temporary table if not exists stage_${name} (like ${name}) on commit delete rows`,
    )
    staged ??= connection.script(tables.join(';'))
    return staged
  }
  return async (lines: Lines, before = '', after = ''): Promise<void> => {
    if (lines.some((part) => wayOf(part) === 'stage')) await stage()
    await connection.script(`${before}${statements(lines)}${after}`, await rowsOf(lines))
  }
}

const blockLines = (rows: GroupRows): Lines => [
  [blocks, rows.blocks],
  [shardTops, rows.shardTops],
  [transactions, rows.transactions],
  [txByHash, rows.txByHash],
  [messages, rows.messages],
  [accountSets, rows.accountSets],
]

/** Appends rows with pauses: a block can have hundreds of bodies of 200 KB. */
const addRows = async <T extends Table>(to: Rows<T>, rows: Iterable<WriteRow<T>>): Promise<Rows<T>> => {
  await mapWithPauses(rows, (row) => to.add(row))
  return to
}

const stateLines = async (rows: GroupRows, accounts: RowBytes): Promise<Lines> => {
  const traceRows = (areNew: boolean) => addRows(new Rows(traces), rows.traces.filter(({ isNew }) => isNew === areNew).map(traceRow))
  return [
    [cells, await addRows(new Rows(cells), rows.cells.values())],
    [accountsTable, accounts],
    [traces, await traceRows(false)],
    [traces, await traceRows(true), 'added'],
  ]
}

/** @internal Collects rows of `event` tables that are written at the end of a group of blocks. */
export const createLateRows = () => {
  const byTable = new Map<Table, Rows<Table>>()
  return {
    /** Resolves with the bytes of all rows. */
    async add(made: readonly TableRows[]): Promise<number> {
      for (const { table, rows } of made) {
        const written = byTable.get(table) ?? new Rows(table)
        byTable.set(table, written)
        await addRows(written, rows)
      }
      return [...byTable.values()].reduce((sum, { size }) => sum + size, 0)
    },
    take(): Lines {
      const lines = [...byTable]
      byTable.clear()
      return lines
    },
  }
}

/** @internal The rows of blocks that have no masterchain. */
export const groupLines = async (rows: GroupRows, accounts: RowBytes): Promise<readonly (readonly [Table, RowBytes])[]> =>
  [...blockLines(rows), ...(await stateLines(rows, accounts))].map(([table, of]) => [table, of])

/** Moves the checkpoint from `from` to a block. Fails with a division by zero if the checkpoint is not at `from`. */
const move = (from: Checkpoint, { seqno, rootHash, fileHash }: BlockId): string =>
  `with moved as (${update(
    indexCheckpoint,
    { mc_seqno: seqno, root_hash: rootHash, file_hash: fileHash },
    { id: 1, mc_seqno: from.seqno, root_hash: from.rootHash },
  )} returning 1) select 1 / count(*) from moved;`

const DIVISION_BY_ZERO = '22012'

/**
 * SQL that publishes a block. It runs in the SQL transaction that writes the rows, or on a Citus cluster after the commit on all nodes (FINISHED), so that
 * readers never see the rows of some nodes only.
 */
const publication = (seqno: number, utime: number): string =>
  `${update(publishedHead, { mc_seqno: seqno, utime }, { id: 1 })}; notify ${HEAD_CHANNEL};`

/** Writes the accounts before the first block, and the rows that topics derive from them. */
const writeStart = async (
  connection: Connection,
  runner: TopicRunner,
  start: AsyncIterable<StartPortion>,
  signal: AbortSignal,
): Promise<void> => {
  const copy = createCopier(connection)
  for await (const portion of start) {
    await copy([
      [cells, portion.cells],
      [accountsTable, portion.accounts],
      [accountSets, portion.accountSets],
    ])
    const sink = createSink(connection)
    await runner.states(portion.at, portion.changes, sink, signal)
    await sink.send()
  }
}

/** `isRange`: true for a range of a longer index. Its tables are plain tables on every database, and nobody reads them. */
export const createWriter = async (connection: Connection, runner: TopicRunner, isRange = false) => {
  // All reads on this connection are by key. A plan from the time when the tables were small would keep scanning them.
  await connection.script('set enable_seqscan = off; set jit = off')
  const onCluster = !isRange && (await isCluster(connection))
  const finished = onCluster ? FINISHED : ''
  if (!isRange) {
    // Finishes commits, reverts and removals of history that an earlier process left unfinished.
    await connection.script(FINISHED)
    await settleChanges(connection)
  }
  // synchronous_commit stays on: otherwise a crash of the server could lose rows below the published head.
  const copy = createCopier(connection)

  const inTransaction = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      // Alone: if it were refused together with other statements, those behind it would be committed one by one.
      await connection.query('begin')
      return await work()
    } catch (error) {
      await connection.query('rollback').catch(() => {})
      throw errorCode(error) === DIVISION_BY_ZERO ? new CheckpointMovedError() : error
    }
  }

  return {
    checkpoint: () => readCheckpoint(connection),
    /** Begins an index: writes the state before block `firstSeqno`, and the checkpoint at that state. */
    begin: (
      at: Checkpoint,
      versions: readonly DerivationVersion[],
      start: AsyncIterable<StartPortion>,
      signal: AbortSignal,
    ): Promise<void> =>
      inTransaction(async () => {
        await recordCheckpoint(connection, at, versions)
        await writeStart(connection, runner, start, signal)
        await connection.query('commit')
      }),
    /**
     * Writes a group of blocks after the checkpoint `from`, and publishes it. Resolves with the new checkpoint. Rejects with CheckpointMovedError if the
     * stored checkpoint is not `from`. `early`: the accounts before the first block of a backfilled range.
     */
    write(from: Checkpoint, rows: GroupRows, accounts: AccountsOf, signal: AbortSignal, early?: InitialStates): Promise<Checkpoint> {
      const { id, info } = rows.last.master
      const published = publication(id.seqno, info.genUtime)
      const end = onCluster ? `commit;\n${finished}${published}` : `${published}\ncommit;`
      const derive = async (): Promise<readonly [Lines, string]> => {
        const sink = createSink(connection)
        const late = createLateRows()
        const ensure = early && ((keys: readonly Buffer[]) => early.ensure(keys, sink))
        early?.absent(begunIn(rows))
        await ensure?.([...rows.accounts.values()].map(({ key }) => key))
        const latest = await stateLines(rows, await accounts((large) => copy([[accountsTable, large]])))
        const later = async (made: readonly TableRows[]): Promise<void> => {
          if ((await late.add(made)) > LIGHT) await copy(late.take())
        }
        await runner.blocks(rows.parts, { ...sink, later, ...(ensure && { ensure }) }, signal)
        return [[...latest, ...late.take()], sink.take()]
      }
      return inTransaction(async () => {
        // Rows that need only the blocks are sent while the rest is derived.
        const begun = copy(blockLines(rows), move(from, id))
        begun.catch(() => {})
        // If the first script failed, everything after it fails. Throws the error of the first.
        const [latest, script] = await derive().catch(async (error: unknown) => {
          await begun
          throw error
        })
        await begun
        await copy(latest, script, end)
        return { ...from, seqno: id.seqno, rootHash: Buffer.from(id.rootHash), fileHash: Buffer.from(id.fileHash) }
      })
    },
    /** Shows readers everything up to the checkpoint. */
    publish: (seqno: number, utime: number): Promise<void> => connection.script(`${finished}${publication(seqno, utime)}`),
  }
}
