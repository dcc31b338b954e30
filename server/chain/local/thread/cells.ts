import { createPauses } from '../../../base/yield.ts'
import { parseBocRoot, serializeBoc } from '../../../cell/boc.ts'
import { Cell } from '../../../cell/cell.ts'

/* Cells in messages between threads: inside plain objects, arrays and maps they become `{ boc }`. */

const NO_BYTES = new Uint8Array(0)

const mapped = (value: unknown, leaf: (value: object) => unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const replaced = leaf(value)
  if (replaced !== undefined) return replaced
  if (Array.isArray(value)) return value.map((each) => mapped(each, leaf))
  if (value instanceof Map) return new Map([...value].map(([key, each]) => [key, mapped(each, leaf)]))
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapped(each, leaf)]))
}

/** The value with `{ boc }` instead of each cell. Yields between cells, because a block may get many accounts of 60,000 cells. */
export const withBocs = async (value: unknown): Promise<unknown> => {
  const open: { readonly cell: Cell; readonly into: { boc: Uint8Array } }[] = []
  const written = mapped(value, (each) => {
    if (!(each instanceof Cell)) return undefined
    const into = { boc: NO_BYTES }
    open.push({ cell: each, into })
    return into
  })
  const pause = createPauses()
  for (const { cell, into } of open) {
    into.boc = new Uint8Array(serializeBoc(cell, { crc32c: false }))
    await pause()
  }
  return written
}

/** The value with a cell instead of each `{ boc }`. Throws CellError for an invalid BoC. */
export const withCells = (value: unknown): unknown =>
  mapped(value, (each) => ('boc' in each && each.boc instanceof Uint8Array ? parseBocRoot(each.boc) : undefined))
