import type { ClientConfig } from 'pg'
import { runSteps } from '../base/yield.ts'
import { migrate } from '../store/migrate.ts'
import { connect } from '../store/postgres/connection.ts'
import { databaseBeside } from '../store/postgres/database-beside.ts'
import { withDatabase } from '../store/postgres/database-server.ts'
import { copySteps } from '../store/postgres/script.ts'
import { Rows } from '../store/rows/copy-rows.ts'
import { columnList, type WriteRow } from '../store/schema/table.ts'
import { tokenFlags } from '../store/schema/tokens.ts'

/** One SQL transaction, so that readers see either the old list or the new list. The lock makes concurrent replacements run one after the other. */
const REPLACE = `begin;
  lock table ${tokenFlags.name} in share row exclusive mode;
  delete from ${tokenFlags.name};
  copy ${tokenFlags.name} (${columnList(tokenFlags)}) from stdin;
  commit`

export const replaceTokenFlags = async (
  { connection, suffix }: { readonly connection: ClientConfig; readonly suffix: string | undefined },
  tokens: readonly WriteRow<typeof tokenFlags>[],
  signal: AbortSignal,
): Promise<void> => {
  const own = suffix === undefined ? connection : withDatabase(connection, (await databaseBeside(connection, suffix, true, signal))!)
  await migrate(own, undefined, signal)
  const rows = new Rows(tokenFlags)
  for (const token of tokens) rows.add(token)
  await using db = await connect(own, 'tonway-tokens', { signal })
  await db.script(REPLACE, await runSteps(copySteps([rows.bytes()])))
}
