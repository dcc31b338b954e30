import type { ClientConfig } from 'pg'
import { type Connection, connect } from '../../store/postgres/connection.ts'
import type { Table } from '../../store/schema/table.ts'
import { createTables } from '../backfill/range-schema.ts'

/** The schema of the derived tables. */
export const DERIVED = 'tonway_verify'
/**
 * A Citus cluster cannot join distributed tables with those of DERIVED, and has no snapshot of all tables together. There verify uses a copy of the index:
 * plain tables on the coordinator, in this schema.
 */
const COPY = 'tonway_verify_copy'
const DROP = `drop schema if exists ${DERIVED}, ${COPY} cascade`

const copyIndex = async ({ query }: Connection, tables: Iterable<Table>, signal: AbortSignal): Promise<void> => {
  await query(`create schema ${COPY}`)
  for (const { name, key } of tables) {
    signal.throwIfAborted()
    await query(`create unlogged table ${COPY}.${name} as table public.${name}`)
    await query(`create unique index on ${COPY}.${name} (${key.join(', ')})`)
  }
  await query('analyze')
}

/**
 * Creates the derived tables, which `work` fills and compares, and removes them at the end. `work` gets the schema of the tables to verify: those of the
 * index, or on a Citus cluster a copy of them.
 */
export const withDerivedTables = async <T>(
  config: ClientConfig,
  tables: ReadonlySet<Table>,
  work: (stored: string) => Promise<T>,
  signal: AbortSignal,
): Promise<T> => {
  await using connection = await connect(config, 'tonway-verify', { patience: 0 })
  const { query } = connection
  const [lock] = await query<{ got: boolean }>(`select pg_try_advisory_lock(hashtext('${DERIVED}')) as got`)
  if (!lock?.got) throw new Error('another verify runs on this database')
  // Removes the schemas of an earlier verify that was killed.
  await query(DROP)
  try {
    const [own] = await query<{ schema: string; citus: boolean }>(
      `select quote_ident(current_schema()) as schema, exists (select from pg_extension where extname = 'citus') as citus`,
    )
    await createTables(connection, DERIVED, tables, own!.schema)
    if (own!.citus) await copyIndex(connection, tables, signal)
    return await work(own!.citus ? COPY : own!.schema)
  } finally {
    await query(DROP)
  }
}
