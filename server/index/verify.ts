import { setMaxListeners } from 'node:events'
import type { ClientConfig } from 'pg'
import type { LiteServer } from '../chain/liteserver.ts'
import { columnNames, KEY_COLUMNS } from '../store/columns.ts'
import { type Connection, connect } from '../store/connection.ts'
import { openRowReader, type RowReader } from '../store/row-reader.ts'
import type { Tvm } from '../tvm/tvm.ts'
import { completeAccounts, historyOf } from './accounts.ts'
import { createBounded } from './bounded.ts'
import { madeBy, makersOf } from './checkpoint.ts'
import { type ComparedTable, createComparison, type Difference } from './compare.ts'
import { deriveGroup } from './derive.ts'
import { createExtender } from './extend.ts'
import type { Extension } from './extension.ts'
import { EXTENSIONS } from './extensions.ts'
import { createExtras } from './extras.ts'
import { createKnown } from './known.ts'
import { EVERYTHING, type Selection } from './selection.ts'
import { createSource, type MasterBlock, type ShardTop } from './source.ts'
import { openStart } from './start.ts'
import { STAGED } from './statements.ts'
import { createVersions } from './versions.ts'
import { createCopier, createSink, groupLines } from './writer.ts'

export { formatDifference } from './compare.ts'

/*
 * Derives every row from the blocks again and compares it with what is stored: rows that stay as they are written block by block, the others
 * at the end, from temporary tables in which the index is made once more. All of it sees one snapshot of the database.
 */

export interface VerifyReport {
  readonly first: number
  readonly last: number
  readonly rows: number
  /** Not all of them where there are very many. */
  readonly differences: readonly Difference[]
  readonly found: number
}

export interface VerifyDeps {
  readonly source: LiteServer
  readonly connection: ClientConfig
  readonly tvm?: Pick<Tvm, 'runGetMethod'>
  /** EXTENSIONS unless told. */
  readonly extensions?: readonly Extension[]
  /** As the index was made; everything unless told. */
  readonly selection?: Selection
  readonly progress?: (seqno: number, last: number) => void
}

/** Tables whose rows stay as their block wrote them. */
const PER_BLOCK = ['blocks', 'shard_tops', 'transactions', 'tx_by_hash', 'messages', 'account_sets'] as const
const OPEN_MESSAGES = 100_000

const comparedTables = (extensions: readonly Extension[]): readonly ComparedTable[] => [
  ...STAGED.map((name) => ({ name, columns: columnNames(name), key: KEY_COLUMNS[name] })),
  ...extensions.flatMap(({ tables }) =>
    tables.filter(({ kind }) => kind !== 'outside').map(({ name, columns, key }) => ({ name, columns: columns.split(' '), key })),
  ),
]

/** A connection whose unqualified tables are temporary ones, empty, made like those of the index. Returns the schema of the latter. */
const shadow = async (connection: Connection, snapshot: string, tables: readonly ComparedTable[]): Promise<string> => {
  await connection.query('set statement_timeout = 0')
  await connection.query('begin isolation level repeatable read')
  await connection.query(`set transaction snapshot '${snapshot}'`)
  const [row] = await connection.query<{ schema: string }>('select quote_ident(current_schema()) as schema')
  const schema = row!.schema
  for (const { name } of tables)
    await connection.query(`create temporary table ${name} (like ${schema}.${name} including indexes) on commit drop`)
  return schema
}

/** Checks the whole index. Rejects where the chain cannot be read. */
export const verifyIndex = async (
  { source: server, connection: config, tvm, extensions = EXTENSIONS, selection = EVERYTHING, progress }: VerifyDeps,
  signal: AbortSignal,
): Promise<VerifyReport> => {
  setMaxListeners(0, signal)
  const source = createSource(server, { wants: selection.wants, forgets: true })
  const reader: RowReader = await openRowReader(config)
  let connection: Connection | undefined
  try {
    const at = await reader.checkpoint()
    if (at === undefined) throw new Error('the database holds no index')
    const zero = await source.zeroState(signal)
    if (Buffer.compare(zero.rootHash, at.zeroHash) !== 0) throw new Error('the database holds the index of another chain')
    const { lines, tables, report } = createComparison()
    connection = await connect(config, 'tonway-verify')
    if (!(await madeBy(connection, makersOf(extensions, selection))))
      throw new Error('the index was made by another release of tonway: it is made anew at the next start')
    const compared = comparedTables(extensions)
    const schema = await shadow(connection, reader.snapshot, compared)
    const { copy } = createCopier(connection)
    const extender = createExtender({ extensions, connection, source, tvm, partial: at.first !== 1 || selection.name !== '' })
    const known = createKnown(connection)
    const streams = new Map(await Promise.all(PER_BLOCK.map(async (table) => [table, await reader.byBlock(table)] as const)))
    const open = createBounded<string>(OPEN_MESSAGES)
    const extras = createExtras(connection)
    const versionAt = createVersions(source)
    const fromStart = at.first === 1

    const sets: string[] = []
    const start = await openStart(source, zero, at.first, (seqno) => source.masterId(seqno, signal), signal)
    for await (const portion of start.portions(selection, extras)) {
      await copy([
        ['cells', portion.cells],
        ['accounts', portion.accounts],
      ])
      sets.push(...portion.accountSets)
      const sink = createSink(connection, '')
      await extender.states(portion.at, portion.changes, sink, signal)
      await sink.end('')
    }
    for (const table of PER_BLOCK) lines(table, await streams.get(table)!.upTo(at.first - 1), table === 'account_sets' ? sets : [])

    let tops: readonly ShardTop[] = start.tops ?? []
    for (let seqno = at.first; seqno <= at.last; seqno++) {
      signal.throwIfAborted()
      const id = await source.masterId(seqno, signal)
      if (id === undefined) throw new Error(`the chain has no masterchain block ${seqno}, which is indexed`)
      const master: MasterBlock = await source.read(id, tops, signal)
      tops = master.tops
      const rows = await deriveGroup([master], { source, open, extras, versionAt, senders: known.senders, fromStart, selection }, signal)
      const accounts = await completeAccounts(rows.accounts.values(), historyOf(rows), rows.cells, known, source, signal)
      const sink = createSink(connection, '')
      await extender.blocks(rows.parts, sink, signal)
      await sink.end('')
      for (const [table, derived] of groupLines(rows, accounts)) {
        const stream = streams.get(table as (typeof PER_BLOCK)[number])
        if (stream === undefined) await copy([[table, derived]])
        else lines(table, await stream.upTo(seqno), derived)
      }
      progress?.(seqno, at.last)
    }
    // What is left names blocks that are not indexed, or none at all.
    for (const table of PER_BLOCK) lines(table, await streams.get(table)!.rest(), [])
    for (const table of compared) await tables(connection, table, schema, 'pg_temp')
    return { first: at.first, last: at.last, ...report() }
  } finally {
    await connection?.close().catch(() => {})
    await reader.close()
  }
}
