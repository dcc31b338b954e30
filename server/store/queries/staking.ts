import type { AccountId } from '../../tlb/ids.ts'
import { NOMINATOR_EVENTS, POOL_VALIDATOR_EVENTS } from '../codes.ts'
import { poolNominatorEvents, poolValidatorEvents } from '../schema/staking.ts'
import type { Tables } from '../schema/tables.ts'
import { is, isAccount, keyOf, type ListParams, upToHead, within } from './conditions.ts'
import { lookUp } from './look-up.ts'
import { findPage, orderOf, type Page } from './order.ts'
import type { View } from './view.ts'

export type PoolRow = Tables['nominator_pools']
export type NominatorRow = Tables['pool_nominators']
export type NominatorEventRow = Tables['pool_nominator_events']
export type PoolValidatorEventRow = Tables['pool_validator_events']

const pools = lookUp({ from: 'nominator_pools', by: 'pool' })
const nominators = lookUp({ from: 'pool_nominators', by: 'pool', orderBy: 'nominator', most: 65_536 })
const ofNominator = lookUp({ from: 'pool_nominators', by: 'nominator', orderBy: 'pool limit 1000' })

export const findPool = async (view: View, pool: AccountId): Promise<PoolRow | undefined> => (await pools(view, [keyOf(pool)]))[0]

/** Nominators of a pool, by address. A pool has at most 65,535. */
export const nominatorsOf = (view: View, pool: AccountId): Promise<NominatorRow[]> => nominators(view, [keyOf(pool)])

export const poolsOf = (view: View, nominator: AccountId): Promise<NominatorRow[]> => ofNominator(view, [keyOf(nominator)])

const BY_TIME = orderOf(poolNominatorEvents, 'o', ['utime', 'lt', 'event_index'])

interface NominatorEvents extends ListParams<'v3.staking.nominatorPools.nominatorEvents'> {
  readonly type?: (typeof NOMINATOR_EVENTS)[number]
}

export const findNominatorEvents = (view: View, params: NominatorEvents): Promise<Page<NominatorEventRow>> =>
  findPage(view, BY_TIME, params, [
    isAccount('pool', params.pool),
    isAccount('nominator', params.nominator),
    is('type', params.type && NOMINATOR_EVENTS.indexOf(params.type)),
    ...within(params, 'utime'),
    upToHead(view, params),
  ])

const BY_VALIDATOR_TIME = orderOf(poolValidatorEvents, 'w', ['utime', 'lt', 'pool'])

type ValidatorEvents = ListParams<'v3.staking.nominatorPools.validatorEvents'>

export const findPoolValidatorEvents = (view: View, params: ValidatorEvents): Promise<Page<PoolValidatorEventRow>> =>
  findPage(view, BY_VALIDATOR_TIME, params, [
    isAccount('pool', params.pool),
    isAccount('validator', params.validator),
    is('type', params.type && POOL_VALIDATOR_EVENTS.indexOf(params.type)),
    ...within(params, 'utime'),
    upToHead(view, params),
  ])
