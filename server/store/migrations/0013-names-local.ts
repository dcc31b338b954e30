import { type Kysely, sql } from 'kysely'

/*
 * DNS names leave the shards of a Citus cluster and become a plain table of the coordinator. Nearly every answer of v3 reads the names of wallets, and each of
 * these queries went to all shards, because the table was distributed by the account of the name. Mainnet has some hundred thousand names.
 */

/** The extension may have come later than the table: then it is a plain table already. */
const UNDISTRIBUTE = `do $$ begin
  if exists (select from pg_extension where extname = 'citus') then
    if exists (select from pg_dist_partition where logicalrelid = 'dns_entries'::regclass) then
      perform undistribute_table('dns_entries');
    end if;
  end if;
end $$`

export const namesLocalMigration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(UNDISTRIBUTE).execute(db)
  },
}
