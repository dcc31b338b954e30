import { endSteps, runSteps } from '../../base/yield.ts'
import '../hot-class-instances.ts'
import { type Budget, MAX_ACCOUNT_CELLS, MAX_MESSAGE_CELLS } from '../budget.ts'
import { Cell } from '../cell.ts'
import { CellError } from '../error.ts'
import { bytesOf, depthOf, LIBRARY, MAX_DEPTH, ORDINARY, refsOf, SOLID, typeOf } from '../meta-word.ts'
import { CellTable, RECORD } from '../table.ts'
import { checkIndex, checkStored } from './check.ts'
import { hashTable, provenHashes } from './hash-cells.ts'
import { type BocLimits, failBoc, readHeader } from './header.ts'
import { type Rows, readRows, settleLevels } from './rows.ts'

/** A bag of at most this many cells is read into built cells. Built cells take less memory than a table, and are hashed only on first use. */
const FEW = 32

/** Returns the cells of a small bag by row; undefined if the bag has pruned branches, Merkle cells or stored hashes. */
const readFew = (data: Buffer, { count, meta, dataAt, links, slots, hashed }: Rows, maxDepth: number): Cell[] | undefined => {
  if (slots !== null || hashed.length > 0) return undefined
  const cells: Cell[] = new Array(count)
  for (let row = count - 1; row >= 0; row--) {
    const word = meta[row]!
    const type = typeOf(word)
    if (type !== ORDINARY && type !== LIBRARY) return undefined
    const refs = refsOf(word)
    let depth = 0
    for (let i = 0; i < refs; i++) depth = Math.max(depth, depthOf(cells[links[4 * row + i]!]!.meta) + 1)
    if (depth > maxDepth) failBoc(`cell ${row} is ${depth} deep, the limit is ${maxDepth}`)
    const at = dataAt[row]!
    cells[row] = new Cell(
      word | (depth << 19) | SOLID,
      data.toString('latin1', at, at + bytesOf(word)),
      undefined,
      refs > 0 ? cells[links[4 * row]!] : undefined,
      refs > 1 ? cells[links[4 * row + 1]!] : undefined,
      refs > 2 ? cells[links[4 * row + 2]!] : undefined,
      refs > 3 ? cells[links[4 * row + 3]!] : undefined,
    )
  }
  return cells
}

/** Number of zero bytes after the data of a table, so that a slice can read whole words at the end of the data. */
const SPARE = 8

/** Copies the rows into a table that has its own memory, in one block. The caller's memory may be part of a larger buffer, and may change later. */
const tableOf = (data: Buffer, refSize: number, { count, dataAt, meta, slots, slotCount }: Rows): CellTable => {
  const recordsAt = 4 * count * (slots === null ? 2 : 3)
  const bytesAt = recordsAt + RECORD * slotCount
  const { buffer } = Buffer.allocUnsafeSlow(bytesAt + data.length + SPARE)
  const copyOf = (from: Uint32Array, place: number): Uint32Array => {
    const to = new Uint32Array(buffer, 4 * count * place, count)
    to.set(from.subarray(0, count))
    return to
  }
  const bytes = Buffer.from(buffer, bytesAt)
  bytes.set(data)
  bytes.fill(0, data.length)
  const records = Buffer.from(buffer, recordsAt, RECORD * slotCount)
  return new CellTable(bytes, refSize, copyOf(dataAt, 0), copyOf(meta, 1), slots === null ? null : copyOf(slots, 2), records)
}

const linksOf = (table: CellTable): Uint32Array => {
  const links = new Uint32Array(4 * table.meta.length)
  for (let row = 0; row < table.meta.length; row++)
    for (let i = refsOf(table.meta[row]!) - 1; i >= 0; i--) links[4 * row + i] = table.refRow(row, i)
  return links
}

/** Parses a bag of cells as `parseBoc` does. A large bag takes several steps of a few milliseconds. `bytes` must not change before the last step. */
export function* parseBocSteps(bytes: Uint8Array, limits: BocLimits = {}): Generator<void, Cell[]> {
  const header = readHeader(bytes, limits)
  const { dataSize, cells, refSize } = header
  const maxDepth = Math.min(limits.maxDepth ?? MAX_DEPTH, MAX_DEPTH)
  const data = Buffer.from(bytes.buffer, bytes.byteOffset + header.dataAt, dataSize)
  const rows = yield* readRows(data, dataSize, cells, refSize)
  if (limits.budget !== undefined) {
    limits.budget.cells -= rows.slotCount
    if (limits.budget.cells < 0) failBoc('its cells have too many hashes')
  }
  if (cells <= FEW && header.indexAt === 0) {
    const few = readFew(data, rows, maxDepth)
    if (few !== undefined) return header.roots.map((row) => few[row]!)
  }
  const { links, hashed } = rows
  const table = tableOf(data, refSize, rows)
  yield* settleLevels(table, links, maxDepth)
  if (header.indexAt !== 0) checkIndex(bytes, header, table, links)
  const required = limits.proofs && hashed.length === 0 ? provenHashes(table, links, header.roots) : null
  if (required !== null) table.rest = () => endSteps(hashTable(table, linksOf(table), null))
  yield* hashTable(table, links, required)
  checkStored(table, links, hashed)
  return header.roots.map((row) => table.cell(row))
}

/** Parses a bag of cells, checks every cell, and returns the roots. The message of a CellError `boc` says what is wrong. */
export const parseBoc = (bytes: Uint8Array, limits: BocLimits = {}): Cell[] => endSteps(parseBocSteps(bytes, limits))

const onlyRoot = (roots: readonly Cell[]): Cell => {
  if (roots.length !== 1) failBoc(`${roots.length} roots instead of one`)
  return roots[0]!
}

/** Parses a bag of cells with one root. Throws CellError `boc`, also for a bag with several roots. */
export const parseBocRoot = (bytes: Uint8Array, limits: BocLimits = {}): Cell => onlyRoot(parseBoc(bytes, limits))

export function* parseBocRootSteps(bytes: Uint8Array, limits: BocLimits = {}): Generator<void, Cell> {
  return onlyRoot(yield* parseBocSteps(bytes, limits))
}

/**
 * Parses a bag of cells with one root that a caller sent. By default it may have as many cells as a message. Converts a CellError by `errorOf`, and throws
 * the result. Bags of one call share a budget.
 */
export const parseBocRootOr = (
  bytes: Uint8Array,
  errorOf: (error: CellError) => Error,
  budget: Budget = { cells: MAX_MESSAGE_CELLS },
): Cell => {
  try {
    return parseBocRoot(bytes, { budget })
  } catch (error) {
    throw error instanceof CellError ? errorOf(error) : error
  }
}

/** Like parseBocRootOr, with pauses, for a bag of as many cells as an account can have. */
export const parseAccountBocOr = async (
  bytes: Uint8Array,
  errorOf: (error: CellError) => Error,
  budget: Budget = { cells: MAX_ACCOUNT_CELLS },
): Promise<Cell> => {
  try {
    return await runSteps(parseBocRootSteps(bytes, { budget }))
  } catch (error) {
    throw error instanceof CellError ? errorOf(error) : error
  }
}
