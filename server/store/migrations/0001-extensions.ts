import { distribute, migration } from './statements.ts'

export const extensionsMigration = migration([
  'create table index_extensions (name text not null primary key, version integer not null)',

  'create table account_sets (account bytea not null, mc_seqno integer not null, utime bigint not null, primary key (account, mc_seqno))',
  'create index account_sets_mc_seqno on account_sets (mc_seqno)',
  distribute(['account_sets', 'account', 'transactions']),
])
