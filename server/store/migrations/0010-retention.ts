import { type Kysely, sql } from 'kysely'

const STATEMENTS: readonly string[] = [
  // Used to check whether a retained message still refers to an initial state.
  'create index messages_init on messages using hash (init_hash) where init_hash is not null',
  `create table departed_changes (
    account bytea not null, mc_seqno integer not null, utime bigint not null, last_trans_hash bytea, last_trans_lt bigint not null,
    primary key (account))`,
]

const DISTRIBUTE = `do $$ begin
  if exists (select from pg_extension where extname = 'citus') then
    perform create_distributed_table('departed_changes', 'account', colocate_with := 'transactions');
  end if;
end $$`

// Runs last, because it locks the table until the migration's transaction ends, and every read of v3 needs the table. Building the index on messages can
// take minutes.
const CHECKPOINT = 'alter table index_checkpoint add column kept_mc_seqno integer'

export const retentionMigration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
    await sql.raw(DISTRIBUTE).execute(db)
    await sql.raw(CHECKPOINT).execute(db)
  },
}
