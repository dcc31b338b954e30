import { TonError } from '../../shared/errors.ts'
import type { staking } from '../../shared/v3/staking.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { NOMINATOR_EVENTS, POOL_VALIDATOR_EVENTS } from '../store/codes.ts'
import {
  findNominatorEvents,
  findPool,
  findPoolValidatorEvents,
  type NominatorEventRow,
  type NominatorRow,
  nominatorsOf,
  type PoolRow,
  type PoolValidatorEventRow,
  poolsOf,
} from '../store/queries/staking.ts'
import type { V3Index } from './answer/answer.ts'
import { list } from './answer/list.ts'
import { lookup } from './answer/lookup.ts'
import { address, maybeNumber, optional, txRef } from './shapes/values.ts'

const difference = (after: string, before: string): string => String(BigInt(after) - BigInt(before))

const totalOnPage = (rows: readonly { readonly amount: string }[]) => ({
  total_on_page: String(rows.reduce((total, { amount }) => total + BigInt(amount), 0n)),
})
const nominatorAccounts = (rows: readonly NominatorEventRow[]): Buffer[] => rows.flatMap((row) => [row.pool, row.nominator])
const validatorAccounts = (rows: readonly PoolValidatorEventRow[]): Buffer[] => rows.flatMap((row) => [row.pool, row.validator])

const toNominatorEvent = (row: NominatorEventRow) => ({
  ...txRef(row),
  pool_address: address(row.pool),
  nominator_address: address(row.nominator),
  type: NOMINATOR_EVENTS[row.type]!,
  amount: row.amount,
  balance_delta: difference(row.balance_after, row.balance_before),
  pending_balance_delta: difference(row.pending_after, row.pending_before),
  balance_before: row.balance_before,
  balance_after: row.balance_after,
  pending_balance_before: row.pending_before,
  pending_balance_after: row.pending_after,
  withdraw_request_before: row.withdraw_before,
  withdraw_request_after: row.withdraw_after,
})

const ofCycle = (row: PoolValidatorEventRow) => ({
  query_id: optional(row.query_id),
  cycle_start: optional(maybeNumber(row.cycle_start)),
})

const toValidatorEvent = (row: PoolValidatorEventRow) => ({
  ...txRef(row),
  pool_address: address(row.pool),
  validator_address: address(row.validator),
  type: POOL_VALIDATOR_EVENTS[row.type]!,
  amount: row.amount,
  balance_delta: difference(row.balance_after, row.balance_before),
  balance_before: row.balance_before,
  balance_after: row.balance_after,
  ...ofCycle(row),
  validator_reward_share: row.reward_share,
})

const toPool = (row: PoolRow, nominators: readonly NominatorRow[]) => ({
  stake_amount_sent: row.stake_amount_sent,
  validator_amount: row.validator_amount,
  validator_address: address(row.validator),
  validator_reward_share: row.reward_share,
  state: row.state,
  nominators_count: row.nominators_count,
  max_nominators_count: row.max_nominators,
  min_validator_stake: row.min_validator_stake,
  min_nominator_stake: row.min_nominator_stake,
  active_nominators: nominators.map((each) => ({
    address: address(each.nominator),
    balance: each.balance,
    pending_balance: each.pending,
  })),
})

/** Handlers of nominator pools, which the index derives from the pools' data and transactions. */
export const stakingHandlers = (index: V3Index): AnswerHandlers<keyof typeof staking> => ({
  'v3.staking.nominatorPools.pool': lookup(index, 'v3.staking.nominatorPools.pool', async (view, { pool }) => {
    const [row, nominators] = await Promise.all([findPool(view, pool), nominatorsOf(view, pool)])
    if (row === undefined) throw new TonError('NOT_FOUND', 'Pool not found')
    return { accounts: [row.pool, row.validator, ...nominators.map((each) => each.nominator)], body: toPool(row, nominators) }
  }),

  'v3.staking.nominatorPools.nominator': lookup(index, 'v3.staking.nominatorPools.nominator', async (view, { nominator }) => {
    const rows = await poolsOf(view, nominator)
    const nominator_pools = rows.map((row) => ({ pool_address: address(row.pool), balance: row.balance, pending_balance: row.pending }))
    return { accounts: rows.map((row) => row.pool), body: { nominator_pools } }
  }),

  'v3.staking.nominatorPools.nominatorEvents': list(index, 'v3.staking.nominatorPools.nominatorEvents', {
    find: findNominatorEvents,
    relate: (_, rows) => ({ accounts: nominatorAccounts(rows), format: toNominatorEvent }),
  }),

  'v3.staking.nominatorPools.nominatorRewards': list(index, 'v3.staking.nominatorPools.nominatorRewards', {
    find: (view, params) => findNominatorEvents(view, { ...params, type: 'reward' }),
    extras: totalOnPage,
    relate: (_, rows) => ({
      accounts: nominatorAccounts(rows),
      format: (row) => ({ ...txRef(row), reward: row.amount, stake_before: row.balance_before }),
    }),
  }),

  'v3.staking.nominatorPools.validatorEvents': list(index, 'v3.staking.nominatorPools.validatorEvents', {
    find: findPoolValidatorEvents,
    relate: (_, rows) => ({ accounts: validatorAccounts(rows), format: toValidatorEvent }),
  }),

  'v3.staking.nominatorPools.validatorRewards': list(index, 'v3.staking.nominatorPools.validatorRewards', {
    find: (view, params) => findPoolValidatorEvents(view, { ...params, type: 'reward' }),
    extras: totalOnPage,
    relate: (_, rows) => ({
      accounts: validatorAccounts(rows),
      format: (row) => ({ ...txRef(row), reward: row.amount, balance_before: row.balance_before, ...ofCycle(row) }),
    }),
  }),
})
