import type { Table, WriteRow } from '../schema/table.ts'
import { RowBuffer } from './row-buffer.ts'

export type RowBytes = Pick<RowBuffer, 'length' | 'size' | 'bytes' | 'lines'>

/** Rows of one table in COPY's text format, in the order in which they were written. */
export class Rows<T extends Table> extends RowBuffer {
  readonly #of: T

  constructor(of: T) {
    super()
    this.#of = of
  }

  /** Writes a row. If this throws, nothing of the row is written. */
  add(row: WriteRow<T>): void {
    this.dropRow()
    this.#of.encode(this, row)
    this.endRow()
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
