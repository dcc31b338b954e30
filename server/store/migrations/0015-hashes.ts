import { type Kysely, sql } from 'kysely'

/*
 * The hashes of a transaction's messages beside its key, so that what is next to it is found in one step less on a cluster.
 * Rows of earlier releases keep null, and the step is made: to fill them would mean to rewrite the table.
 */

/** An earlier release can go on with the table: it writes null. */
const ADDED = 'add column in_msg_hash bytea, add column out_msg_hashes bytea'

const STATEMENTS: readonly string[] = [
  // While a statement waits, for a backup for example, all reads wait behind it. The setting reaches the nodes of a cluster too.
  `set local citus.propagate_set_commands = 'local'`,
  `set local lock_timeout = '3s'`,
  `alter table tx_by_hash ${ADDED}`,
  // Ranges of a backfill that an earlier release has begun.
  `do $$ declare place text; begin
     for place in select schemaname from pg_tables where tablename = 'tx_by_hash' and schemaname like 'tonway\\_range\\_%' loop
       execute format('alter table %I.tx_by_hash ${ADDED}', place);
     end loop;
   end $$`,
]

export const hashesMigration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
