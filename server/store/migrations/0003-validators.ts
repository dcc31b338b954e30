import { distribute, migration } from './statements.ts'

/*
 * Validators, as the elector and the configuration have them. The rules of 0001-chain.ts apply. Each block that changes an election adds a row, and the
 * newest row is the current state.
 */

export const validatorsMigration = migration([
  `create table validator_events (
    lt bigint not null, utime bigint not null, election_id bigint, mc_seqno integer not null, reason integer, type smallint not null,
    elector bytea not null, hash bytea not null, holder bytea not null, pubkey bytea, adnl bytea, query_id numeric, amount numeric not null,
    primary key (elector, lt))`,
  'create index validator_events_utime on validator_events (utime, lt)',
  'create index validator_events_type on validator_events (type, utime, lt)',
  'create index validator_events_holder on validator_events (holder, utime, lt)',
  'create index validator_events_adnl on validator_events (adnl, utime, lt)',
  'create index validator_events_pubkey on validator_events (pubkey, utime, lt)',

  `create table validator_elections (
    election_id bigint not null, elect_close bigint not null, mc_seqno integer not null, members integer not null,
    failed boolean not null, finished boolean not null, elector bytea not null, min_stake numeric not null, total_stake numeric not null,
    primary key (elector, election_id, mc_seqno))`,
  'create index validator_elections_id on validator_elections (election_id, mc_seqno)',
  `create table validator_participants (
    election_id bigint not null, max_factor bigint not null, mc_seqno integer not null,
    elector bytea not null, pubkey bytea not null, holder bytea not null, adnl bytea not null, stake numeric not null,
    primary key (elector, election_id, pubkey, mc_seqno))`,
  'create index validator_participants_id on validator_participants (election_id, pubkey, mc_seqno)',
  'create index validator_participants_holder on validator_participants (holder, election_id)',
  'create index validator_participants_adnl on validator_participants (adnl, election_id)',
  'create index validator_participants_pubkey on validator_participants (pubkey, election_id)',

  `create table validator_past_elections (
    election_id bigint not null, mc_seqno integer not null, elector bytea not null, set_hash bytea not null, total_stake numeric not null,
    primary key (elector, election_id))`,
  'create index validator_past_elections_set on validator_past_elections (set_hash)',
  'create index validator_past_elections_id on validator_past_elections (election_id)',
  `create table validator_stakes (
    election_id bigint not null, mc_seqno integer not null,
    elector bytea not null, pubkey bytea not null, holder bytea not null, weight numeric not null, stake numeric not null,
    primary key (elector, election_id, pubkey))`,
  'create index validator_stakes_id on validator_stakes (election_id, pubkey)',
  'create index validator_stakes_holder on validator_stakes (holder, election_id)',

  `create table validator_complaints (
    election_id bigint not null, created_at bigint not null, fine_part bigint not null, mc_seqno integer not null, severity smallint not null,
    elector bytea not null, hash bytea not null, pubkey bytea not null, reward bytea not null, description bytea not null,
    paid numeric not null, fine numeric not null,
    primary key (elector, election_id, hash))`,
  'create index validator_complaints_created on validator_complaints (created_at, hash)',
  'create index validator_complaints_id on validator_complaints (election_id, pubkey)',
  'create index validator_complaints_pubkey on validator_complaints (pubkey, created_at)',
  `create table validator_complaint_states (
    election_id bigint not null, weight_remaining bigint not null, mc_seqno integer not null,
    elector bytea not null, hash bytea not null, vset_id bytea not null,
    primary key (elector, election_id, hash, mc_seqno))`,
  `create table validator_complaint_votes (
    election_id bigint not null, mc_seqno integer not null, validator_index integer not null,
    elector bytea not null, hash bytea not null, vset_id bytea not null,
    primary key (elector, election_id, hash, vset_id, validator_index))`,

  `create table validator_cycles (
    utime_since bigint not null, utime_until bigint not null, elected_for bigint, elections_start_before bigint, elections_end_before bigint,
    stake_held_for bigint, max_stake_factor bigint, mc_seqno integer not null, total integer not null, main integer not null,
    max_validators integer, max_main_validators integer, min_validators integer,
    set_hash bytea not null, total_weight numeric not null, min_stake numeric, max_stake numeric, min_total_stake numeric,
    primary key (set_hash))`,
  'create index validator_cycles_since on validator_cycles (utime_since, set_hash)',
  `create table validator_cycle_members (
    mc_seqno integer not null, validator_index integer not null,
    set_hash bytea not null, pubkey bytea not null, adnl bytea, weight numeric not null,
    primary key (set_hash, validator_index))`,
  'create index validator_cycle_members_pubkey on validator_cycle_members (pubkey, set_hash)',
  'create index validator_cycle_members_adnl on validator_cycle_members (adnl)',
  distribute(
    ['validator_events', 'elector', 'none'],
    ['validator_elections', 'elector', 'validator_events'],
    ['validator_participants', 'elector', 'validator_events'],
    ['validator_past_elections', 'elector', 'validator_events'],
    ['validator_stakes', 'elector', 'validator_events'],
    ['validator_complaints', 'elector', 'validator_events'],
    ['validator_complaint_states', 'elector', 'validator_events'],
    ['validator_complaint_votes', 'elector', 'validator_events'],
    ['validator_cycles', 'set_hash', 'none'],
    ['validator_cycle_members', 'set_hash', 'validator_cycles'],
  ),
])
