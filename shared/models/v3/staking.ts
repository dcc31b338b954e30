import * as z from 'zod'
import { decimal, flag, hash44, int, lt, many, nanotons, rawUpper, utime, words } from '../value-formats.ts'
import { nextCursor, withBook } from './book.ts'
import { requestedWindow } from './validators.ts'

/* Nominator pools. Amounts are nanograms. */

const inTransaction = {
  tx_hash: hash44('Hash of the transaction in which it happened.'),
  tx_lt: lt('Logical time of that transaction.'),
  utime: utime('When it happened.'),
}
const pool = rawUpper('The nominator pool.')
const balance = nanotons('What the nominator has in the pool and at stake.')
const pending = nanotons('What the nominator deposited and what joins the stake with the next election.')

const activeNominator = z
  .strictObject({ address: rawUpper('The nominator.'), balance, pending_balance: pending })
  .meta({ id: 'V3ActiveNominator' })

export const v3NominatorPool = z
  .strictObject({
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
  .meta({ id: 'V3NominatorPool' })

const position = z.strictObject({ pool_address: pool, balance, pending_balance: pending }).meta({ id: 'V3NominatorPosition' })

export const v3NominatorPositions = z
  .strictObject({ nominator_pools: many('The pools in which the nominator has something.', position), ...withBook })
  .meta({ id: 'V3NominatorPositions' })

const changed = (of: string) => nanotons(`By how much ${of} changed; negative where it fell.`)
const before = (of: string) => nanotons(`How much ${of} was before.`)
const after = (of: string) => nanotons(`How much ${of} was after.`)

const nominatorEvent = z
  .strictObject({
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
  .meta({ id: 'V3NominatorPoolEvent' })

export const v3NominatorEvents = z
  .strictObject({ ...requestedWindow, events: many('The events, newest first.', nominatorEvent), ...withBook, ...nextCursor })
  .meta({ id: 'V3NominatorPoolEvents' })

const rewards = 'The rewards, newest first.'
const total = nanotons('The sum of the rewards on this page.')

const nominatorReward = z
  .strictObject({ ...inTransaction, reward: nanotons('What was earned.'), stake_before: nanotons('What was at stake.') })
  .meta({ id: 'V3NominatorReward' })

export const v3NominatorRewards = z
  .strictObject({ ...requestedWindow, total_on_page: total, rewards: many(rewards, nominatorReward), ...withBook, ...nextCursor })
  .meta({ id: 'V3NominatorRewards' })

/** The election for which the stake was sent, and the query that the pool answered. */
const ofCycle = {
  query_id: decimal('Number of the query that the pool answered.', '0').optional(),
  cycle_start: utime('When the validation began that the stake was sent for.').optional(),
}

const poolValidatorEvent = z
  .strictObject({
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
  .meta({ id: 'V3PoolValidatorEvent' })

export const v3PoolValidatorEvents = z
  .strictObject({ ...requestedWindow, events: many('The events, newest first.', poolValidatorEvent), ...withBook, ...nextCursor })
  .meta({ id: 'V3PoolValidatorEvents' })

const poolValidatorReward = z
  .strictObject({
    ...inTransaction,
    reward: nanotons('What was earned.'),
    balance_before: before("the validator's own part"),
    ...ofCycle,
  })
  .meta({ id: 'V3PoolValidatorReward' })

export const v3PoolValidatorRewards = z
  .strictObject({ ...requestedWindow, total_on_page: total, rewards: many(rewards, poolValidatorReward), ...withBook, ...nextCursor })
  .meta({ id: 'V3PoolValidatorRewards' })
