import { type Kysely, type Migration, sql } from 'kysely'

/** A migration with its statements. The statements of a released migration are never edited. */
export interface StatementMigration extends Migration {
  readonly statements: readonly string[]
}

/** Creates a migration. `choose`: returns the statements that have to run on a database; all by default. */
export const migration = (
  statements: readonly string[],
  choose: (db: Kysely<unknown>) => Promise<readonly string[]> = async () => statements,
): StatementMigration => ({
  statements,
  async up(db: Kysely<unknown>) {
    for (const statement of await choose(db)) await sql.raw(statement).execute(db)
  },
})

/** Builds a statement that distributes tables if the database has Citus. `beside`: a table with which the table is colocated. */
export const distribute = (...tables: readonly (readonly [table: string, column: string, beside?: string])[]): string => {
  const calls = tables.map(([table, column, beside]) => {
    const colocation = beside === undefined ? '' : `, colocate_with := '${beside}'`
    return `    perform create_distributed_table('${table}', '${column}'${colocation});`
  })
  return `do $$ begin
  if exists (select from pg_extension where extname = 'citus') then
${calls.join('\n')}
  end if;
end $$`
}
