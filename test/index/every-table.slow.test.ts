import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TOPICS } from '../../server/index/topics/registry.ts'
import { formatDifference } from '../../server/index/verify/compare.ts'
import { verifyIndex } from '../../server/index/verify/verify.ts'
import { columnList, columnNames, type Table } from '../../server/store/schema/table.ts'
import { CHAIN_TABLES } from '../../server/store/schema/tables.ts'
import { playEveryTable } from '../kit/index/every-table.ts'
import { type LocalIndex, startLocalIndex } from '../kit/index/local-index.ts'
import { otherValue } from './faults.ts'
import { backfillUpTo, dump, differences as tableDifferences } from './kit.ts'

/* Verify finds a row that is gone, one too many and one that is changed, in every table that is made of blocks. */

const OF_TOPICS: readonly Table[] = TOPICS.flatMap(({ tables }) => tables.filter(({ kind }) => kind !== 'outside'))

describe('every table of the index', () => {
  let index: LocalIndex
  let copy: ClientConfig
  beforeAll(async () => {
    index = await startLocalIndex()
    await playEveryTable(index)
  })
  afterAll(() => index?.close())

  const run = <R>(text: string, values?: readonly unknown[]): Promise<R[]> => index.server.run<R>(copy, text, values)
  const shown = ({ key }: Table): string => `concat_ws(' ', ${key.map((name) => `replace(${name}::text, '\\', '\\\\')`).join(', ')})`
  /** A copy of the index, with a fault in one row of each table; resolves with what verify finds. */
  const found = async (plant: () => Promise<void>) => {
    copy = await index.fresh()
    await plant()
    const { differences } = await verifyIndex({ source: index.local, connection: copy, tvm: index.tvm }, AbortSignal.timeout(100_000))
    return differences
  }
  /** One row in the middle: its key as text and as values. It is found by those, because each shard of a cluster counts places (ctid) for itself. */
  const rowOf = async (table: Table): Promise<{ readonly key: string; readonly values: readonly unknown[] }> => {
    const [count] = await run<{ half: string }>(`select count(*) / 2 as half from ${table.name}`)
    const [row] = await run<Record<string, unknown> & { shown: string }>(
      `select ${shown(table)} as shown, ${table.key.join(', ')} from ${table.name} order by ${table.key.join(', ')} offset ${count!.half} limit 1`,
    )
    if (row === undefined) throw new Error(`the history leaves no rows in ${table.name}`)
    return { key: row.shown, values: table.key.map((name) => row[name]) }
  }
  const isRow = ({ key }: Table): string => key.map((name, i) => `${name} = $${i + 1}`).join(' and ')

  it('an index that several backfill in ranges has the rows of one that was followed', { timeout: 300_000 }, async () => {
    const { local, tvm, server } = index
    const database = await server.database()
    const to = local.head!().id.seqno
    const size = Math.ceil(to / 7)
    await Promise.all([0, 1].map(() => backfillUpTo(local, database, to, { size, tvm, signal: AbortSignal.timeout(290_000) })))
    const { differences } = await verifyIndex({ source: local, connection: database, tvm }, AbortSignal.timeout(100_000))
    expect(differences.map(formatDifference)).toEqual([])
    // Traces that a cut went through have their actions by facts of a later block.
    const differing = tableDifferences(await dump(database), await dump(index.database))
    expect(differing.filter((text) => !text.startsWith('trace_classifications:'))).toEqual([])
    expect(await server.run(database, `select nspname from pg_namespace where nspname like 'tonway%'`)).toEqual([])
  })

  it('verify finds missing rows of every table', { timeout: 300_000 }, async () => {
    const planted: string[] = []
    const differences = await found(async () => {
      for (const table of [...CHAIN_TABLES, ...OF_TOPICS]) {
        const { key, values } = await rowOf(table)
        await run(`delete from ${table.name} where ${isRow(table)}`, values)
        planted.push(`${table.name} ${key}`)
      }
    })
    const missing = differences.filter(({ kind }) => kind === 'missing').map(({ table, key }) => `${table} ${key}`)
    expect(planted.filter((at) => !missing.includes(at))).toEqual([])
    expect(planted.length).toBe(CHAIN_TABLES.length + OF_TOPICS.length)
    // The block of a hash is that of its transaction: without that its row belongs to none.
    expect(differences.filter(({ table, key }) => table !== 'tx_by_hash' && !planted.includes(`${table} ${key}`))).toEqual([])
  })

  it('verify finds a planted row in every table, and a change of every column of another row', { timeout: 300_000 }, async () => {
    const planted: string[] = []
    const differences = await found(async () => {
      const types = await run<{ at: string; type: string }>(
        `select table_name || '.' || column_name as at, data_type as type from information_schema.columns where table_schema = 'public'`,
      )
      const typeOf = new Map(types.map(({ at, type }) => [at, type]))
      for (const table of OF_TOPICS) {
        const { key, values } = await rowOf(table)
        const [first, ...rest] = columnNames(table)
        const [made] = await run<{ key: string }>(
          `insert into ${table.name} (${columnList(table)}) select sha256(${first}), ${rest.join(', ')} from ${table.name} where ${isRow(table)} returning ${shown(table)} as key`,
          values,
        )
        planted.push(`unexpected ${table.name} ${made?.key}: `)
        const columns = columnNames(table).filter((column) => !table.key.includes(column))
        const sets = columns.map((column) => `${column} = ${otherValue(column, typeOf.get(`${table.name}.${column}`)!)}`)
        await run(`update ${table.name} set ${sets.join(', ')} where ${isRow(table)}`, values)
        planted.push(`different ${table.name} ${key}: ${columns.join(' ')}`)
      }
    })
    const told = differences.map(({ table, key, kind, columns }) => `${kind} ${table} ${key}: ${columns.map(({ name }) => name).join(' ')}`)
    expect(told.sort()).toEqual(planted.sort())
  })
})
