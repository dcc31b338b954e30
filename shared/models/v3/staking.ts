import { decimal, flag, int, many, model, nanotons, rawUpper, utime, words } from '../value-formats.ts'
import { bookOfPage, withBook } from './book.ts'
import { inTransaction, requestedWindow } from './validators.ts'

/* Nominator pools. Amounts are nanograms. */

const pool = rawUpper('The nominator pool.')
const balance = nanotons('What the nominator has in the pool and at stake.')
const pending = nanotons('What the nominator deposited and what joins the stake with the next election.')

const activeNominator = model('V3ActiveNominator', { address: rawUpper('The nominator.'), balance, pending_balance: pending })

export const v3NominatorPool = model('V3NominatorPool', {
  stake_amount_sent: nanotons('What was sent to the elector as the stake.'),
  validator_amount: nanotons('What the validator itself has in the pool.'),
  validator_address: rawUpper('The validator that runs the pool.'),
  validator_reward_share: int('Share of the rewards that the validator keeps, in parts of 10,000.', 4000),
  state: int('Where the stake is: 0 in the pool, 1 on its way to the elector, 2 with the elector.', 2),
  nominators_count: int('How many nominators the pool has.', 12),
  max_nominators_count: int('How many it may have.', 40),
  min_validator_stake: nanotons('The least that the validator must have in the pool.'),
  min_nominator_stake: nanotons('The least that a nominator may have in the pool.'),
  active_nominators: many('The nominators of the pool.', activeNominator),
  ...withBook,
})

const position = model('V3NominatorPosition', { pool_address: pool, balance, pending_balance: pending })

export const v3NominatorPositions = model('V3NominatorPositions', {
  nominator_pools: many('The pools in which the nominator has something.', position),
  ...withBook,
})

const changed = (of: string) => nanotons(`By how much ${of} changed; negative where it fell.`)
const before = (of: string) => nanotons(`How much ${of} was before.`)
const after = (of: string) => nanotons(`How much ${of} was after.`)

const nominatorEvent = model('V3NominatorPoolEvent', {
  ...inTransaction,
  pool_address: pool,
  nominator_address: rawUpper('The nominator.'),
  type: words('What happened.', ['reward', 'pending_deposit_activation', 'deposit', 'withdrawal', 'withdrawal_request']),
  amount: nanotons('How much the event is about.'),
  balance_delta: changed('the balance'),
  pending_balance_delta: changed('the pending balance'),
  balance_before: before('the balance'),
  balance_after: after('the balance'),
  pending_balance_before: before('the pending balance'),
  pending_balance_after: after('the pending balance'),
  withdraw_request_before: flag('Whether the nominator had asked for its money back before.'),
  withdraw_request_after: flag('Whether the nominator had asked for its money back after.'),
})

export const v3NominatorEvents = model('V3NominatorPoolEvents', {
  ...requestedWindow,
  events: many('The events, newest first.', nominatorEvent),
  ...bookOfPage,
})

const rewards = 'The rewards, newest first.'
const total = nanotons('The sum of the rewards on this page.')

const nominatorReward = model('V3NominatorReward', {
  ...inTransaction,
  reward: nanotons('What was earned.'),
  stake_before: nanotons('What was at stake.'),
})

export const v3NominatorRewards = model('V3NominatorRewards', {
  ...requestedWindow,
  total_on_page: total,
  rewards: many(rewards, nominatorReward),
  ...bookOfPage,
})

/** The election for which the stake was sent, and the query that the pool answered. */
const ofCycle = {
  query_id: decimal('Number of the query that the pool answered.', '0').optional(),
  cycle_start: utime('When the validation began that the stake was sent for.').optional(),
}

const poolValidatorEvent = model('V3PoolValidatorEvent', {
  ...inTransaction,
  pool_address: pool,
  validator_address: rawUpper('The validator that runs the pool.'),
  type: words('What happened.', ['reward', 'penalty', 'deposit', 'withdrawal']),
  amount: nanotons('How much the event is about.'),
  balance_delta: changed("the validator's own part"),
  balance_before: before("the validator's own part"),
  balance_after: after("the validator's own part"),
  ...ofCycle,
  validator_reward_share: int('Share of the rewards that the validator keeps, in parts of 10,000.', 4000),
})

export const v3PoolValidatorEvents = model('V3PoolValidatorEvents', {
  ...requestedWindow,
  events: many('The events, newest first.', poolValidatorEvent),
  ...bookOfPage,
})

const poolValidatorReward = model('V3PoolValidatorReward', {
  ...inTransaction,
  reward: nanotons('What was earned.'),
  balance_before: before("the validator's own part"),
  ...ofCycle,
})

export const v3PoolValidatorRewards = model('V3PoolValidatorRewards', {
  ...requestedWindow,
  total_on_page: total,
  rewards: many(rewards, poolValidatorReward),
  ...bookOfPage,
})
