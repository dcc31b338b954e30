import type { AnyColumn } from '../../../server/store/schema/column.ts'
import type { Table } from '../../../server/store/schema/table.ts'

/** SQL that creates a table exactly as declared. The migrations must give the same result. */
export const createStatements = ({ name, columns, key, indexes }: Table): readonly string[] => {
  const lines = Object.entries<AnyColumn>(columns).map(([column, { type, nullable }]) => `${column} ${type}${nullable ? '' : ' not null'}`)
  return [
    `create table ${name} (${lines.join(', ')}, primary key (${key.join(', ')}))`,
    ...Object.entries(indexes).map(([suffix, rest]) => `create index ${name}_${suffix} on ${name} ${rest}`),
  ]
}
