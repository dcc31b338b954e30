import type { Cell } from '../../cell/cell.ts'
import type { RowBuffer } from '../rows/row-buffer.ts'

/*
 * Types of columns: the PostgreSQL type, the TypeScript types of written and of read values, and the encoding of a value. The driver reads `bytea` as Buffer,
 * `bigint` and `numeric` as decimal text, and smaller integers as numbers.
 */

/**
 * How a column of a `merged` table is updated if a row with the same key is already stored. `replace`: takes the new value. `keep`: keeps the stored value.
 * `greatest`, `sum`: combines both. `sql`: an expression over `<table>.<column>` (stored) and `excluded.<column>` (new).
 */
export type Merge = 'replace' | 'keep' | 'greatest' | 'sum' | { readonly sql: string }

/** `Read`: type of a value in a query's result. `Write`: type of a value in a row to be written. */
export interface Column<Read, Write, Nullable extends boolean = boolean> {
  /** Name of the PostgreSQL type, as format_type() returns it. */
  readonly type: string
  readonly nullable: Nullable
  readonly merge?: Merge
  /**
   * True for a column of an `event` table that a later release added. Rows of earlier releases have null in all such columns; `tonway verify` does not report
   * that as a difference.
   */
  readonly isLater?: boolean
  put(out: RowBuffer, value: Write): void
  /** Converts a written value to the form in which a query returns the value; null if the value is written as null. */
  asRead(value: Write): Read | null
  /** Never set; it only carries the type `Read`. */
  readonly read?: Read
}

export type AnyColumn = Column<unknown, never>

const column = <Read, Write>(
  type: string,
  put: (out: RowBuffer, value: Write) => void,
  asRead: (value: Write) => Read,
): Column<Read, Write, false> => ({
  type,
  nullable: false,
  put,
  asRead,
})

const same = <Value>(value: Value): Value => value
const decimal = (value: bigint | number): string => value.toString()

/** A nullable column. Undefined is written as null, too. */
export const nullable = <Read, Write>(of: Column<Read, Write, false>): Column<Read, Write, true> => ({
  ...of,
  nullable: true,
})

/** A column that was added to a table with existing rows. It stays null in those rows. */
export const later = <Read, Write>(of: Column<Read, Write, false>): Column<Read, Write, true> => ({ ...nullable(of), isLater: true })

export const merged = <C extends AnyColumn>(merge: Merge, of: C): C => ({ ...of, merge })

/** Bytes. A value may also be a string of one-byte characters, because maps use such strings as keys. */
export const bytea = column<Buffer, Uint8Array | string>(
  'bytea',
  (out, value) => out.bytea(value),
  (value) => (typeof value === 'string' ? Buffer.from(value, 'latin1') : Buffer.from(value.buffer, value.byteOffset, value.byteLength)),
)
export const cellHash = column<Buffer, Cell>(
  'bytea',
  (out, value) => out.bytea(value.hash()),
  (value) => Buffer.from(value.hash()),
)
export const cellHashes = column<Buffer, readonly Cell[]>(
  'bytea',
  (out, value) => out.bytea(Buffer.concat(value.map((cell) => cell.hash()))),
  (value) => Buffer.concat(value.map((cell) => cell.hash())),
)
export const int2 = column<number, number>('smallint', (out, value) => out.ascii(String(value)), same)
export const int4 = column<number, number>('integer', (out, value) => out.ascii(String(value)), same)
export const int8 = column<string, bigint | number>('bigint', (out, value) => out.ascii(String(value)), decimal)
export const numeric = column<string, bigint | number>('numeric', (out, value) => out.ascii(String(value)), decimal)
export const bool = column<boolean, boolean>('boolean', (out, value) => out.ascii(value ? 't' : 'f'), same)
/** Text. Zero characters are dropped, because PostgreSQL cannot store them. */
export const text = column<string, string>(
  'text',
  (out, value) => out.text(value),
  (value) => value.replaceAll('\0', ''),
)

const list = <Read, Write>(type: string, asRead: (value: Write) => Read) =>
  column<Read[], readonly Write[]>(
    type,
    (out, value) => out.ascii(`{${value.join(',')}}`),
    (value) => value.map(asRead),
  )
export const int4List = list<number, number>('integer[]', same)
export const int8List = list<string, bigint>('bigint[]', decimal)
/** Words of letters, digits and `_`, which need no quotes. */
export const textList = list<string, string>('text[]', same)

/** A word of an enumeration (store/codes.ts), stored and read as its index in the list. */
export const code = <Word extends string>(words: readonly Word[]): Column<number, Word, false> =>
  column(
    'smallint',
    (out, value) => out.ascii(String(words.indexOf(value))),
    (value) => words.indexOf(value),
  )

/** Extra currencies: id -> amount, both in decimal; null if there are none. jsonb orders keys by length first, so decimal ids are in numeric order. */
export const currencies: Column<Record<string, string>, ReadonlyMap<number, bigint>, true> = {
  type: 'jsonb',
  nullable: true,
  asRead: (value) => (value.size === 0 ? null : Object.fromEntries([...value].map(([id, amount]) => [id, decimal(amount)]))),
  put(out, value) {
    if (value.size === 0) out.null()
    else
      out.ascii(
        `{${[...value]
          .sort(([a], [b]) => a - b)
          .map(([id, amount]) => `"${id}": "${amount}"`)
          .join(', ')}}`,
      )
  },
}
