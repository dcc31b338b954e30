import * as z from 'zod'
import { decimal, hash44, rawUpper } from '../wire.ts'
import { nextCursor, withBook } from './book.ts'
import { askedWindow } from './validators.ts'

/* Nominator pools (v3.md 3.2 to 3.7). Amounts are nanotons. */

/** Where the pool says what happened. */
const inTransaction = { tx_hash: hash44(), tx_lt: decimal(), utime: z.int() }

const activeNominator = z
  .strictObject({ address: rawUpper(), balance: decimal(), pending_balance: decimal() })
  .meta({ id: 'V3ActiveNominator' })

export const v3NominatorPool = z
  .strictObject({
    stake_amount_sent: decimal(),
    validator_amount: decimal(),
    validator_address: rawUpper(),
    validator_reward_share: z.int(),
    state: z.int(),
    nominators_count: z.int(),
    max_nominators_count: z.int(),
    min_validator_stake: decimal(),
    min_nominator_stake: decimal(),
    active_nominators: z.array(activeNominator),
    ...withBook,
  })
  .meta({ id: 'V3NominatorPool' })

const position = z
  .strictObject({ pool_address: rawUpper(), balance: decimal(), pending_balance: decimal() })
  .meta({ id: 'V3NominatorPosition' })

export const v3NominatorPositions = z.strictObject({ nominator_pools: z.array(position), ...withBook }).meta({ id: 'V3NominatorPositions' })

const nominatorEvent = z
  .strictObject({
    ...inTransaction,
    pool_address: rawUpper(),
    nominator_address: rawUpper(),
    type: z.enum(['reward', 'pending_deposit_activation', 'deposit', 'withdrawal', 'withdrawal_request']),
    amount: decimal(),
    balance_delta: decimal(),
    pending_balance_delta: decimal(),
    balance_before: decimal(),
    balance_after: decimal(),
    pending_balance_before: decimal(),
    pending_balance_after: decimal(),
    withdraw_request_before: z.boolean(),
    withdraw_request_after: z.boolean(),
  })
  .meta({ id: 'V3NominatorPoolEvent' })

export const v3NominatorEvents = z
  .strictObject({ ...askedWindow, events: z.array(nominatorEvent), ...withBook, ...nextCursor })
  .meta({ id: 'V3NominatorPoolEvents' })

const nominatorReward = z.strictObject({ ...inTransaction, reward: decimal(), stake_before: decimal() }).meta({ id: 'V3NominatorReward' })

export const v3NominatorRewards = z
  .strictObject({ ...askedWindow, total_on_page: decimal(), rewards: z.array(nominatorReward), ...withBook, ...nextCursor })
  .meta({ id: 'V3NominatorRewards' })

/** The election that the stake was sent for, and the query that the pool answered. */
const ofCycle = { query_id: decimal().optional(), cycle_start: z.int().optional() }

const poolValidatorEvent = z
  .strictObject({
    ...inTransaction,
    pool_address: rawUpper(),
    validator_address: rawUpper(),
    type: z.enum(['reward', 'penalty', 'deposit', 'withdrawal']),
    amount: decimal(),
    balance_delta: decimal(),
    balance_before: decimal(),
    balance_after: decimal(),
    ...ofCycle,
    validator_reward_share: z.int(),
  })
  .meta({ id: 'V3PoolValidatorEvent' })

export const v3PoolValidatorEvents = z
  .strictObject({ ...askedWindow, events: z.array(poolValidatorEvent), ...withBook, ...nextCursor })
  .meta({ id: 'V3PoolValidatorEvents' })

const poolValidatorReward = z
  .strictObject({ ...inTransaction, reward: decimal(), balance_before: decimal(), ...ofCycle })
  .meta({ id: 'V3PoolValidatorReward' })

export const v3PoolValidatorRewards = z
  .strictObject({ ...askedWindow, total_on_page: decimal(), rewards: z.array(poolValidatorReward), ...withBook, ...nextCursor })
  .meta({ id: 'V3PoolValidatorRewards' })
