import { distribute, migration } from './statements.ts'

export const actionsMigration = migration([
  `create table trace_classifications (
    trace_id bytea not null, mc_seqno integer not null, facts_seqno integer not null, version integer not null, state smallint not null,
    facts text, primary key (trace_id))`,
  'create index trace_classifications_mc_seqno on trace_classifications using brin (mc_seqno)',

  `create table actions (
    start_lt bigint not null, end_lt bigint not null, trace_end_lt bigint not null,
    start_utime bigint not null, end_utime bigint not null, trace_end_utime bigint not null,
    mc_seqno integer not null, success boolean not null,
    trace_id bytea not null, action_id bytea not null, parent_id bytea, initiator bytea,
    type text not null, ancestors text[], tx_hashes bytea not null, content text not null,
    primary key (trace_id, action_id))`,
  'create index actions_action_id on actions using hash (action_id)',
  'create index actions_trace_end_lt on actions (trace_end_lt, trace_id)',
  'create index actions_trace_end_utime on actions (trace_end_utime, trace_end_lt)',
  'create index actions_mc_seqno on actions (mc_seqno, trace_end_lt)',
  'create index actions_type on actions (type, trace_end_lt)',

  `create table action_accounts (
    trace_end_lt bigint not null, action_end_lt bigint not null, trace_end_utime bigint not null, mc_seqno integer not null,
    account bytea not null, trace_id bytea not null, action_id bytea not null,
    primary key (account, trace_end_lt, trace_id, action_end_lt, action_id))`,
  'create index action_accounts_utime on action_accounts (account, trace_end_utime, trace_end_lt)',
  'create index action_accounts_trace_id on action_accounts using hash (trace_id)',
  'create index action_accounts_mc_seqno on action_accounts using brin (mc_seqno)',

  `create table actions_progress (
    id smallint not null primary key, version integer not null, end_lt bigint not null, trace_id bytea not null, done boolean not null)`,
  // Traces that were indexed before this migration have no actions yet, so they are all classified.
  `insert into actions_progress select 1, 0, ${2n ** 63n - 1n}, '', false from index_checkpoint`,
  distribute(
    ['trace_classifications', 'trace_id', 'traces'],
    ['actions', 'trace_id', 'traces'],
    ['action_accounts', 'account', 'transactions'],
  ),
])
