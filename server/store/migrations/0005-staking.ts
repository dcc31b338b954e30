import { distribute, migration } from './statements.ts'

export const stakingMigration = migration([
  `create table nominator_pools (
    stake_at bigint not null, mc_seqno integer not null, nominators_count integer not null, max_nominators integer not null,
    reward_share integer not null, state smallint not null,
    pool bytea not null, validator bytea not null, stake_amount_sent numeric not null, validator_amount numeric not null,
    min_validator_stake numeric not null, min_nominator_stake numeric not null,
    primary key (pool))`,
  `create table pool_nominators (
    mc_seqno integer not null, withdraw boolean not null, pool bytea not null, nominator bytea not null,
    balance numeric not null, pending numeric not null,
    primary key (pool, nominator))`,
  'create index pool_nominators_nominator on pool_nominators (nominator, pool)',

  `create table pool_nominator_events (
    lt bigint not null, utime bigint not null, mc_seqno integer not null, event_index integer not null, type smallint not null,
    withdraw_before boolean not null, withdraw_after boolean not null,
    pool bytea not null, hash bytea not null, nominator bytea not null, amount numeric not null,
    balance_before numeric not null, balance_after numeric not null, pending_before numeric not null, pending_after numeric not null,
    primary key (pool, lt, event_index))`,
  'create index pool_nominator_events_pool on pool_nominator_events (pool, utime, lt, event_index)',
  'create index pool_nominator_events_nominator on pool_nominator_events (pool, nominator, utime, lt, event_index)',

  `create table pool_validator_events (
    lt bigint not null, utime bigint not null, cycle_start bigint, mc_seqno integer not null, reward_share integer not null,
    type smallint not null, pool bytea not null, hash bytea not null, validator bytea not null,
    amount numeric not null, balance_before numeric not null, balance_after numeric not null, query_id numeric,
    primary key (pool, lt))`,
  'create index pool_validator_events_pool on pool_validator_events (pool, utime, lt)',
  'create index pool_validator_events_validator on pool_validator_events (validator, utime, lt)',
  distribute(
    ['nominator_pools', 'pool', 'transactions'],
    ['pool_nominators', 'pool', 'transactions'],
    ['pool_nominator_events', 'pool', 'transactions'],
    ['pool_validator_events', 'pool', 'transactions'],
  ),
])
