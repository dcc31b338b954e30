import { setMaxListeners } from 'node:events'
import type { ClientConfig } from 'pg'
import type { LiteServer } from '../../chain/liteserver.ts'
import { releaseFault } from '../../store/migrate.ts'
import { type Connection, connect } from '../../store/postgres/connection.ts'
import type { Table } from '../../store/schema/table.ts'
import { CHAIN_TABLES } from '../../store/schema/tables.ts'
import type { Tvm } from '../../tvm/tvm.ts'
import { completeAccounts, historyOf } from '../derive/accounts.ts'
import { createConfigs } from '../derive/config-at.ts'
import { deriveGroup } from '../derive/derive.ts'
import { createExtras } from '../derive/extra-currency-cache.ts'
import { createRecentRows } from '../derive/recent-rows.ts'
import { createOpenMessages } from '../derive/traces.ts'
import { compareVersions, derivationVersionsOf, readDerivation } from '../follow/checkpoint.ts'
import { openMasterIds } from '../follow/master-ids.ts'
import { createSource, type MasterBlock, type Source } from '../follow/source.ts'
import { openStart } from '../follow/start-state.ts'
import type { ShardTop } from '../follow/tops.ts'
import { EVERYTHING, type Selection } from '../service/account-selection.ts'
import { alignLateTraces } from '../topics/actions/rederive.ts'
import { actionsTopic } from '../topics/actions/topic.ts'
import { TOPICS } from '../topics/registry.ts'
import { createTopicRunner } from '../topics/run-topics.ts'
import type { Topic } from '../topics/topic.ts'
import { createSink } from '../write/sink.ts'
import { createCopier, groupLines, writeStart } from '../write/writer.ts'
import { createComparison, type Difference } from './compare.ts'
import { comparePlace, type LastBlock, lastSeqno, readPosition } from './index-position.ts'
import { verifiedTables } from './local-copy.ts'
import { alignFirstLts, seedRows } from './seed.ts'

/*
 * Derives every row from the blocks again, into temporary tables, which are compared with the tables of the index at the end. All reads use one snapshot of
 * the database.
 */

export interface VerifyReport {
  readonly first: number
  readonly last: number
  readonly rows: number
  /** The list is incomplete if there are very many differences. */
  readonly differences: readonly Difference[]
  readonly found: number
  /** Number of account states that the source no longer had. Rows that depend on these states may be reported as different. */
  readonly forgotten: number
}

export interface VerifyDeps {
  readonly source: LiteServer
  readonly connection: ClientConfig
  readonly tvm?: Pick<Tvm, 'runGetMethod'>
  readonly network?: string
  /** True if the chain can be reverted (only the embedded chain can). On any other chain the head proves block ids. */
  readonly reverts?: boolean
  readonly topics?: readonly Topic[]
  /** The selection that the index was made with; everything by default. */
  readonly selection?: Selection
  readonly progress?: (seqno: number, last: number) => void
}

const comparedTables = (topics: readonly Topic[]): readonly Table[] => [
  ...CHAIN_TABLES,
  ...topics.flatMap(({ tables }) => tables.filter(({ kind }) => kind !== 'outside')),
]

/**
 * Creates empty temporary tables like those of the index. Unqualified table names on the connection then mean the temporary tables. Returns the schema of
 * the index's tables.
 */
const shadow = async (connection: Connection, tables: readonly Table[]): Promise<string> => {
  const [row] = await connection.query<{ schema: string }>('select quote_ident(current_schema()) as schema')
  const schema = row!.schema
  for (const { name } of tables)
    await connection.query(`create temporary table ${name} (like ${schema}.${name} including indexes) on commit drop`)
  return schema
}

/**
 * Verifies the index from the first block whose history is stored. Rejects if the chain or the database cannot be read, and after an abort with the
 * signal's reason.
 */
export const verifyIndex = async (deps: VerifyDeps, signal: AbortSignal): Promise<VerifyReport> => {
  const tables = await verifiedTables(deps.connection, deps.topics ?? TOPICS, signal).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error
  })
  try {
    return await verifyTables({ ...deps, connection: tables.config }, signal)
  } finally {
    await tables.release().catch(() => {})
  }
}

const verifyTables = async (
  { source: server, connection: config, tvm, network, reverts = true, topics = TOPICS, selection = EVERYTHING, progress }: VerifyDeps,
  signal: AbortSignal,
): Promise<VerifyReport> => {
  setMaxListeners(0, signal)
  let forgotten = 0
  const remote = createSource(server, { wants: selection.wants, forgets: true })
  const source: Source = {
    ...remote,
    async account(...args) {
      const found = await remote.account(...args)
      if (found === undefined) forgotten += 1
      return found
    },
  }
  const connection = await connect(config, 'tonway-verify', { signal, patience: 0 })
  try {
    await connection.query('begin isolation level repeatable read')
    const fault = await releaseFault(connection.query)
    const place = fault === undefined ? await readPosition(connection) : undefined
    if (fault !== undefined && fault !== 'none') throw new Error(fault)
    if (place === undefined) throw new Error('the database holds no index')
    const { at } = place
    const zero = await source.zeroState(signal)
    if (Buffer.compare(zero.rootHash, at.zeroHash) !== 0) throw new Error('the database holds the index of another chain')
    if (compareVersions(await readDerivation(connection), derivationVersionsOf(topics, selection)) !== 'same')
      throw new Error(
        'the index was made with other settings (TONWAY_INDEX_ACCOUNTS), or by another release: the next start makes it again',
      )
    const comparison = createComparison()
    const { tables, report } = comparison
    const idOf = await openMasterIds(source, reverts, signal)
    const last = await lastSeqno(at, connection, idOf)
    const compared = comparedTables(topics)
    const schema = await shadow(connection, compared)
    const { copy } = createCopier(connection)
    const first = at.oldestSeqno
    const hasLeft = first > at.firstSeqno
    const configs = createConfigs(source)
    const runner = createTopicRunner({ topics, connection, source, configs, tvm, partial: first !== 1 || selection.name !== '' })
    const recentRows = createRecentRows(connection)
    const open = createOpenMessages()
    const extras = createExtras(connection)
    const fromStart = at.firstSeqno === 1

    const start = await openStart(source, zero, first, idOf, signal)
    await writeStart(connection, runner, start.portions(selection, extras), signal)
    if (hasLeft) {
      await seedRows(connection, schema, compared, first)
      runner.forget()
    }

    let tops: readonly ShardTop[] = start.tops ?? []
    let end: LastBlock = { id: start.id, utime: 0 }
    let shown: LastBlock | undefined
    let begun: MasterBlock | undefined
    for (let seqno = first; seqno <= last; seqno++) {
      signal.throwIfAborted()
      const id = await idOf(seqno)
      if (id === undefined) throw new Error(`the chain has no masterchain block ${seqno}, which is indexed`)
      const master: MasterBlock = await source.read(id, tops, signal)
      tops = master.tops
      begun ??= master
      end = { id, utime: master.master.info.genUtime }
      if (place.published?.['mc_seqno'] === String(seqno)) shown = end
      const rows = await deriveGroup([master], { source, open, extras, configs, senders: recentRows.senders, fromStart, selection }, signal)
      const latest = await completeAccounts(rows.accounts.values(), historyOf(rows), rows.cells, recentRows, source, signal)
      const sink = createSink(connection)
      await runner.blocks(rows.parts, sink, signal)
      await sink.send()
      await copy(groupLines(rows, latest))
      progress?.(seqno, last)
    }
    if (topics.includes(actionsTopic)) await alignLateTraces(connection.query, connection.script, schema)
    if (hasLeft && begun !== undefined) await alignFirstLts(connection, schema, compared, begun)
    for (const table of compared) await tables(connection, table, schema, 'pg_temp')
    comparePlace(comparison, place, { end, shown }, network)
    return { first, last, forgotten, ...report() }
  } catch (error) {
    // Throws the signal's reason: after an abort the error is only a consequence.
    signal.throwIfAborted()
    throw error
  } finally {
    await connection.close().catch(() => {})
  }
}
