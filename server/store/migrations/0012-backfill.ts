import { type Kysely, sql } from 'kysely'

/*
 * Ranges of blocks that several processes derive in parallel (`tonway backfill`). A plain local table: it has a row for some thousand blocks, and no rows when no
 * backfill is under way.
 */

const STATEMENTS: readonly string[] = [
  // `epoch`: that of published_head when the range was planned. `owner`: host and process id of the last process that worked on it. `done`: all blocks are derived.
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
