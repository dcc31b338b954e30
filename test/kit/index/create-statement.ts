import type { AnyColumn } from '../../../server/store/schema/column.ts'
import type { Table } from '../../../server/store/schema/table.ts'

/** SQL that creates a table exactly as declared. The migrations must give the same result, and add indexes. */
export const createStatement = ({ name, columns, key }: Table): string => {
  const lines = Object.entries<AnyColumn>(columns).map(([column, { type, nullable }]) => `${column} ${type}${nullable ? '' : ' not null'}`)
  return `create table ${name} (${lines.join(', ')}, primary key (${key.join(', ')}))`
}
