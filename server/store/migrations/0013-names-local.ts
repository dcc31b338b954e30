import { migration } from './statements.ts'

/*
 * Moves DNS names from the shards of a Citus cluster to the coordinator, as a plain table. Nearly every answer of v3 looks up the names of wallets, and each
 * look-up queried all shards, because the table was distributed by the account of the name. Mainnet has some hundred thousand names.
 */

export const namesLocalMigration = migration([
  // A table that is older than the extension citus is already a plain table.
  `do $$ begin
  if exists (select from pg_extension where extname = 'citus') then
    if exists (select from pg_dist_partition where logicalrelid = 'dns_entries'::regclass) then
      perform undistribute_table('dns_entries');
    end if;
  end if;
end $$`,
])
