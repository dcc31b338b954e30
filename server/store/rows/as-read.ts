import type { AnyColumn, Column } from '../schema/column.ts'
import type { ReadRow, Table, WriteRow } from '../schema/table.ts'
import type { RowBuffer } from './row-buffer.ts'

/* Rows that are in no database, in the form in which queries would give them. */

type Writing = Pick<RowBuffer, 'null' | 'bytea' | 'cellHash' | 'number' | 'integer' | 'bool' | 'text' | 'ascii'>

/** Takes one value as columns write it and keeps it as the driver reads it (store/schema/column.ts). */
const createTaker = () => {
  let value: unknown = null
  let isJson = false
  const textOrJson = (text: string): void => {
    value = isJson ? JSON.parse(text) : text
  }
  const out: Writing = {
    null() {
      value = null
    },
    bytea(bytes) {
      value = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes)
    },
    cellHash(cell) {
      value = Buffer.from(cell.hash())
    },
    number(number) {
      value = number
    },
    integer(integer) {
      value = integer.toString()
    },
    bool(flag) {
      value = flag
    },
    text: textOrJson,
    ascii: textOrJson,
  }
  return (column: AnyColumn, given: unknown): unknown => {
    if (given === undefined || given === null) return null
    isJson = column.type === 'jsonb'
    ;(column as Column<unknown, unknown>).put(out as RowBuffer, given)
    return value
  }
}

/** A row as a query would give it. Lists of words stay in PostgreSQL's text form. */
export const asRead = <T extends Table>({ columns }: T, row: WriteRow<T>): ReadRow<T> => {
  const take = createTaker()
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, take(column, (row as Readonly<Record<string, unknown>>)[name])]),
  ) as ReadRow<T>
}
