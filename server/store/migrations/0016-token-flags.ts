import { type Kysely, sql } from 'kysely'

/* Which tokens the operator calls scam or not safe for work. On a cluster the rows are beside those of their accounts, as token_metadata is. */

const STATEMENTS: readonly string[] = [
  'create table token_flags (account bytea not null primary key, is_scam boolean not null, is_nsfw boolean not null)',
  // Tables that are older than the extension are plain ones, and a plain one is joined with them.
  `do $$ begin
     if exists (select from pg_extension where extname = 'citus') then
       if exists (select from pg_dist_partition where logicalrelid = 'transactions'::regclass) then
         perform create_distributed_table('token_flags', 'account', colocate_with := 'transactions');
       end if;
     end if;
   end $$`,
]

export const tokenFlagsMigration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
