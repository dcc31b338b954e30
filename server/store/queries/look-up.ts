import { CompiledQuery } from 'kysely'
import type { TableName, Tables } from '../schema/tables.ts'
import type { View } from './view.ts'

type Column<T extends TableName> = keyof Tables[T] & string

/** A statement with a constant text. `$1` and so on are its values. */
export const statement = <Row>(text: string, values: readonly unknown[]): CompiledQuery<Row> =>
  CompiledQuery.raw(text, [...values]) as CompiledQuery<Row>

interface LookUp<T extends TableName, C extends Column<T>> {
  readonly from: T
  readonly by: Column<T>
  /** All columns by default. */
  readonly columns?: readonly C[]
  /** True for a table whose rows above the published head must not be seen (README.md, Citus). Rows of latest states have no such bound. */
  readonly isBounded?: boolean
  /** Columns that order the rows. */
  readonly orderBy?: string
}

/** Creates a read of the rows whose column `by` has one of some values. The statement has the same text for any number of values. */
export const lookUp = <T extends TableName, const C extends Column<T> = Column<T>>({
  from,
  by,
  columns,
  isBounded,
  orderBy,
}: LookUp<T, C>) => {
  const text = [
    `select ${columns?.join(', ') ?? '*'} from ${from} where ${by} = any($1::bytea[])`,
    ...(isBounded ? ['and mc_seqno <= $2'] : []),
    ...(orderBy === undefined ? [] : [`order by ${orderBy}`]),
  ].join(' ')
  return async (view: View, values: readonly Uint8Array[]): Promise<Pick<Tables[T], C>[]> =>
    values.length === 0 ? [] : view.rows(statement<Pick<Tables[T], C>>(text, isBounded ? [values, view.head] : [values]), 'generic')
}
