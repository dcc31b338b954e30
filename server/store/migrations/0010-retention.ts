import { distribute, migration } from './statements.ts'

export const retentionMigration = migration([
  // Used to check whether a retained message still refers to an initial state.
  'create index messages_init on messages using hash (init_hash) where init_hash is not null',
  `create table departed_changes (
    account bytea not null, mc_seqno integer not null, utime bigint not null, last_trans_hash bytea, last_trans_lt bigint not null,
    primary key (account))`,
  distribute(['departed_changes', 'account', 'transactions']),
  // Runs last, because it locks the table until the migration's transaction ends, and every read of v3 needs the table. Building the index on messages can
  // take minutes.
  'alter table index_checkpoint add column kept_mc_seqno integer',
])
