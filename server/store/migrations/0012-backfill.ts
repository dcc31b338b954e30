import { type Kysely, sql } from 'kysely'

/*
 * Ranges of blocks that several processes derive in parallel (`tonway backfill`). A plain local table with one row for some thousand blocks. It is empty if no
 * backfill is running.
 */

const STATEMENTS: readonly string[] = [
  // `epoch`: the epoch of published_head when the range was planned. `owner`: host and process id of the last process that worked on the range. `done`: all
  // blocks of the range are derived.
  `create table backfill_ranges (
    first_mc_seqno integer not null primary key,
    last_mc_seqno integer not null,
    epoch bigint not null,
    owner text,
    done boolean not null)`,
]

export const backfillMigration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
