import { type Kysely, sql } from 'kysely'

/*
 * The hashes of a transaction's messages beside its key, so that what is next to it is found in one step less on a cluster.
 * Rows of earlier releases keep null, and the step is made: to fill them would mean to rewrite the table.
 */

const STATEMENTS: readonly string[] = [
  // While a statement waits, for a backup for example, all reads wait behind it.
  `set local lock_timeout = '3s'`,
  // An earlier release can go on with this table: it writes null.
  'alter table tx_by_hash add column in_msg_hash bytea',
  'alter table tx_by_hash add column out_msg_hashes bytea',
]

export const hashesMigration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
