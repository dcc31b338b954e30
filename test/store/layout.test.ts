import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXTENSIONS } from '../../server/index/extensions.ts'
import { columnNames, TABLE_NAMES } from '../../server/store/columns.ts'
import { migrate } from '../../server/store/migrate.ts'
import { MIGRATIONS } from '../../server/store/migrations/index.ts'
import { startTestServer, type TestServer } from '../setup/database.ts'

/* The rules of design.md section 8 and distributed-postgres.md section 5, read off the catalogue of a migrated database. */

const extensionTables = EXTENSIONS.flatMap(({ tables }) => tables)

/** Distribution columns: first columns of keys of groups that belong together have one type. */
const DISTRIBUTION: Readonly<Record<string, string>> = {
  transactions: 'account',
  messages: 'tx_account',
  accounts: 'account',
  tx_by_hash: 'hash',
  cells: 'hash',
  traces: 'trace_id',
  blocks: 'shard_key',
  shard_tops: 'shard_key',
  account_sets: 'account',
  ...Object.fromEntries(extensionTables.map(({ name, key }) => [name, key[0]!])),
}
const TABLES = [...TABLE_NAMES, ...extensionTables.map(({ name }) => name)]

describe('layout of the tables', () => {
  let server: TestServer
  let database: ClientConfig
  const rows = <R>(text: string): Promise<R[]> => server.run<R>(database, text)
  beforeAll(async () => {
    server = await startTestServer()
    database = await server.database()
  })
  afterAll(() => server?.close())

  it('names a distribution column for every large table, bytea and not null', async () => {
    expect(Object.keys(DISTRIBUTION).sort()).toEqual([...TABLES].sort())
    for (const [table, column] of Object.entries(DISTRIBUTION)) {
      const found = await rows<{ data_type: string; is_nullable: string }>(
        `select data_type, is_nullable from information_schema.columns where table_name = '${table}' and column_name = '${column}'`,
      )
      expect(found).toEqual([{ data_type: 'bytea', is_nullable: 'NO' }])
    }
  })

  it('has it in the primary key and in every unique index', async () => {
    const unique = await rows<{ table: string; columns: string[] }>(
      `select c.relname as table, array(select attname::text from pg_attribute a where a.attrelid = i.indexrelid order by attnum) as columns
       from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
       where i.indisunique and n.nspname = 'public' and c.relname = any('{${TABLES.join(',')}}')`,
    )
    expect(new Set(unique.map(({ table }) => table))).toEqual(new Set(TABLES))
    for (const { table, columns } of unique) expect(columns[0]).toBe(DISTRIBUTION[table])
  })

  it('has no trigger, no foreign key, no sequence, no generated column and no default that changes', async () => {
    expect(await rows('select tgname from pg_trigger where not tgisinternal')).toEqual([])
    expect(await rows(`select conname from pg_constraint where contype = 'f'`)).toEqual([])
    expect(await rows(`select relname from pg_class where relkind = 'S'`)).toEqual([])
    expect(
      await rows(
        `select table_name, column_name from information_schema.columns where table_schema = 'public' and table_name = any('{${TABLES.join(',')}}')
         and (column_default is not null or is_generated <> 'NEVER')`,
      ),
    ).toEqual([])
  })

  it('has the columns that rows are made of, and no others', async () => {
    for (const table of TABLE_NAMES) {
      const columns = await rows<{ name: string }>(
        `select column_name as name from information_schema.columns where table_name = '${table}' order by ordinal_position`,
      )
      expect(columns.map(({ name }) => name).sort()).toEqual([...columnNames(table)].sort())
    }
    for (const { name: table, columns, key, kind, owner } of extensionTables) {
      const found = await rows<{ name: string; nullable: string }>(
        `select column_name as name, is_nullable as nullable from information_schema.columns where table_name = '${table}'`,
      )
      const names = columns.split(' ')
      expect(found.map(({ name }) => name).sort()).toEqual([...names].sort())
      for (const column of [...key, ...(owner ? [owner] : [])]) expect(names).toContain(column)
      if (kind !== 'outside') expect(found.find(({ name }) => name === 'mc_seqno')?.nullable).toBe('NO')
    }
  })

  it('lets pages be walked by a total order', async () => {
    const [found] = await rows<{ indexdef: string }>(`select indexdef from pg_indexes where indexname = 'transactions_mc_seqno'`)
    expect(found?.indexdef).toMatch(/\(mc_seqno, lt, account\)$/)
  })

  it('is reached from empty by two processes at once, and a second time changes nothing', async () => {
    const [empty] = await rows<{ name: string }>(`select current_database() as name`)
    expect(empty).toBeDefined()
    const fresh = await server.database('template0')
    await Promise.all([migrate(fresh), migrate(fresh)])
    await migrate(fresh)
    const made = await server.run<{ name: string }>(fresh, 'select name from tonway_migrations order by name')
    expect(made.map(({ name }) => name)).toEqual(Object.keys(MIGRATIONS))
  })

  it('refuses a database of a later release by name', async () => {
    const later = await server.database()
    await server.run(later, `insert into tonway_migrations (name, timestamp) values ('9999-later', '2099-01-01')`)
    await expect(migrate(later)).rejects.toThrow(/later tonway/)
  })
})
