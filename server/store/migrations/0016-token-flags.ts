import { migration } from './statements.ts'

/* Flags of tokens. On a cluster a row is on the same shard as its account, like rows of token_metadata. */

export const tokenFlagsMigration = migration([
  'create table token_flags (account bytea not null primary key, is_scam boolean not null, is_nsfw boolean not null)',
  // If the large tables are not distributed (they are older than the extension citus), this table must not be distributed either.
  `do $$ begin
     if exists (select from pg_extension where extname = 'citus') then
       if exists (select from pg_dist_partition where logicalrelid = 'transactions'::regclass) then
         perform create_distributed_table('token_flags', 'account', colocate_with := 'transactions');
       end if;
     end if;
   end $$`,
])
