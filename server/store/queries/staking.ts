import type { AccountId } from '../../tlb/ids.ts'
import { NOMINATOR_EVENTS, POOL_VALIDATOR_EVENTS } from '../codes.ts'
import { poolNominatorEvents, poolValidatorEvents } from '../schema/staking.ts'
import type { Tables } from '../schema/tables.ts'
import { is, isAccount, keyOf, type TimeFilter, upToHead, within } from './conditions.ts'
import { lookUp } from './look-up.ts'
import { findPage, orderOf, type Page, type PageParams } from './order.ts'
import type { View } from './view.ts'

export type PoolRow = Tables['nominator_pools']
export type NominatorRow = Tables['pool_nominators']
export type NominatorEventRow = Tables['pool_nominator_events']
export type PoolValidatorEventRow = Tables['pool_validator_events']

const pools = lookUp({ from: 'nominator_pools', by: 'pool' })
const nominators = lookUp({ from: 'pool_nominators', by: 'pool', orderBy: 'nominator limit 65536' })
const ofNominator = lookUp({ from: 'pool_nominators', by: 'nominator', orderBy: 'pool limit 1000' })

export const findPool = async (view: View, pool: AccountId): Promise<PoolRow | undefined> => (await pools(view, [keyOf(pool)]))[0]

/** Nominators of a pool, by address. A pool has at most 65,535. */
export const nominatorsOf = (view: View, pool: AccountId): Promise<NominatorRow[]> => nominators(view, [keyOf(pool)])

export const poolsOf = (view: View, nominator: AccountId): Promise<NominatorRow[]> => ofNominator(view, [keyOf(nominator)])

const BY_TIME = orderOf(poolNominatorEvents, 'o', ['utime', 'lt', 'event_index'])

export interface NominatorEventFilter extends TimeFilter {
  readonly pool: AccountId
  readonly nominator?: AccountId | undefined
  readonly type?: (typeof NOMINATOR_EVENTS)[number] | undefined
}

export const findNominatorEvents = (view: View, filter: NominatorEventFilter, page: PageParams): Promise<Page<NominatorEventRow>> =>
  findPage(view, BY_TIME, page, [
    isAccount('pool', filter.pool),
    isAccount('nominator', filter.nominator),
    is('type', filter.type && NOMINATOR_EVENTS.indexOf(filter.type)),
    ...within(filter, page, 'utime'),
    upToHead(view, page),
  ])

const BY_VALIDATOR_TIME = orderOf(poolValidatorEvents, 'w', ['utime', 'lt', 'pool'])

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
  findPage(view, BY_VALIDATOR_TIME, page, [
    isAccount('pool', filter.pool),
    isAccount('validator', filter.validator),
    is('type', filter.type && POOL_VALIDATOR_EVENTS.indexOf(filter.type)),
    ...within(filter, page, 'utime'),
    upToHead(view, page),
  ])
