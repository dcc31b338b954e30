import { NOMINATOR_EVENTS, POOL_VALIDATOR_EVENTS } from '../codes.ts'
import { bool, bytea, code, int2, int4, int8, nullable, numeric } from './column.ts'
import { table } from './table.ts'

/** Contracts of https://github.com/ton-blockchain/nominator-pool in their latest state. */
export const nominatorPools = table('nominator_pools', {
  kind: 'state',
  key: ['pool'],
  owner: 'pool',
  group: 'transactions',
  columns: {
    pool: bytea,
    mc_seqno: int4,
    state: int2,
    stake_amount_sent: numeric,
    validator_amount: numeric,
    validator: bytea,
    reward_share: int4,
    nominators_count: int4,
    max_nominators: int4,
    min_validator_stake: numeric,
    min_nominator_stake: numeric,
    stake_at: int8,
  },
})

export const poolNominators = table('pool_nominators', {
  kind: 'state',
  key: ['pool', 'nominator'],
  owner: 'pool',
  group: 'transactions',
  columns: {
    pool: bytea,
    nominator: bytea,
    mc_seqno: int4,
    balance: numeric,
    pending: numeric,
    /** True if the nominator has requested a withdrawal. */
    withdraw: bool,
  },
})

/** Changes of a nominator's balance. One transaction of the pool can make several changes, which event_index numbers. */
export const poolNominatorEvents = table('pool_nominator_events', {
  kind: 'event',
  key: ['pool', 'lt', 'event_index'],
  group: 'transactions',
  prunedWith: { pool: 'account', lt: 'lt' },
  columns: {
    pool: bytea,
    lt: int8,
    event_index: int4,
    hash: bytea,
    mc_seqno: int4,
    utime: int8,
    nominator: bytea,
    type: code(NOMINATOR_EVENTS),
    amount: numeric,
    balance_before: numeric,
    balance_after: numeric,
    pending_before: numeric,
    pending_after: numeric,
    withdraw_before: bool,
    withdraw_after: bool,
  },
})

/** Changes of the validator's own balance in the pool, at most one per transaction. */
export const poolValidatorEvents = table('pool_validator_events', {
  kind: 'event',
  key: ['pool', 'lt'],
  group: 'transactions',
  prunedWith: { pool: 'account', lt: 'lt' },
  columns: {
    pool: bytea,
    lt: int8,
    hash: bytea,
    mc_seqno: int4,
    utime: int8,
    validator: bytea,
    type: code(POOL_VALIDATOR_EVENTS),
    amount: numeric,
    balance_before: numeric,
    balance_after: numeric,
    query_id: nullable(numeric),
    cycle_start: nullable(int8),
    reward_share: int4,
  },
})
