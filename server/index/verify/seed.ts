import type { Connection } from '../../store/postgres/connection.ts'
import type { Table } from '../../store/schema/table.ts'
import { traces } from '../../store/schema/traces.ts'
import { recountTraces } from '../write/recount-traces.ts'

/*
 * An index with a limited history is verified from the first block whose history is stored. Rows that were last written before that block cannot be derived
 * again. Such rows are not verified, but copied to the derived tables before the first block is derived.
 */

/** Copies rows that were last written before block `first` from the tables of `schema` to the derived tables (unqualified names). */
export const seedRows = async (connection: Connection, schema: string, tables: readonly Table[], first: number): Promise<void> => {
  const run = (text: string): Promise<unknown> => connection.query(text)
  for (const table of tables) {
    const { name, kind, since, columns, revertedWith, owner = 'account' } = table
    const stored = `${schema}.${name}`
    const isOfAccount = kind === 'state' || name === 'accounts'
    if (isOfAccount) {
      // Keeps the derived rows of accounts that changed since block `first`: these have the state from the source. Deletes the derived rows of all other
      // accounts and of accounts that are not indexed.
      await run(`delete from ${name} where ${owner} in (select ${owner} from ${stored} where ${since} < ${first})
        or ${owner} not in (select account from ${schema}.accounts)`)
    } else if (since in columns) await run(`delete from ${name} where ${since} < ${first}`)
    if (since in columns) await run(`insert into ${name} select * from ${stored} where ${since} < ${first}`)
    else if (revertedWith !== undefined) {
      // Rows without a seqno of their own were written with a row of another table.
      const { table: other, by } = revertedWith
      const on = Object.entries(by).map(([own, its]) => `x.${its} = t.${own}`)
      await run(
        `insert into ${name} select t.* from ${stored} t join ${schema}.${other.name} x on ${on.join(' and ')} where x.${other.since} < ${first}`,
      )
    }
  }
  // The counters of a trace that continues after `first` begin with its earlier transactions.
  if (!tables.includes(traces)) return
  const open = await connection.query<{ trace_id: Buffer }>(`select trace_id from ${traces.name} where mc_seqno_end >= ${first}`)
  await recountTraces(
    connection,
    open.map(({ trace_id }) => trace_id),
    first,
  )
}

/** Copies the stored `first_lt` of accounts that appeared before block `first`, because `first_lt` cannot be derived for them. */
export const alignFirstLts = async (connection: Connection, schema: string, tables: readonly Table[], first: number): Promise<void> => {
  for (const { name } of tables.filter(({ columns }) => 'first_lt' in columns))
    await connection.query(
      `update ${name} as d set first_lt = s.first_lt from ${schema}.accounts s
       where s.account = d.account and s.first_lt < (select min(start_lt) from blocks where mc_seqno = ${first})`,
    )
}
