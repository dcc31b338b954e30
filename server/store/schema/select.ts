import { columnNames, type ReadRow, type Table } from './table.ts'

declare const ROW: unique symbol

export type Select<R> = string & { readonly [ROW]: R }
export type Row<Query> = Query extends Select<infer R> ? R : never

type Name<T extends Table> = keyof T['columns'] & string

/** Builds a query for some columns of a table. `rest`: the SQL after the table's name. */
export const select = <T extends Table, const K extends Name<T>>(
  of: T,
  columns: readonly K[],
  rest: string,
  distinctOn?: K,
): Select<Pick<ReadRow<T>, K>> => {
  const distinct = distinctOn === undefined ? '' : `distinct on (${distinctOn}) `
  return `select ${distinct}${columns.join(', ')} from ${of.name} ${rest}` as Select<Pick<ReadRow<T>, K>>
}

export const selectAll = <T extends Table>(of: T, rest: string): Select<ReadRow<T>> =>
  `select ${columnNames(of).join(', ')} from ${of.name} ${rest}` as Select<ReadRow<T>>
