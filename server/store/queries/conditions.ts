import { type RawBuilder, sql } from 'kysely'
import { bound, bytesPart, numberPart, type Order, type PageParams } from './order.ts'
import type { View } from './view.ts'

export interface TimeFilter {
  readonly start_utime?: number | undefined
  readonly end_utime?: number | undefined
}

export const lastOf = (view: View, page: PageParams): number => Math.min(view.head, page.as_of ?? view.head)

export const all = (conditions: readonly (RawBuilder<boolean> | undefined)[]): RawBuilder<boolean> => {
  const given = conditions.filter((condition) => condition !== undefined)
  return given.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(given, sql` and `)}`
}

export const given = (column: RawBuilder<unknown>, value: Buffer | string | number | undefined): RawBuilder<boolean> | undefined =>
  value === undefined ? undefined : sql<boolean>`${column} = ${value}`

export const within = (column: RawBuilder<unknown>, { start_utime, end_utime }: TimeFilter, page: PageParams): RawBuilder<boolean>[] => [
  ...(start_utime === undefined ? [] : [bound(column, 'from', String(start_utime), page)]),
  ...(end_utime === undefined ? [] : [bound(column, 'to', String(end_utime), page)]),
]

export interface WindowFilter extends TimeFilter {
  readonly start_lt?: bigint | undefined
  readonly end_lt?: bigint | undefined
}

export const inWindow = (
  time: RawBuilder<unknown>,
  lt: RawBuilder<unknown>,
  filter: WindowFilter,
  page: PageParams,
): RawBuilder<boolean>[] => [
  ...within(time, filter, page),
  ...(filter.start_lt === undefined ? [] : [bound(lt, 'from', String(filter.start_lt), page)]),
  ...(filter.end_lt === undefined ? [] : [bound(lt, 'to', String(filter.end_lt), page)]),
]

/** Columns of the account's latest state that are part of every contract's row. */
export interface StateColumns {
  last_trans_lt: string
  code_hash: Buffer | null
  data_hash: Buffer | null
}

/** The columns of StateColumns. Accounts are joined only to the rows of the page. Otherwise each row that an offset skips would need a look-up. */
export const OF_STATE = ['accounts.last_trans_lt', 'accounts.code_hash', 'accounts.data_hash'] as const

/**
 * Orders tokens by the lt at which the index first saw their account. This is the closest to TON Center's order (insertion into its database) that the
 * chain defines.
 */
export const byAppearance = <Row extends { readonly account: Buffer; readonly first_lt: string }>(table: string): Order<Row> => ({
  name: 'f',
  parts: [
    numberPart(sql.ref(`${table}.first_lt`), (row) => row.first_lt),
    bytesPart(sql.ref(`${table}.account`), 36, (row) => row.account),
  ],
})
