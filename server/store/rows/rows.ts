import type { AnyColumn } from '../schema/column.ts'
import type { Table, WriteRow } from '../schema/table.ts'
import { RowBuffer } from './row-buffer.ts'

/** Rows of one table in COPY's text format, in the order in which they were written. */
export interface RowBytes {
  readonly length: number
  /** Lines, each with its end; a view that holds until the next row is added. */
  bytes(): Uint8Array
  /** The same as texts without their ends. */
  lines(): readonly string[]
}

/** Rows of one table that are still being written. */
export interface Rows<T extends Table> extends RowBytes {
  /** Writes a row; one that throws leaves nothing behind. */
  add(row: WriteRow<T>): void
}

type Put = (out: RowBuffer, value: unknown) => void

export const createRows = <T extends Table>(of: T): Rows<T> => {
  const buffer = new RowBuffer()
  const columns = Object.entries<AnyColumn>(of.columns).map(([name, { put }]) => ({ name, put: put as Put }))
  return {
    get length() {
      return buffer.length
    },
    bytes: () => buffer.bytes(),
    lines: () => buffer.lines(),
    add(row) {
      buffer.dropRow()
      const values: Readonly<Record<string, unknown>> = row
      for (const { name, put } of columns) {
        const value = values[name]
        if (value === undefined || value === null) buffer.null()
        else put(buffer, value)
      }
      buffer.endRow()
    },
  }
}

/** Rows of a table that a block makes, as data; `replaced`: of a table with an owner, the accounts whose rows go before these are put. */
export interface TableRows {
  readonly table: Table
  readonly rows: readonly WriteRow<Table>[]
  readonly replaced: readonly Buffer[]
}

/** Names the table of some rows; the types of both are checked against each other. */
export const rowsOf = <T extends Table>(of: T, rows: readonly WriteRow<T>[], replaced: readonly Buffer[] = []): TableRows => ({
  table: of,
  rows: rows as readonly WriteRow<Table>[],
  replaced,
})
