import { createInterface } from 'node:readline'
import { Client, type ClientConfig } from 'pg'
import { to } from 'pg-copy-streams'
import { silentLog } from '../../server/base/log.ts'
import type { LiteServer } from '../../server/chain/liteserver.ts'
import { type BackfillDeps, backfill } from '../../server/index/backfill/backfill.ts'
import { createIndexSource } from '../../server/index/follow/session.ts'
import { EVERYTHING } from '../../server/index/service/account-selection.ts'
import { createIndexer, type Indexer, type IndexerDeps } from '../../server/index/service/indexer.ts'
import { createStatusBoard } from '../../server/index/service/status.ts'
import { TOPICS } from '../../server/index/topics/registry.ts'
import type { Topic } from '../../server/index/topics/topic.ts'
import { indexCheckpoint } from '../../server/store/schema/head.ts'
import type { Table } from '../../server/store/schema/table.ts'
import { CHAIN_TABLES, type TableName } from '../../server/store/schema/tables.ts'

export type Dump = Readonly<Record<TableName, readonly string[]>> & Readonly<Record<string, readonly string[]>>

/** How often a checkpoint was reverted does not follow from the blocks. */
const comparedColumns = (table: Table): string =>
  Object.keys(table.columns)
    .filter((name) => table !== indexCheckpoint || name !== 'changes')
    .join(', ')

/** Every table, those of topics too, as sorted lines; two indexes of the same blocks are equal as texts. */
export const dump = async (connection: ClientConfig, topics: readonly Topic[] = TOPICS): Promise<Dump> => {
  const client = new Client(connection)
  await client.connect()
  try {
    const tables: Record<string, readonly string[]> = {}
    for (const table of [...CHAIN_TABLES, ...topics.flatMap((each) => each.tables), indexCheckpoint]) {
      const lines: string[] = []
      const input = client.query(to(`copy ${table.name} (${comparedColumns(table)}) to stdout`))
      for await (const line of createInterface({ input })) lines.push(line)
      tables[table.name] = lines.sort()
    }
    return tables as Dump
  } finally {
    await client.end()
  }
}

/** Which tables differ, with the first rows that do; empty when none does. */
export const differences = (a: Dump, b: Dump): readonly string[] =>
  Object.keys(a).flatMap((table) => {
    const [of, other] = [a[table] ?? [], b[table] ?? []]
    const [left, right] = [new Set(of), new Set(other)]
    const only = [...left].filter((row) => !right.has(row)).concat([...right].filter((row) => !left.has(row)))
    if (only.length > 0) return [`${table}: ${only.slice(0, 4).join(' | ').slice(0, 600)}`]
    return of.length === other.length ? [] : [`${table}: ${of.length} and ${other.length} rows`]
  })

export const startIndexer = (source: LiteServer, connection: ClientConfig, deps: Partial<IndexerDeps> = {}): Indexer =>
  createIndexer({ source, connection, network: 'test', log: silentLog, patience: 5, ...deps })

/** Backfills up to a masterchain seqno in ranges of `size` blocks, as one of the processes that do so. */
export const backfillUpTo = async (
  server: LiteServer,
  config: ClientConfig,
  to: number,
  {
    size,
    signal = AbortSignal.timeout(110_000),
    ...given
  }: { readonly size: number; readonly signal?: AbortSignal } & Partial<BackfillDeps>,
): Promise<void> => {
  const settings = { network: 'test', from: 1, selection: EVERYTHING, lanes: 8, reverts: true, isTransient: false, pause: 5 } as const
  const source = createIndexSource(server, settings, silentLog)
  const board = createStatusBoard(signal)
  const deps = { config, settings, source, tvm: undefined, board, log: silentLog, to, size, progress: () => {} }
  await backfill({ ...deps, ...given }, signal)
}

/** Indexes up to a masterchain seqno and stops. */
export const indexUpTo = async (
  source: LiteServer,
  connection: ClientConfig,
  seqno: number,
  { signal = AbortSignal.timeout(110_000), ...deps }: { readonly signal?: AbortSignal } & Partial<IndexerDeps> = {},
): Promise<void> => {
  const indexer = startIndexer(source, connection, deps)
  try {
    await indexer.reached(seqno, signal)
  } finally {
    await indexer.close()
  }
}
