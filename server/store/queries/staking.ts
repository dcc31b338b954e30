import { sql } from 'kysely'
import type { AccountId } from '../../tlb/ids.ts'
import { NOMINATOR_EVENTS, POOL_VALIDATOR_EVENTS } from '../codes.ts'
import type { Tables } from '../schema/tables.ts'
import { all, given, lastOf, type TimeFilter, within } from './conditions.ts'
import { afterCursor, bytesPart, intPart, numberPart, type Order, orderBy, type Page, type PageParams, readPage } from './order.ts'
import { keyOf } from './transactions/transaction-key.ts'
import type { View } from './view.ts'

export type PoolRow = Tables['nominator_pools']
export type NominatorRow = Tables['pool_nominators']
export type NominatorEventRow = Tables['pool_nominator_events']
export type PoolValidatorEventRow = Tables['pool_validator_events']

export const findPool = async (view: View, pool: AccountId): Promise<PoolRow | undefined> => {
  const [row] = await view.rows(sql<PoolRow>`select * from nominator_pools where pool = ${keyOf(pool)}`.compile(view.sql))
  return row
}

/** Nominators of a pool, by address. A pool has at most 65,535. */
export const nominatorsOf = (view: View, pool: AccountId): Promise<NominatorRow[]> =>
  view.rows(sql<NominatorRow>`select * from pool_nominators where pool = ${keyOf(pool)} order by nominator limit 65536`.compile(view.sql))

export const poolsOf = (view: View, nominator: AccountId): Promise<NominatorRow[]> =>
  view.rows(
    sql<NominatorRow>`select * from pool_nominators where nominator = ${keyOf(nominator)} order by pool limit 1000`.compile(view.sql),
  )

const BY_TIME: Order<NominatorEventRow> = {
  name: 'o',
  parts: [
    numberPart(sql.ref('utime'), (row) => row.utime),
    numberPart(sql.ref('lt'), (row) => row.lt),
    intPart(sql.ref('event_index'), (row) => row.event_index),
  ],
}

export interface NominatorEventFilter extends TimeFilter {
  readonly pool: AccountId
  readonly nominator?: AccountId | undefined
  readonly type?: (typeof NOMINATOR_EVENTS)[number] | undefined
}

export const findNominatorEvents = (view: View, filter: NominatorEventFilter, page: PageParams): Promise<Page<NominatorEventRow>> =>
  readPage(BY_TIME, page, (piece) => {
    const conditions = all([
      given(sql.ref('pool'), keyOf(filter.pool)),
      given(sql.ref('nominator'), filter.nominator && keyOf(filter.nominator)),
      given(sql.ref('type'), filter.type && NOMINATOR_EVENTS.indexOf(filter.type)),
      ...within(sql.ref('utime'), filter, piece),
      afterCursor(BY_TIME, piece),
      sql<boolean>`mc_seqno <= ${lastOf(view, page)}`,
    ])
    return view.rows(
      sql<NominatorEventRow>`select * from pool_nominator_events where ${conditions}
        order by ${orderBy(BY_TIME, piece.sort)} limit ${piece.limit} offset ${piece.offset}`.compile(view.sql),
    )
  })

const BY_VALIDATOR_TIME: Order<PoolValidatorEventRow> = {
  name: 'w',
  parts: [
    numberPart(sql.ref('utime'), (row) => row.utime),
    numberPart(sql.ref('lt'), (row) => row.lt),
    bytesPart(sql.ref('pool'), 36, (row) => row.pool),
  ],
}

export interface PoolValidatorEventFilter extends TimeFilter {
  readonly pool?: AccountId | undefined
  readonly validator?: AccountId | undefined
  readonly type?: (typeof POOL_VALIDATOR_EVENTS)[number] | undefined
}

export const findPoolValidatorEvents = (
  view: View,
  filter: PoolValidatorEventFilter,
  page: PageParams,
): Promise<Page<PoolValidatorEventRow>> =>
  readPage(BY_VALIDATOR_TIME, page, (piece) => {
    const conditions = all([
      given(sql.ref('pool'), filter.pool && keyOf(filter.pool)),
      given(sql.ref('validator'), filter.validator && keyOf(filter.validator)),
      given(sql.ref('type'), filter.type && POOL_VALIDATOR_EVENTS.indexOf(filter.type)),
      ...within(sql.ref('utime'), filter, piece),
      afterCursor(BY_VALIDATOR_TIME, piece),
      sql<boolean>`mc_seqno <= ${lastOf(view, page)}`,
    ])
    return view.rows(
      sql<PoolValidatorEventRow>`select * from pool_validator_events where ${conditions}
        order by ${orderBy(BY_VALIDATOR_TIME, piece.sort)} limit ${piece.limit} offset ${piece.offset}`.compile(view.sql),
    )
  })
