import { type Kysely, sql } from 'kysely'

/*
 * Changes that no block makes (reverts, removed history) are counted: in `index_checkpoint` in the SQL transaction of the change, in `published_head` when that
 * transaction is committed on all nodes of a cluster.
 */

const STATEMENTS: readonly string[] = [
  // Every read of v3 locks these two tables in this order. In the other one the migration and a read of the release that still runs would wait for each other.
  // While a statement waits, for a backup for example, all reads wait behind it.
  `set local lock_timeout = '3s'`,
  // Null before the first change, so that an earlier release can go on with these tables.
  'alter table published_head add column changes bigint',
  'alter table index_checkpoint add column changes bigint',
]

export const changesMigration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
