import type { ClientConfig } from 'pg'
import { type Connection, connect } from '../../store/postgres/connection.ts'
import { TABLES } from '../../store/schema/tables.ts'
import type { Topic } from '../topics/topic.ts'

/*
 * A Citus cluster cannot join distributed with temporary tables, and has no snapshot of all tables together. There verify uses a copy: plain tables on the
 * coordinator, in a schema that is removed at the end.
 */

const SCHEMA = 'tonway_verify'

export interface VerifiedTables {
  /** Settings for connections on which unqualified table names mean the tables to verify: those of the copy on Citus, otherwise the index's own. */
  readonly config: ClientConfig
  release(): Promise<void>
}

const copied = async (connection: Connection, config: ClientConfig, topics: readonly Topic[]): Promise<VerifiedTables> => {
  const [lock] = await connection.query<{ got: boolean }>(`select pg_try_advisory_lock(hashtext('${SCHEMA}')) as got`)
  if (!lock?.got) throw new Error('another verify runs on this database')
  // Removes the copy of an earlier verify that was killed.
  await connection.query(`drop schema if exists ${SCHEMA} cascade`)
  await connection.query(`create schema ${SCHEMA}`)
  for (const { name, key } of new Set([...Object.values(TABLES), ...topics.flatMap(({ tables }) => tables)])) {
    await connection.query(`create unlogged table ${SCHEMA}.${name} as table public.${name}`)
    await connection.query(`create unique index on ${SCHEMA}.${name} (${key.join(', ')})`)
  }
  await connection.query('analyze')
  return {
    config: { ...config, options: `-c search_path=${SCHEMA},public` },
    async release() {
      await connection.query(`drop schema ${SCHEMA} cascade`)
      await connection.close()
    },
  }
}

/** The tables of the index, or on a Citus cluster a copy of them. */
export const verifiedTables = async (config: ClientConfig, topics: readonly Topic[], signal: AbortSignal): Promise<VerifiedTables> => {
  const connection = await connect(config, 'tonway-verify', { signal, patience: 0 })
  try {
    const [found] = await connection.query<{ is: boolean }>(
      `select exists (select from pg_extension where extname = 'citus') and to_regclass('published_head') is not null as is`,
    )
    if (found?.is) return await copied(connection, config, topics)
    await connection.close()
    return { config, release: async () => {} }
  } catch (error) {
    await connection.close().catch(() => {})
    throw error
  }
}
