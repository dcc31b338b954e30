import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TOPICS } from '../../server/index/topics/registry.ts'
import { migrate } from '../../server/store/migrate.ts'
import { MIGRATIONS } from '../../server/store/migrations/index.ts'
import { CHAIN_TABLES, TABLES } from '../../server/store/schema/tables.ts'
import { CITUS_URL } from '../kit/index/citus.ts'
import { createStatement } from '../kit/index/create-statement.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'

/* The rules for tables, which hold on a cluster too, read off the catalogue of a migrated database. */

const ALL = TABLES
/** Distribution columns, and with which table each stands (itself where a group begins). */
const DISTRIBUTION = Object.fromEntries(
  ALL.filter(({ group }) => group !== undefined).map(({ name, key, group }) => [name, [key[0], group]] as const),
)
/** A table that earlier releases had. */
const DROPPED = 'departed_changes'
/** Plain local tables: of one row or a few, and those of validators and names, which stay small. */
const LOCAL = [
  ...['index_checkpoint', 'published_head', 'index_extensions', 'actions_progress', 'backfill_ranges', 'dns_entries', 'hooks'],
  ...['tonway_migrations', 'tonway_migrations_lock'],
  ...ALL.filter(({ name }) => name.startsWith('validator_')).map(({ name }) => name),
]
const DISTRIBUTED = Object.keys(DISTRIBUTION)

/** Whether the database is on a real cluster. Otherwise stand-ins for Citus write down what it is asked. */
const isCitus = CITUS_URL !== undefined

describe('layout of the tables', () => {
  let server: TestServer
  let database: ClientConfig
  const rows = <R>(text: string): Promise<R[]> => server.run<R>(database, text)
  /** What a schema is, as texts. */
  const schemaOf = (of: ClientConfig): Promise<{ kind: string; name: string; what: string }[]> =>
    server.run(
      of,
      `select 'column' as kind, table_name || '.' || column_name as name, concat_ws(' ', data_type, udt_name, is_nullable, column_default) as what
         from information_schema.columns where table_schema = 'public'
       union all select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
       union all select 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) from pg_constraint
         where connamespace = 'public'::regnamespace
       order by 1, 2`,
    )

  beforeAll(async () => {
    server = await startTestServer()
    database = await server.database()
  })
  afterAll(() => server?.close())

  it('every large table has a distribution column, bytea and not null', async () => {
    const there = await rows<{ name: string }>(`select tablename::text as name from pg_tables where schemaname = 'public'`)
    expect(there.map(({ name }) => name).sort()).toEqual([...DISTRIBUTED, ...LOCAL].sort())
    for (const [table, [column]] of Object.entries(DISTRIBUTION)) {
      const found = await rows<{ data_type: string; is_nullable: string }>(
        `select data_type, is_nullable from information_schema.columns where table_name = '${table}' and column_name = '${column}'`,
      )
      expect(found, table).toEqual([{ data_type: 'bytea', is_nullable: 'NO' }])
    }
  })

  it('the tables are as declared: columns, types and keys', async () => {
    const declared = await server.database('template0')
    for (const table of ALL) await server.run(declared, createStatement(table))
    const tablesOf = async (of: ClientConfig) =>
      (await schemaOf(of)).filter(({ kind, name }) => kind !== 'index' && !name.startsWith('tonway_migrations'))
    expect(await tablesOf(database)).toEqual(await tablesOf(declared))
  })

  it('every table of the index and its topics declares what a revert and a comparison need', () => {
    const owned = TOPICS.flatMap(({ tables }) => tables)
    const rest = ALL.filter(({ kind }) => kind === 'place' || kind === 'given')
    expect([...CHAIN_TABLES, ...owned, ...rest].map(({ name }) => name).sort()).toEqual(TABLES.map(({ name }) => name).sort())
    for (const { name, kind, columns, owner } of ALL) {
      if (kind === 'event' && name !== 'tx_by_hash') expect(columns['mc_seqno'], name).toMatchObject({ type: 'integer', nullable: false })
      if (kind === 'state') expect(columns[owner!], name).toMatchObject({ type: 'bytea', nullable: false })
    }
  })

  /** An empty database with stand-ins that come before the system's own: what the migrations ask of Citus is written down in citus.asked. */
  const withCitus = async (): Promise<ClientConfig> => {
    const database = await server.database('template0')
    const [named] = await server.run<{ name: string }>(database, 'select current_database() as name')
    await server.run(database, `alter database ${named!.name} set search_path = public, pg_catalog`)
    for (const statement of [
      'create schema citus',
      'create table citus.asked (place serial, name text, of text, beside text, rows bigint)',
      'create view public.pg_dist_partition as select name::regclass as logicalrelid from citus.asked',
      `create table public.pg_extension (extname text)`,
      `insert into public.pg_extension values ('citus')`,
      `create function public.create_distributed_table(name text, of text, colocate_with text default 'default') returns void language plpgsql as $$
       declare rows bigint; begin
         execute format('select count(*) from %I', name) into rows;
         insert into citus.asked (name, of, beside, rows) values (name, of, colocate_with, rows);
       end $$`,
      `create function public.undistribute_table(name text) returns void language plpgsql as $$
       declare gone bigint; begin
         delete from citus.asked a where a.name = $1;
         get diagnostics gone = row_count;
         if gone = 0 then raise exception '% is not distributed', $1; end if;
       end $$`,
    ])
      await server.run(database, statement)
    return database
  }

  it('a database whose tables were made before Citus was added to it is migrated, and its tables stay plain', async ({ skip }) => {
    skip(isCitus, 'the server has Citus itself')
    const database = await withCitus()
    await server.run(database, 'delete from public.pg_extension')
    const earlier = Object.entries(MIGRATIONS).filter(([name]) => name < '0011-validators-local')
    await migrate(database, { name: 'tonway_migrations', migrations: Object.fromEntries(earlier) })
    await server.run(database, `insert into public.pg_extension values ('citus')`)
    await migrate(database)
    expect(await server.run(database, `select name from citus.asked where name like 'validator%'`)).toEqual([])
    expect(await server.run(database, `select name from tonway_migrations where name = '0011-validators-local'`)).toHaveLength(1)
  })

  it('tables are distributed if Citus is there', async () => {
    if (isCitus) {
      // The cluster tells a table of each group with its distribution column.
      const made = await rows<{ name: string; of: string; group: number }>(
        `select table_name::text as name, distribution_column as of, colocation_id as group from citus_tables where citus_table_type = 'distributed'`,
      )
      const groupOf = new Map(made.map(({ name, group }) => [name, group]))
      expect(new Map(made.map(({ name, of }) => [name, of]))).toEqual(
        new Map(Object.entries(DISTRIBUTION).map(([name, [of]]) => [name, of])),
      )
      for (const [name, [, beside]] of Object.entries(DISTRIBUTION)) expect(groupOf.get(name), name).toBe(groupOf.get(beside!))
      return
    }
    const database = await withCitus()
    await migrate(database)
    const asked = await server.run<{ name: string; of: string; beside: string; rows: string }>(
      database,
      'select name, of, beside, rows from citus.asked order by place',
    )
    const groups = new Map<string, string>()
    const found: Record<string, readonly [string, string]> = {}
    for (const { name, of, beside, rows } of asked) {
      // A table is distributed while it is empty, once, and beside one that is distributed already.
      expect([rows, found[name]], name).toEqual(['0', undefined])
      const group = beside === 'none' || beside === 'default' ? name : groups.get(beside)
      expect(group, name).toBeDefined()
      groups.set(name, group!)
      found[name] = [of, group!]
    }
    const { [DROPPED]: _, ...kept } = found
    expect(kept).toEqual(DISTRIBUTION)
  })

  it('the distribution column is in the primary key and in every unique index', async () => {
    const unique = await rows<{ table: string; columns: string[] }>(
      `select c.relname as table, array(select attname::text from pg_attribute a where a.attrelid = i.indexrelid order by attnum) as columns
       from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
       where i.indisunique and n.nspname = 'public' and c.relname = any('{${DISTRIBUTED.join(',')}}')`,
    )
    expect(new Set(unique.map(({ table }) => table))).toEqual(new Set(DISTRIBUTED))
    for (const { table, columns } of unique) expect(columns[0]).toBe(DISTRIBUTION[table]![0])
  })

  it('the tables have no trigger, foreign key, sequence, generated column or changing default', async () => {
    const ofTables = `in (select oid from pg_class where relnamespace = 'public'::regnamespace)`
    // Citus has one of its own at each distributed table, for TRUNCATE.
    expect(
      await rows(`select tgname from pg_trigger where not tgisinternal and tgrelid ${ofTables} and tgname not like 'truncate_trigger%'`),
    ).toEqual([])
    expect(await rows(`select conname from pg_constraint where contype = 'f' and conrelid ${ofTables}`)).toEqual([])
    expect(await rows(`select relname from pg_class where relkind = 'S' and oid ${ofTables}`)).toEqual([])
    expect(
      await rows(
        `select table_name, column_name from information_schema.columns where table_schema = 'public' and table_name = any('{${DISTRIBUTED.join(',')}}')
         and (column_default is not null or is_generated <> 'NEVER')`,
      ),
    ).toEqual([])
  })

  it('pages of every table can be walked in a total order', async () => {
    const [found] = await rows<{ indexdef: string }>(`select indexdef from pg_indexes where indexname = 'transactions_mc_seqno'`)
    expect(found?.indexdef).toMatch(/\(mc_seqno, lt, account\)$/)
  })

  it('two processes at once can migrate an empty database, and a second time changes nothing', async () => {
    const fresh = await server.database('template0')
    expect(await server.run(fresh, `select tablename from pg_tables where schemaname = 'public'`)).toEqual([])
    await Promise.all([migrate(fresh), migrate(fresh)])
    await migrate(fresh)
    const made = await server.run<{ name: string }>(fresh, 'select name from tonway_migrations order by name')
    expect(made.map(({ name }) => name)).toEqual(Object.keys(MIGRATIONS))
  })

  const VALUES: Readonly<Record<string, string>> = {
    bytea: `'\\x01'`,
    boolean: 'true',
    text: `'text'`,
    jsonb: `'{}'`,
    ARRAY: `'{1}'`,
    bigint: '1',
    integer: '1',
    smallint: '1',
    numeric: '1',
  }
  /** The columns of every table but those of the migrations. */
  const columnsOf = async (of: ClientConfig): Promise<ReadonlyMap<string, readonly { name: string; type: string }[]>> => {
    const found = await server.run<{ table: string; columns: { name: string; type: string }[] }>(
      of,
      `select table_name::text as table, json_agg(json_build_object('name', column_name, 'type', data_type) order by ordinal_position) as columns
         from information_schema.columns where table_schema = 'public' and table_name not like 'tonway_migrations%' and table_name not like 'citus_%' group by 1`,
    )
    return new Map(found.map(({ table, columns }) => [table, columns]))
  }
  type Row = Record<string, unknown>
  /** The only row of each of these tables. */
  const rowsOf = async (of: ClientConfig, tables: readonly string[]): Promise<ReadonlyMap<string, Row>> => {
    if (tables.length === 0) return new Map()
    const found = await server.run<{ name: string; row: Row }>(
      of,
      tables.map((table) => `select '${table}' as name, to_jsonb(t) as row from ${table} t`).join(' union all '),
    )
    expect(found.map(({ name }) => name).sort()).toEqual([...tables].sort())
    return new Map(found.map(({ name, row }) => [name, row]))
  }
  const insertOf = (table: string, columns: readonly { name: string; type: string }[]): string => {
    // A normalized hash that is the message's own is not stored.
    const values = columns.map(({ name, type }) => (name.endsWith('_norm') ? `'\\x02'` : (VALUES[type] ?? `no value for ${table}.${name}`)))
    return `delete from ${table}; insert into ${table} (${columns.map(({ name }) => name).join(', ')}) values (${values.join(', ')})`
  }

  it('a database that goes from release to release keeps the rows that each wrote, and becomes as a new one', async () => {
    const older = await server.database('template0')
    let before: ReadonlyMap<string, Row> = new Map()
    for (const [i, release] of Object.keys(MIGRATIONS).entries()) {
      await migrate(older, { name: 'tonway_migrations', migrations: Object.fromEntries(Object.entries(MIGRATIONS).slice(0, i + 1)) })
      const columns = await columnsOf(older)
      const kept = [...before].filter(([table]) => columns.has(table) || table !== DROPPED)
      const after = await rowsOf(
        older,
        kept.map(([table]) => table),
      )
      for (const [table, row] of kept) expect(after.get(table), `${table} at ${release}`).toEqual(expect.objectContaining(row))
      // Where the release added a column, it writes the whole row.
      const changed = [...columns].filter(([table, all]) => all.length !== Object.keys(before.get(table) ?? {}).length)
      await server.run(older, changed.map(([table, all]) => insertOf(table, all)).join('; '))
      before = await rowsOf(older, [...columns.keys()])
    }
    expect(before.size).toBe(ALL.length)
    expect(await schemaOf(older)).toEqual(await schemaOf(database))
  })

  it('a database of a later release is refused by name', async () => {
    const later = await server.database()
    await server.run(later, `insert into tonway_migrations (name, timestamp) values ('9999-later', '2099-01-01')`)
    await expect(migrate(later)).rejects.toThrow(/later tonway.* 9999-later$/)
    const other = await server.database()
    await server.run(other, `delete from tonway_migrations where name = '0002-assets'`)
    await expect(migrate(other)).rejects.toThrow(/is of something else: it has the migration 0003-validators/)
  })
})
