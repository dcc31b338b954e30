import { Lru } from '../../../base/memory/lru.ts'
import { nameOf } from '../../../store/row-keys.ts'
import { rowsOf, type TableRows } from '../../../store/rows/copy-rows.ts'
import { type AccountTable, isAccountTable, type Table, type WriteRow } from '../../../store/schema/table.ts'
import type { AccountView } from '../topic.ts'

/*
 * Rows that were derived from states, by address and by the hashes of code and data. Several emulations in a row often lead to the same states, and a
 * pending trace is emulated again with each block.
 */

/**
 * Maximum number of characters and bytes of all cached rows, and milliseconds for which a row is cached. A row can depend on other contracts, such as the
 * collection of an NFT.
 */
const MAX_CONTENT = 8 << 20
const MAX_AGE = 60_000
const MAX_STATES = 20_000
/** Estimated bytes of a row in addition to its strings and buffers. */
const ROW_SIZE = 300

const keyOf = ({ key, codeHash, dataHash }: AccountView): string =>
  [key, codeHash, dataHash].map((bytes) => bytes?.toString('latin1') ?? '').join('')

type Row = WriteRow<Table>

const ownerOf = ({ owner }: AccountTable, row: Row): string => nameOf((row as unknown as Readonly<Record<string, Buffer>>)[owner]!)

const sizeOf = (made: readonly TableRows[]): number => {
  let size = ROW_SIZE
  for (const { rows } of made)
    for (const row of rows) {
      size += ROW_SIZE
      for (const value of Object.values<unknown>(row)) if (typeof value === 'string' || value instanceof Uint8Array) size += value.length
    }
  return size
}

export interface RowCache {
  /** Returns the rows of a state, in a form that replaces all rows of the account. */
  get(state: AccountView): readonly TableRows[] | undefined
  /** Caches those of the derived rows that belong to the state. A state without rows is not cached, because it may get rows when other contracts change. */
  put(state: AccountView, made: readonly TableRows[]): void
}

export const createRowCache = (): RowCache => {
  const cache = new Lru<string, readonly TableRows[]>({ max: MAX_STATES, maxSize: MAX_CONTENT, sizeCalculation: sizeOf, ttl: MAX_AGE })
  return {
    get: (state) => cache.get(keyOf(state)),
    put(state, made) {
      const name = nameOf(state.key)
      const own = made.flatMap(({ table, rows }) =>
        isAccountTable(table)
          ? rowsOf(
              table,
              rows.filter((row) => ownerOf(table, row) === name),
              [state.key],
            )
          : [],
      )
      if (own.some(({ rows }) => rows.length > 0)) cache.set(keyOf(state), own)
    },
  }
}
