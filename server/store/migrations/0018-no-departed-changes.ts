import { type Kysely, sql } from 'kysely'

/** A revert no longer needs the last removed change of each account. */
export const noDepartedChangesMigration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('drop table departed_changes').execute(db)
  },
}
