import { type Connection, inTransaction } from '../../store/postgres/connection.ts'
import { messages } from '../../store/schema/messages.ts'
import type { Table } from '../../store/schema/table.ts'
import { TABLES } from '../../store/schema/tables.ts'
import { transactions } from '../../store/schema/transactions.ts'

/*
 * A backfill derives a range of blocks into its own PostgreSQL schema with all tables of the index, so the writer and the topics work as usual. `tonway
 * verify` does the same with all blocks. The tables are unlogged: if PostgreSQL crashes, it empties them, including the checkpoint of the range, and the
 * range is derived again.
 */

export const schemaOf = (first: number): string => `tonway_range_${first}`

/** Runs `work` while unqualified table names on this connection mean the tables of a schema. `work` can open a session, which has settings of its own. */
export const inSchema = async (connection: Pick<Connection, 'script'>, schema: string, work: () => Promise<void>): Promise<void> => {
  await connection.script(`set search_path to ${schema}`)
  await work()
  await connection.script('reset search_path; reset enable_seqscan; reset jit')
}

/** Indexes that derivation needs besides primary keys. Any further index would only cost time. */
const READ_BY: ReadonlyMap<Table, string> = new Map<Table, string>([
  [messages, 'using hash (msg_hash)'],
  [transactions, 'using hash (trace_id)'],
])

const creation = (table: Table, schema: string, like: string): readonly string[] => {
  const { name, kind, key } = table
  const index = READ_BY.get(table)
  const own = `${schema}.${name}`
  // Tables of latest states get all indexes, because topics read these tables by other columns than the key.
  if (kind === 'state') return [`create unlogged table ${own} (like ${like}.${name} including defaults including indexes)`]
  return [
    `create unlogged table ${own} (like ${like}.${name} including defaults, primary key (${key.join(', ')}))`,
    ...(index === undefined ? [] : [`create index on ${own} ${index}`]),
  ]
}

/** Creates a schema with empty tables like those of schema `like`. */
export const createTables = (
  connection: Pick<Connection, 'query'>,
  schema: string,
  tables: Iterable<Table>,
  like = 'public',
): Promise<void> =>
  inTransaction(connection, async () => {
    await connection.query(`create schema ${schema}`)
    for (const table of tables) for (const statement of creation(table, schema, like)) await connection.query(statement)
  })

/** Creates the tables of a range if they are missing. Only the process that has claimed the range may call this. */
export const createRangeTables = async (connection: Pick<Connection, 'query'>, first: number): Promise<void> => {
  const schema = schemaOf(first)
  const [found] = await connection.query<{ is: boolean }>(`select to_regnamespace('${schema}') is not null as is`)
  if (!found?.is) await createTables(connection, schema, TABLES)
}

export const dropRangeTables = ({ query }: Pick<Connection, 'query'>, first: number): Promise<unknown> =>
  query(`drop schema if exists ${schemaOf(first)} cascade`)
