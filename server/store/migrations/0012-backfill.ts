import { type Kysely, sql } from 'kysely'

const STATEMENTS: readonly string[] = [
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
