import { migration } from './statements.ts'

export const backfillMigration = migration([
  `create table backfill_ranges (
    first_mc_seqno integer not null primary key,
    last_mc_seqno integer not null,
    epoch bigint not null,
    owner text,
    done boolean not null)`,
])
