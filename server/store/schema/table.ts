import type { RowBuffer } from '../rows/row-buffer.ts'
import type { AnyColumn, Column } from './column.ts'

/*
 * A table, declared once. From the declaration come the type of its rows as they are written and as they are read, the order of COPY, the
 * comparison of `tonway verify`, what a revert deletes, and how Citus distributes it. Migrations make the tables; a released one is never
 * edited, and test/store/layout.slow.test.ts checks on PostgreSQL that together they make what is declared.
 */

/**
 * - `event`: something that happened in a block. Rows are only added. A revert deletes the rows above its seqno.
 * - `state`: the latest state of something. A row replaces the row with its key. All rows of an account (column `owner`) are replaced together.
 *   A revert deletes the rows of the accounts that changed since, and derives them again.
 * - `merged`: a row is merged with the stored row of its key. Each column says how (column.ts: Merge).
 * - `outside`: does not come from blocks. Emptied with the index, but neither reverted nor verified.
 * - `given`: an operator's word. Stays when the index is emptied.
 * - `place`: one row or a few: the position of the index and what made it.
 */
export type TableKind = 'event' | 'state' | 'merged' | 'outside' | 'given' | 'place'

/**
 * - `block`: when their masterchain block is pruned (column `mc_seqno`).
 * - `trace`: with their trace (column `trace_id`).
 * - otherwise with their transaction. Own columns -> its `account`, `lt` or `hash`.
 */
export type PrunedWith = 'block' | 'trace' | Readonly<Record<string, 'account' | 'lt' | 'hash'>>

export type Columns = Readonly<Record<string, AnyColumn>>

export interface Table<C extends Columns = Columns> {
  readonly name: string
  readonly kind: TableKind
  /** In the order in which rows are written. */
  readonly columns: C
  /** Columns of the primary key; the first one is the distribution column. */
  readonly key: readonly string[]
  /** For a `state` table: the column with the account (36 bytes) that rows belong to. */
  readonly owner?: string
  /** The column with the seqno of the masterchain block that made the row, `mc_seqno` by default. A revert deletes the rows above its block. */
  readonly since: string
  /** A revert deletes the rows together with those of another table, because no index helps to find them. `by`: own columns -> that table's. */
  readonly revertedWith?: { readonly table: Table; readonly by: Readonly<Record<string, string>> }
  /** When rows are removed from an index that keeps a limited history. Undefined: never. */
  readonly prunedWith?: PrunedWith
  /** The table that Citus keeps this one together with. The first table of a group names itself. Undefined: Citus does not distribute the table. */
  readonly group?: string
  /** Further indexes: the rest of the name after `<table>_` -> the rest of the statement after `create index ... on <table>`. */
  readonly indexes: Readonly<Record<string, string>>
  /** Writes the columns of a row, given as an object by column. */
  readonly encode: (out: RowBuffer, row: object) => void
}

/** What `table` is given: keys, owners and so on are columns. */
interface Declaration<C extends Columns> extends Pick<Table<C>, 'kind' | 'columns' | 'group' | 'prunedWith'> {
  readonly key: readonly (keyof C & string)[]
  readonly owner?: keyof C & string
  readonly since?: keyof C & string
  readonly revertedWith?: { readonly table: Table; readonly by: Readonly<Partial<Record<keyof C & string, string>>> }
  readonly indexes?: Table['indexes']
}

/** Whether a revert takes rows of the table back. */
export const isReverted = ({ kind }: Pick<Table, 'kind'>): boolean => kind === 'event' || kind === 'state' || kind === 'merged'

/** A table whose rows belong to accounts. */
export type AccountTable<C extends Columns = Columns> = Table<C> & { readonly owner: string }

/** Whether rows of a table belong to accounts and have their current state. */
export const isAccountTable = (table: Table): table is AccountTable => table.kind === 'state' && table.owner !== undefined

type Declare = {
  <const C extends Columns>(name: string, of: Declaration<C> & { readonly owner: keyof C & string }): AccountTable<C>
  <const C extends Columns>(name: string, of: Declaration<C>): Table<C>
}

const encoderOf = (columns: Columns): Table['encode'] => {
  const all = Object.entries(columns).map(([name, column]) => ({ name, column: column as Column<unknown, unknown> }))
  return (out, row) => {
    for (const { name, column } of all) {
      const value = (row as Readonly<Record<string, unknown>>)[name]
      if (value === undefined || value === null) out.null()
      else column.put(out, value)
    }
  }
}

/** Declares a table. Throws if a revert would have no column to go by. */
export const table: Declare = <const C extends Columns>(
  name: string,
  { indexes = {}, since = 'mc_seqno', revertedWith, ...rest }: Declaration<C>,
) => {
  const above = revertedWith === undefined ? [since] : Object.keys(revertedWith.by)
  if (isReverted(rest) && !above.every((column) => column in rest.columns)) throw new Error(`${name} has no column ${above.join(', ')}`)
  return {
    name,
    ...(rest as typeof rest & { readonly owner: string }),
    since,
    ...(revertedWith && { revertedWith: { table: revertedWith.table, by: revertedWith.by as Readonly<Record<string, string>> } }),
    indexes,
    encode: encoderOf(rest.columns),
  }
}

type ReadOf<C> = C extends Column<infer Read, never, infer Nullable> ? (Nullable extends true ? Read | null : Read) : never
type WriteOf<C> = C extends { put(out: never, value: infer Write): void; readonly nullable: infer Nullable }
  ? Nullable extends true
    ? Write | null | undefined
    : Write
  : never

/** A row as queries return it. */
export type ReadRow<T extends Table> = { [K in keyof T['columns']]: ReadOf<T['columns'][K]> }
/** A row to be written. Every column must be named; null and undefined are written as null. */
export type WriteRow<T extends Table> = { readonly [K in keyof T['columns']]: WriteOf<T['columns'][K]> }

/** Names of the columns, in the order in which rows are written. */
export const columnNames = ({ columns }: Pick<Table, 'columns'>): readonly string[] => Object.keys(columns)
/** The same names as an SQL list. */
export const columnList = (of: Pick<Table, 'columns'>): string => columnNames(of).join(', ')

/** A written row in the form in which a query returns it. */
export const asRead = <T extends Table>(of: T, row: WriteRow<T>): ReadRow<T> => {
  const columns: Readonly<Record<string, Column<unknown, unknown>>> = of.columns
  const read: Record<string, unknown> = {}
  // Every row of every emulated transaction passes here. `Object.entries` would take five times as long.
  for (const name in columns) {
    const value = (row as Readonly<Record<string, unknown>>)[name]
    read[name] = value === null || value === undefined ? null : columns[name]!.asRead(value)
  }
  return read as ReadRow<T>
}
