import type { ClientConfig } from 'pg'
import { columnNames } from '../../server/store/schema/table.ts'
import { CHAIN_TABLES } from '../../server/store/schema/tables.ts'
import type { TestServer } from '../kit/index/database.ts'
import { createRandom } from '../kit/random.ts'

/** A value of the same type that is not `column`'s, as SQL. */
export const otherValue = (column: string, type: string): string => {
  switch (type) {
    case 'bytea':
      return `case when length(${column}) > 0 then set_byte(${column}, length(${column}) - 1, (get_byte(${column}, length(${column}) - 1) + 1) % 256) else '\\x01' end`
    case 'boolean':
      return `not coalesce(${column}, false)`
    case 'jsonb':
      return `case when ${column} is null then '{"7": "1"}'::jsonb end`
    case 'ARRAY':
      return `coalesce(${column} || ${column}, '{}')`
    case 'text':
      return `coalesce(${column}, '') || 'x'`
    default:
      return `coalesce(${column}, 0) + 1`
  }
}

/** Damages one row: a column changed, the row gone, or a row too many. Returns its table and key, undefined where that row is damaged already. */
export const plantFault = async (
  connection: ClientConfig,
  server: TestServer,
  seed: number,
  planted: ReadonlySet<string>,
): Promise<string | undefined> => {
  const random = createRandom(seed + 1)
  const of = CHAIN_TABLES[seed % CHAIN_TABLES.length]!
  const { name: table, key: keys } = of
  const run = <R>(text: string, values?: readonly unknown[]): Promise<R[]> => server.run<R>(connection, text, values)
  const [count] = await run<{ count: string }>(`select count(*) from ${table}`)
  const shown = `concat_ws(' ', ${keys.map((key) => `replace(${key}::text, '\\', '\\\\')`).join(', ')}) as key`
  const [row] = await run<{ key: string; values: readonly string[] }>(
    `select ${shown}, array[${keys.map((key) => `${key}::text`).join(', ')}] as values from ${table} order by ${keys.join(', ')} offset ${random.below(Number(count?.count))} limit 1`,
  )
  const at = `${table} ${row?.key}`
  if (row === undefined || planted.has(at)) return undefined
  // Not by ctid: on a Citus cluster each shard has its own.
  const isRow = keys.map((key, i) => `${key}::text = $${i + 1}`).join(' and ')
  const kind = random.below(10)
  if (kind === 0 && table !== 'transactions') {
    await run(`delete from ${table} where ${isRow}`, row.values)
    return at
  }
  if (kind === 1 && keys[0] !== 'shard_key') {
    // A row too many: the same with a key that no other has.
    const names = columnNames(of).filter((name) => name !== keys[0])
    const [made] = await run<{ key: string }>(
      `insert into ${table} (${keys[0]}, ${names.join(', ')}) select sha256(${keys[0]} || '\\x${(seed % 256).toString(16).padStart(2, '0')}'), ${names.join(', ')} from ${table} where ${isRow} returning ${shown}`,
      row.values,
    )
    return `${table} ${made?.key}`
  }
  const columns = columnNames(of).filter((name) => !keys.includes(name))
  const column = random.pick(columns)
  const [type] = await run<{ data_type: string }>(
    'select data_type from information_schema.columns where table_name = $1 and column_name = $2',
    [table, column],
  )
  // The row's place in the chain is how verify meets it: moving it makes it missing here and unexpected there, under the same key.
  await run(`update ${table} set ${column} = ${otherValue(column, type!.data_type)} where ${isRow}`, row.values)
  return at
}
