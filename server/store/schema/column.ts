import type { Cell } from '../../cell/cell.ts'
import type { RowBuffer } from '../rows/row-buffer.ts'

/*
 * Kinds of columns: PostgreSQL's name of the type, the TypeScript types of written and read values, and how a value is written.
 * The driver reads `bytea` as Buffer, `bigint` and `numeric` as decimal text, and smaller integers as numbers.
 */

/**
 * What happens to a column when a row of a `merged` table is written and a row with its key is stored already. `replace`: the new value counts.
 * `keep`: the stored one does. `greatest`, `sum`: of both. `sql`: an expression over `<table>.<column>` (stored) and `excluded.<column>` (new).
 */
export type Merge = 'replace' | 'keep' | 'greatest' | 'sum' | { readonly sql: string }

/** `Read`: type of a value that a query returns. `Write`: type of a value in a row to be written. */
export interface Column<Read, Write, Nullable extends boolean = boolean> {
  /** Name of the type as PostgreSQL's format_type() gives it. */
  readonly type: string
  readonly nullable: Nullable
  /** Only for `merged` tables: what becomes of the stored value, `replace` by default. */
  readonly merge?: Merge
  /**
   * A column of an `event` table that rows of an earlier release do not have. A row with null in all such columns is one of these: that is no difference (`tonway verify`).
   */
  readonly isLater?: boolean
  /** Writes a value that is not null. */
  put(out: RowBuffer, value: Write): void
  /** A written value in the form in which a query returns it. Null if it is written as null. */
  asRead(value: Write): Read | null
  /** Never set; only carries the type. */
  readonly read?: Read
}

/** A column of any kind. */
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

/** A column that can be null. Undefined is written as null too. */
export const nullable = <Read, Write>(of: Column<Read, Write, false>): Column<Read, Write, true> => ({
  ...of,
  nullable: true,
})

/** A column that was added to a table which has rows already, where it stays null. */
export const later = <Read, Write>(of: Column<Read, Write, false>): Column<Read, Write, true> => ({ ...nullable(of), isLater: true })

/** A column of a `merged` table with a rule of its own. */
export const merged = <C extends AnyColumn>(merge: Merge, of: C): C => ({ ...of, merge })

/** Bytes. Can be written from a string of one-byte characters too, which is how maps hold hashes and keys. */
export const bytea = column<Buffer, Uint8Array | string>(
  'bytea',
  (out, value) => out.bytea(value),
  (value) => (typeof value === 'string' ? Buffer.from(value, 'latin1') : Buffer.from(value.buffer, value.byteOffset, value.byteLength)),
)
/** The hash of a cell, written from the cell. */
export const cellHash = column<Buffer, Cell>(
  'bytea',
  (out, value) => out.cellHash(value),
  (value) => Buffer.from(value.hash()),
)
/** The hashes of cells, 32 bytes each, one after the other; written from the cells. */
export const cellHashes = column<Buffer, readonly Cell[]>(
  'bytea',
  (out, value) => out.cellHashes(value),
  (value) => Buffer.concat(value.map((cell) => cell.hash())),
)
export const int2 = column<number, number>('smallint', (out, value) => out.number(value), same)
export const int4 = column<number, number>('integer', (out, value) => out.number(value), same)
export const int8 = column<string, bigint | number>('bigint', (out, value) => out.integer(value), decimal)
export const numeric = column<string, bigint | number>('numeric', (out, value) => out.integer(value), decimal)
export const bool = column<boolean, boolean>('boolean', (out, value) => out.bool(value), same)
/** Zero characters are left out, because PostgreSQL cannot store them. */
export const text = column<string, string>(
  'text',
  (out, value) => out.text(value),
  (value) => value.replaceAll('\0', ''),
)

export const int4List = column<number[], readonly number[]>(
  'integer[]',
  (out, value) => out.ascii(`{${value.join(',')}}`),
  (value) => [...value],
)
export const int8List = column<string[], readonly bigint[]>(
  'bigint[]',
  (out, value) => out.ascii(`{${value.join(',')}}`),
  (value) => value.map(decimal),
)

/** Words of letters, digits and `_`, which need no quotes. */
export const textList = column<string[], readonly string[]>(
  'text[]',
  (out, value) => out.ascii(`{${value.join(',')}}`),
  (value) => [...value],
)

/** A word of a list (store/codes.ts), stored and read as its position in the list. */
export const code = <Word extends string>(words: readonly Word[]): Column<number, Word, false> =>
  column(
    'smallint',
    (out, value) => out.number(words.indexOf(value)),
    (value) => words.indexOf(value),
  )

/** Extra currencies: id in decimal -> amount in decimal; null when there are none. jsonb orders keys by length, for decimal numbers their order. */
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
