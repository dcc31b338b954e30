import { CompiledQuery } from 'kysely'
import { TonError } from '../../../shared/errors.ts'
import type { TableName, Tables } from '../schema/tables.ts'
import type { View } from './view.ts'

type Column<T extends TableName> = keyof Tables[T] & string

/** A statement with a constant text. `$1` and so on are its values. */
export const statement = <Row>(text: string, values: readonly unknown[]): CompiledQuery<Row> =>
  CompiledQuery.raw(text, [...values]) as CompiledQuery<Row>

interface LookUp<T extends TableName, C extends Column<T>> {
  readonly from: T
  readonly by: Column<T>
  readonly columns?: readonly C[]
  /** True for a table whose rows above the published head must not be seen (README.md, Citus). Rows of latest states have no such bound. */
  readonly isBounded?: boolean
  readonly orderBy?: string
  /** Maximum number of rows, if strangers choose it. More are refused. */
  readonly most?: number
}

/** Throws if there are more rows than an answer may read. The statement needs a limit of `most + 1`. `param`: the parameter that the error names. */
export const limitedTo = <Row>(most: number, rows: Row[], param: string): Row[] => {
  if (rows.length <= most) return rows
  const message = `the answer needs more than ${most} rows of the index`
  throw new TonError('INVALID_PARAMS', `${message}: ask for less with ${param}`, { issues: [{ param, message }] })
}

/** Returns a function that reads the rows whose column `by` has one of the given values. The SQL is the same for any number of them. `param`: see limitedTo. */
export const lookUp = <T extends TableName, const C extends Column<T> = Column<T>>({
  from,
  by,
  columns,
  isBounded,
  orderBy,
  most = Number.POSITIVE_INFINITY,
}: LookUp<T, C>) => {
  const text = [
    `select ${columns?.join(', ') ?? '*'} from ${from} where ${by} = any($1::bytea[])`,
    ...(isBounded ? ['and mc_seqno <= $2'] : []),
    ...(orderBy === undefined ? [] : [`order by ${orderBy}`]),
  ].join(' ')
  return async (view: View, values: readonly Uint8Array[], param = 'limit'): Promise<Pick<Tables[T], C>[]> => {
    if (values.length === 0) return []
    const limit = Number.isFinite(most) ? ` limit ${Math.min(most, view.mostRows ?? most) + 1}` : ''
    const query = statement<Pick<Tables[T], C>>(text + limit, isBounded ? [values, view.head] : [values])
    return limitedTo(most, await view.rows(query, 'generic'), param)
  }
}
