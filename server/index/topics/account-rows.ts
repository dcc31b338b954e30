import { addTo, groupsOf } from '../../base/memory/grouped.ts'
import { Lru } from '../../base/memory/lru.ts'
import type { TableRows } from '../../store/rows/copy-rows.ts'
import type { Select } from '../../store/schema/select.ts'
import { type AccountTable, asRead, columnList, isAccountTable, type ReadRow, type Table } from '../../store/schema/table.ts'

/*
 * Caches the topics' rows about the current states of accounts. Every block needs the rows of the accounts that it changes, and actions need those of all
 * accounts of a trace. Rows that a block writes replace the cached ones, so most blocks of a backfill need no query. The cache always equals the tables
 * after the scripts that were put so far.
 */

const MAX_ACCOUNTS = 50_000
/** Maximum number of characters and bytes of an account's cached rows in one table. Larger rows are read at each use. */
const MAX_CONTENT = 4_096

export interface Reads {
  /** Runs a query that sees the rows of all earlier blocks and topics. */
  read<R>(text: Select<R> | string, values?: readonly unknown[]): Promise<R[]>
  /** Makes sure that the tables have these accounts as they were before the range's first block. Only in a range of a longer index (follow/range-start.ts). */
  ensure?(keys: readonly Buffer[]): Promise<void>
}

type Row = ReadRow<Table>
/** Rows of one account; `undefined` for a table whose rows were not read yet. Tables without rows are left out. */
type RowsByTable = ReadonlyMap<Table, readonly Row[] | undefined>
const NOTHING: RowsByTable = new Map()

/** Rows of one table by account (36 bytes as a latin1 string). Accounts without rows are left out. */
export type RowsByAccount<T extends Table> = ReadonlyMap<string, readonly ReadRow<T>[]>

const ownerOf = ({ owner }: AccountTable, row: Row): string => (row as Readonly<Record<string, Buffer>>)[owner]!.toString('latin1')

const contentOf = (rows: readonly Row[]): number => {
  let content = 0
  for (const row of rows)
    for (const value of Object.values(row)) if (typeof value === 'string' || Buffer.isBuffer(value)) content += value.length
  return content
}

/** Returns the last row of each key, which overwrites the earlier ones. */
const merged = ({ key }: Table, rows: readonly Row[]): readonly Row[] => {
  if (rows.length < 2) return rows
  const keyOf = (row: Row): string =>
    key.map((name) => (Buffer.isBuffer(row[name]) ? row[name].toString('latin1') : String(row[name]))).join('\0')
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()]
}

const readAccountRows = async <T extends AccountTable>({ read }: Reads, of: T, keys: readonly Buffer[]): Promise<RowsByAccount<T>> => {
  if (keys.length === 0) return new Map()
  const rows = await read<ReadRow<T>>(`select ${columnList(of)} from ${of.name} where ${of.owner} = any($1::bytea[])`, [keys])
  return groupsOf(rows, (row) => ownerOf(of, row))
}

export type AccountRows = ReturnType<typeof createAccountRows>

/**
 * `tables`: all tables of the topics; rows of tables with an owner are cached. `most`: maximum number of cached accounts. `maxContent`: replaces
 * MAX_CONTENT.
 */
export const createAccountRows = (tables: readonly Table[], most = MAX_ACCOUNTS, maxContent = MAX_CONTENT) => {
  const owned = tables.filter(isAccountTable)
  const ownersOf = owned
    .map(({ name, owner }, place) => `select ${place} as place, ${owner} as account from ${name} where ${owner} = any($1::bytea[])`)
    .join(' union ')
  const accounts = new Lru<string, RowsByTable>({ max: most })

  /** Replaces the cached rows of an account in one table. Does not add an account. */
  const set = (name: string, of: Table, rows: readonly Row[] | undefined): void => {
    const before = accounts.get(name)
    if (before === undefined) return
    const byTable = new Map(before)
    if (rows?.length === 0) byTable.delete(of)
    else byTable.set(of, rows === undefined || contentOf(rows) > maxContent ? undefined : rows)
    accounts.set(name, byTable)
  }

  const load = async (reads: Reads, keys: readonly Buffer[]): Promise<ReadonlyMap<string, RowsByTable>> => {
    const loaded = new Map<string, RowsByTable>()
    const unknown = new Map<string, Buffer>()
    for (const key of keys) {
      const name = key.toString('latin1')
      const byTable = accounts.get(name)
      if (byTable === undefined) unknown.set(name, key)
      else loaded.set(name, byTable)
    }
    if (unknown.size === 0) return loaded
    await reads.ensure?.([...unknown.values()])
    const found = await reads.read<{ place: number; account: Buffer }>(ownersOf, [[...unknown.values()]])
    const fresh = new Map<string, Map<Table, undefined>>()
    for (const { place, account } of found) {
      const name = account.toString('latin1')
      const byTable = fresh.get(name) ?? new Map<Table, undefined>()
      fresh.set(name, byTable.set(owned[place]!, undefined))
    }
    for (const name of unknown.keys()) {
      const byTable = fresh.get(name) ?? NOTHING
      accounts.set(name, byTable)
      loaded.set(name, byTable)
    }
    return loaded
  }

  return {
    /** Returns a function that lists the accounts with rows in a table. */
    async owners(reads: Reads, keys: readonly Buffer[]): Promise<(of: Table) => readonly Buffer[]> {
      const loaded = await load(reads, keys)
      return (of) => keys.filter((key) => loaded.get(key.toString('latin1'))?.has(of))
    },

    async rows<T extends AccountTable>(reads: Reads, of: T, keys: readonly Buffer[]): Promise<RowsByAccount<T>> {
      const found = new Map<string, readonly ReadRow<T>[]>()
      const unread = new Map<string, Buffer>()
      const loaded = await load(reads, keys)
      for (const key of keys) {
        const name = key.toString('latin1')
        const byTable = loaded.get(name)
        const rows = byTable?.get(of)
        if (rows !== undefined) found.set(name, rows as readonly ReadRow<T>[])
        else if (byTable?.has(of)) unread.set(name, key)
      }
      for (const [name, rows] of await readAccountRows(reads, of, [...unread.values()])) {
        set(name, of, rows as readonly Row[])
        found.set(name, rows)
      }
      return found
    },

    /** Replaces cached rows by the rows of a block, in steps. Call this when the block's statements are put, and run all steps before the next read. */
    *takeWritten(made: readonly TableRows[]): Generator<void, void> {
      for (const { table, rows, replaced } of made) {
        if (!isAccountTable(table)) continue
        const gone = new Set(replaced.map((key) => key.toString('latin1')))
        const written = new Map<string, Row[]>([...gone].map((name) => [name, []]))
        for (const row of rows) {
          const read = asRead(table, row)
          addTo(written, ownerOf(table, read), read)
          yield
        }
        for (const [name, fresh] of written) {
          const byTable = accounts.get(name)
          if (byTable === undefined) continue
          // If the account's rows in this table were not read yet, nothing is cached: the next read gets all of them.
          const before = gone.has(name) ? [] : byTable.has(table) ? byTable.get(table) : []
          set(name, table, before && merged(table, [...before, ...fresh]))
          yield
        }
      }
    },

    forget: (): void => accounts.clear(),
  }
}
