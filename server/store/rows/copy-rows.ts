import type { Table, WriteRow } from '../schema/table.ts'
import { RowBuffer } from './row-buffer.ts'

/** Rows of one table in COPY's text format, in the order in which they were written. */
export interface RowBytes {
  readonly length: number
  readonly size: number
  /** Lines with line ends, in chunks of some megabytes. The chunks are views that are valid until the next row is added. */
  bytes(): readonly Uint8Array[]
  lines(): readonly string[]
}

export interface Rows<T extends Table> extends RowBytes {
  /** Writes a row. If this throws, nothing of the row is written. */
  add(row: WriteRow<T>): void
}

export const createRows = <T extends Table>(of: T): Rows<T> => {
  const buffer = new RowBuffer()
  return {
    get length() {
      return buffer.length
    },
    get size() {
      return buffer.size
    },
    bytes: () => buffer.bytes(),
    lines: () => buffer.lines(),
    add(row) {
      buffer.dropRow()
      of.encode(buffer, row)
      buffer.endRow()
    },
  }
}

/** Rows of a table that are derived from a block. `replaced`: for a table with an owner column, the accounts whose stored rows are deleted first. */
export interface TableRows {
  readonly table: Table
  readonly rows: readonly WriteRow<Table>[]
  readonly replaced: readonly Buffer[]
}

/** Combines rows with their table. The types check that the rows fit the table. */
export const rowsOf = <T extends Table>(of: T, rows: readonly WriteRow<T>[], replaced: readonly Buffer[] = []): TableRows => ({
  table: of,
  rows: rows as readonly WriteRow<Table>[],
  replaced,
})
