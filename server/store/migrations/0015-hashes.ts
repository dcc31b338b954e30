import { migration } from './statements.ts'

/*
 * Stores the hashes of a transaction's messages in tx_by_hash. On a cluster this saves one query when adjacent transactions are looked up. Rows of earlier
 * releases keep null, because filling them would rewrite the table. Such rows still need the query.
 */

/** The columns are nullable, so an earlier release can still write to the table. */
const ADDED = 'add column in_msg_hash bytea, add column out_msg_hashes bytea'

export const hashesMigration = migration([
  // While a statement waits for its lock (behind a backup, for example), all reads queue behind the statement. On a cluster the lock_timeout is also set on
  // the nodes.
  `set local citus.propagate_set_commands = 'local'`,
  `set local lock_timeout = '3s'`,
  `alter table tx_by_hash ${ADDED}`,
  // Schemas of backfill ranges that an earlier release created.
  `do $$ declare place text; begin
     for place in select schemaname from pg_tables where tablename = 'tx_by_hash' and schemaname like 'tonway\\_range\\_%' loop
       execute format('alter table %I.tx_by_hash ${ADDED}', place);
     end loop;
   end $$`,
])
