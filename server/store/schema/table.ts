import type { RowBuffer } from '../rows/row-buffer.ts'
import type { AnyColumn, Column } from './column.ts'

/*
 * A table is declared once. The declaration determines the types of written and read rows, the order of columns in COPY, the comparison of `tonway verify`, the
 * rows that a revert deletes, and the distribution by Citus. Migrations create the tables and their SQL indexes. A released migration is never edited; test/store/layout.slow.test.ts
 * checks on PostgreSQL that all migrations together create the declared tables.
 */

/**
 * - `event`: something that happened in a block. Rows are only added. A revert deletes the rows above its seqno.
 * - `state`: the latest state of something. A row replaces the row with the same key. All rows of an account (column `owner`) are replaced together. A revert
 *   deletes the rows of the accounts that have changed since, and derives them again.
 * - `merged`: a row is merged with the stored row of the same key. Each column has a rule for this (column.ts: Merge).
 * - `outside`: data that does not come from blocks. Rows are deleted together with the index, but are neither reverted nor verified.
 * - `given`: settings of an operator. Rows stay when the index is emptied.
 * - `place`: one row or a few, with the state of the index itself.
 */
export type TableKind = 'event' | 'state' | 'merged' | 'outside' | 'given' | 'place'

/**
 * The row whose removal from history removes this row, too:
 * - `block`: the masterchain block (column `mc_seqno`).
 * - `trace`: the trace (column `trace_id`).
 * - otherwise the transaction. Own columns -> the transaction's `account`, `lt` or `hash`.
 */
export type PrunedWith = 'block' | 'trace' | Readonly<Record<string, 'account' | 'lt' | 'hash'>>

export type Columns = Readonly<Record<string, AnyColumn>>

export interface Table<C extends Columns = Columns, Name extends string = string> {
  readonly name: Name
  readonly kind: TableKind
  readonly columns: C
  /** Columns of the primary key; the first one is the distribution column. */
  readonly key: readonly string[]
  /** For a `state` table: the column with the account (36 bytes) to which a row belongs. */
  readonly owner?: string
  /** The column with the seqno of the masterchain block that created the row. A revert deletes the rows above its target block. */
  readonly since: string
  /** The table with whose rows a revert deletes these rows, because this table has no index to find them. `by`: own columns -> columns of that table. */
  readonly revertedWith?: { readonly table: Table; readonly by: Readonly<Record<string, string>> }
  /** Determines when rows are removed from an index with a limited history; undefined: never. */
  readonly prunedWith?: PrunedWith
  /** The table with which Citus colocates this one. The first table of a group names itself. Undefined: the table is not distributed. */
  readonly group?: string
  /** Writes the columns of a row: an object with a member per column. */
  readonly encode: (out: RowBuffer, row: object) => void
}

/** Parameter of `table`, which checks that keys, owners and so on are columns. */
interface Declaration<C extends Columns> extends Pick<Table<C>, 'kind' | 'columns' | 'group' | 'prunedWith'> {
  readonly key: readonly (keyof C & string)[]
  readonly owner?: keyof C & string
  readonly since?: keyof C & string
  readonly revertedWith?: { readonly table: Table; readonly by: Readonly<Partial<Record<keyof C & string, string>>> }
}

export const isReverted = ({ kind }: Pick<Table, 'kind'>): boolean => kind === 'event' || kind === 'state' || kind === 'merged'

export type AccountTable<C extends Columns = Columns, Name extends string = string> = Table<C, Name> & { readonly owner: string }

export const isAccountTable = (table: Table): table is AccountTable => table.kind === 'state' && table.owner !== undefined

type Declare = {
  <const Name extends string, const C extends Columns>(
    name: Name,
    of: Declaration<C> & { readonly owner: keyof C & string },
  ): AccountTable<C, Name>
  <const Name extends string, const C extends Columns>(name: Name, of: Declaration<C>): Table<C, Name>
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

/** Declares a table. Throws if the table lacks the column by which a revert finds its rows. */
export const table: Declare = <const Name extends string, const C extends Columns>(
  name: Name,
  { since = 'mc_seqno', revertedWith, ...rest }: Declaration<C>,
) => {
  const above = revertedWith === undefined ? [since] : Object.keys(revertedWith.by)
  if (isReverted(rest) && !above.every((column) => column in rest.columns)) throw new Error(`${name} has no column ${above.join(', ')}`)
  return {
    name,
    ...(rest as typeof rest & { readonly owner: string }),
    since,
    ...(revertedWith && { revertedWith: { table: revertedWith.table, by: revertedWith.by as Readonly<Record<string, string>> } }),
    encode: encoderOf(rest.columns),
  }
}

type ReadOf<C> = C extends Column<infer Read, never, infer Nullable> ? (Nullable extends true ? Read | null : Read) : never
type WriteOf<C> = C extends { put(out: never, value: infer Write): void; readonly nullable: infer Nullable }
  ? Nullable extends true
    ? Write | null | undefined
    : Write
  : never

export type ReadRow<T extends Table> = { [K in keyof T['columns']]: ReadOf<T['columns'][K]> }
/** A row to be written. Every column must be a member; null and undefined are written as null. */
export type WriteRow<T extends Table> = { readonly [K in keyof T['columns']]: WriteOf<T['columns'][K]> }

/** Names of the columns, in the order in which rows are written. */
export const columnNames = ({ columns }: Pick<Table, 'columns'>): readonly string[] => Object.keys(columns)
export const columnList = (of: Pick<Table, 'columns'>): string => columnNames(of).join(', ')

export const asRead = <T extends Table>(of: T, row: WriteRow<T>): ReadRow<T> => {
  const columns: Readonly<Record<string, Column<unknown, unknown>>> = of.columns
  const read: Record<string, unknown> = {}
  // This loop runs for every row of every emulated transaction. `Object.entries` would take five times as long.
  for (const name in columns) {
    const value = (row as Readonly<Record<string, unknown>>)[name]
    read[name] = value === null || value === undefined ? null : columns[name]!.asRead(value)
  }
  return read as ReadRow<T>
}
