import type { Connection } from '../../store/postgres/connection.ts'
import { columnNames, type Table } from '../../store/schema/table.ts'

export interface Difference {
  readonly table: string
  /** The row's key columns as PostgreSQL writes them, joined by spaces. */
  readonly key: string
  readonly kind: 'missing' | 'unexpected' | 'different'
  /** For `different`: the columns that differ, with the stored and the derived value. */
  readonly columns: readonly { readonly name: string; readonly stored: string; readonly derived: string }[]
}

export type Comparison = ReturnType<typeof createComparison>

type TextRow = Readonly<Record<string, string>>

const MAX_SHOWN = 1_000
const NULL = '\\N'

export const createComparison = () => {
  const differences: Difference[] = []
  let found = 0
  let rows = 0
  const add = (difference: Difference): void => {
    found += 1
    if (differences.length < MAX_SHOWN) differences.push(difference)
  }
  return {
    /** Compares the rows of a table in two schemas. */
    async tables(connection: Connection, of: Table, stored: string, derived: string): Promise<void> {
      const { name, key } = of
      const [count] = await connection.query<{ count: string }>(`select count(*) from ${derived}.${name}`)
      rows += Number(count?.count)
      const shownKey = key.map((column) => `replace(coalesce(s.${column}, d.${column})::text, '\\', '\\\\')`)
      const rest = columnNames(of).filter((column) => !key.includes(column))
      // Columns that a later release has added are not compared for rows of an earlier release, because they are null there.
      const later = rest.filter((column) => of.columns[column]?.isLater)
      const isOld = later.length === 0 ? 'false' : later.map((column) => `s.${column} is null`).join(' and ')
      const differs = rest.map((column) => `s.${column} is distinct from d.${column}${later.includes(column) ? ` and not (${isOld})` : ''}`)
      const shown = await connection.query<Record<string, string | null>>(
        `select concat_ws(' ', ${shownKey.join(', ')}) as "key", case when d.${key[0]} is null then 'unexpected' when s.${key[0]} is null then 'missing' else 'different' end as "kind", count(*) over () as "all", (${isOld})::text as "old"
         ${rest.map((column, i) => `, s.${column}::text as s${i}, d.${column}::text as d${i}`).join('')}
         from ${stored}.${name} s full join ${derived}.${name} d on ${key.map((column) => `s.${column} = d.${column}`).join(' and ')}
         where s.${key[0]} is null or d.${key[0]} is null
         ${differs.map((text) => `or ${text}`).join(' ')} limit ${MAX_SHOWN}`,
      )
      found += Math.max(0, Number(shown[0]?.['all'] ?? 0) - shown.length)
      for (const row of shown) {
        const kind = row['kind'] as Difference['kind']
        const differing = rest
          .map((column, i) => ({ name: column, stored: row[`s${i}`] ?? NULL, derived: row[`d${i}`] ?? NULL }))
          .filter((column) => column.stored !== column.derived && !(row['old'] === 'true' && later.includes(column.name)))
        add({ table: name, key: row['key']!, kind, columns: kind === 'different' ? differing : [] })
      }
    },
    /** Compares a row about the index itself, with columns as text. The row does not count in `rows`. `stored`: undefined if the row is missing. */
    row(table: string, key: string, stored: TextRow | undefined, derived: TextRow): void {
      const columns = Object.entries(derived)
        .map(([name, of]) => ({ name, stored: stored?.[name] ?? NULL, derived: of }))
        .filter((column) => column.stored !== column.derived)
      if (stored === undefined) add({ table, key, kind: 'missing', columns: [] })
      else if (columns.length > 0) add({ table, key, kind: 'different', columns })
    },
    report: () => ({ differences, found, rows }),
  }
}

const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}...` : text)

export const formatDifference = ({ table, key, kind, columns }: Difference): string => {
  const texts = columns.map(({ name, stored, derived }) => `${name} is ${short(stored)}, the blocks say ${short(derived)}`)
  return `${table} ${key}: ${kind === 'different' ? texts.join('; ') : kind === 'missing' ? 'the row is missing' : 'no block has this row'}`
}
