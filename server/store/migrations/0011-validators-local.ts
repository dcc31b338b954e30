import { migration } from './statements.ts'

/*
 * Moves the tables of validators from the shards of a Citus cluster to the coordinator, as plain tables. These tables are small: a year of mainnet adds
 * some 400,000 rows to the largest. All rows of an elector were in one shard anyway, and the lists need joins that Citus refuses.
 */

export const validatorsLocalMigration = migration([
  // Tables that are older than the extension citus are already plain tables.
  `do $$ declare name text; begin
  if exists (select from pg_extension where extname = 'citus') then
    foreach name in array array['validator_events', 'validator_elections', 'validator_participants', 'validator_past_elections', 'validator_stakes',
        'validator_complaints', 'validator_complaint_states', 'validator_complaint_votes', 'validator_cycles', 'validator_cycle_members'] loop
      if exists (select from pg_dist_partition where logicalrelid = name::regclass) then
        perform undistribute_table(name);
      end if;
    end loop;
  end if;
end $$`,
])
