import { parseBocRoot, serializeBoc } from '../../../cell/boc.ts'
import { Cell } from '../../../cell/cell.ts'

/* Input of blocks between threads: cells inside plain objects, arrays and maps become `{ boc }`. */

const mapped = (value: unknown, leaf: (value: object) => unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const known = leaf(value)
  if (known !== undefined) return known
  if (Array.isArray(value)) return value.map((each) => mapped(each, leaf))
  if (value instanceof Map) return new Map([...value].map(([key, each]) => [key, mapped(each, leaf)]))
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapped(each, leaf)]))
}

/** The value with `{ boc }` in the place of each cell. */
export const withBocs = (value: unknown): unknown =>
  mapped(value, (each) => (each instanceof Cell ? { boc: new Uint8Array(serializeBoc(each, { crc32c: false })) } : undefined))

/** The value with a cell in the place of each `{ boc }`. Throws CellError for what is no BoC. */
export const withCells = (value: unknown): unknown =>
  mapped(value, (each) => ('boc' in each && each.boc instanceof Uint8Array ? parseBocRoot(each.boc) : undefined))
