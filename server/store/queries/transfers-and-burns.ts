import { type SelectQueryBuilder, sql } from 'kysely'
import type { AccountId } from '../../tlb/ids.ts'
import { lastOf } from './conditions.ts'
import { anyOf, bound, bytesPart, numberPart, type Order, onPage, orderBy, type PageParams } from './order.ts'
import { keyOf } from './transactions/transaction-key.ts'
import type { View } from './view.ts'

type Ids = readonly AccountId[] | undefined

export const isOne = (column: string, ids: readonly AccountId[]) =>
  ids.length === 1 ? sql<boolean>`${sql.ref(column)} = ${keyOf(ids[0]!)}` : anyOf(sql.ref(column), ids.map(keyOf))

export interface TransferWindow {
  readonly start_utime?: number | undefined
  readonly end_utime?: number | undefined
  readonly start_lt?: bigint | undefined
  readonly end_lt?: bigint | undefined
}

interface TransferRow {
  readonly account: Buffer
  readonly tx_lt: string
  readonly tx_now: string
}

const lt = numberPart<TransferRow>(sql.ref('tx_lt'), (row) => row.tx_lt)
const account = bytesPart<TransferRow>(sql.ref('account'), 36, (row) => row.account)
const BY_LT: Order<TransferRow> = { name: 'l', parts: [lt, account] }
const BY_TIME: Order<TransferRow> = { name: 'n', parts: [numberPart(sql.ref('tx_now'), (row) => row.tx_now), lt, account] }

export const orderOfTransfers = (filter: TransferWindow): Order<TransferRow> =>
  filter.start_utime === undefined && filter.end_utime === undefined ? BY_LT : BY_TIME

export const inWindow = (view: View, filter: TransferWindow, piece: PageParams) => {
  const conditions = [bound(sql.ref('mc_seqno'), 'to', lastOf(view, piece), piece)]
  if (filter.start_utime !== undefined) conditions.push(bound(sql.ref('tx_now'), 'from', String(filter.start_utime), piece))
  if (filter.end_utime !== undefined) conditions.push(bound(sql.ref('tx_now'), 'to', String(filter.end_utime), piece))
  if (filter.start_lt !== undefined) conditions.push(bound(sql.ref('tx_lt'), 'from', String(filter.start_lt), piece))
  if (filter.end_lt !== undefined) conditions.push(bound(sql.ref('tx_lt'), 'to', String(filter.end_lt), piece))
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/**
 * One page of the transfers that owners sent, received, or both; of all owners if none is given. Each direction is read by its own index. A transfer from
 * an owner to the same owner is listed once. The column `from` can be null.
 */
export const ofOwners = <DB, TB extends keyof DB, Row>(
  view: View,
  query: SelectQueryBuilder<DB, TB, Row>,
  sides: { readonly owner_address?: Ids; readonly direction?: 'in' | 'out' | undefined; readonly from: string; readonly to: string },
  order: Order<TransferRow>,
  piece: PageParams,
) => {
  const ordered = query.orderBy(orderBy(order, piece.sort))
  const { owner_address: owners, direction, from, to } = sides
  if (!owners) return onPage(ordered, piece)
  if (direction) return onPage(ordered.where(isOne(direction === 'in' ? to : from, owners)), piece)
  const most = piece.limit + piece.offset
  const gave = ordered.where(isOne(from, owners)).limit(most)
  const took = ordered
    .where(isOne(to, owners))
    .where(sql<boolean>`(${isOne(from, owners)}) is not true`)
    .limit(most)
  return sql<Row>`select * from ((${gave}) union all (${took})) as both_sides order by ${orderBy(order, piece.sort)} limit ${piece.limit} offset ${piece.offset}`.compile(
    view.sql,
  )
}
