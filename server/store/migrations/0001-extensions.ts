import { type Kysely, sql } from 'kysely'

const STATEMENTS: readonly string[] = [
  'create table index_extensions (name text not null primary key, version integer not null)',

  'create table account_sets (account bytea not null, mc_seqno integer not null, utime bigint not null, primary key (account, mc_seqno))',
  'create index account_sets_mc_seqno on account_sets (mc_seqno)',
]

const DISTRIBUTE = `do $$ begin
  if exists (select from pg_extension where extname = 'citus') then
    perform create_distributed_table('account_sets', 'account', colocate_with := 'transactions');
  end if;
end $$`

export const extensionsMigration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
    await sql.raw(DISTRIBUTE).execute(db)
  },
}
