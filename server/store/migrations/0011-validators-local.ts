import { type Kysely, sql } from 'kysely'

/*
 * The tables of validators leave the shards of a Citus cluster and become plain tables of the coordinator. They are small (a year of mainnet adds some 400,000
 * rows to the largest), all rows of an elector were in one shard anyway, and their lists join them in ways that a distributed database refuses.
 */

const UNDISTRIBUTE = `do $$ begin
  if exists (select from pg_extension where extname = 'citus') then
    perform undistribute_table('validator_events');
    perform undistribute_table('validator_elections');
    perform undistribute_table('validator_participants');
    perform undistribute_table('validator_past_elections');
    perform undistribute_table('validator_stakes');
    perform undistribute_table('validator_complaints');
    perform undistribute_table('validator_complaint_states');
    perform undistribute_table('validator_complaint_votes');
    perform undistribute_table('validator_cycles');
    perform undistribute_table('validator_cycle_members');
  end if;
end $$`

export const validatorsLocalMigration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(UNDISTRIBUTE).execute(db)
  },
}
