import './anchors.ts'
import { checkIndex, checkStored } from './boc-check.ts'
import { type BocLimits, fail, readHeader } from './boc-header.ts'
import { type Rows, readRows, settleLevels } from './boc-rows.ts'
import { Cell } from './cell.ts'
import { bytesOf, depthOf, LIBRARY, MAX_DEPTH, ORDINARY, refsOf, SOLID, typeOf } from './layout.ts'
import { CellTable, RECORD } from './table.ts'
import { hashTable } from './table-hash.ts'

/** Bags of up to so many cells become built cells: leaner than a table, and hashed only when somebody asks. */
const FEW = 32

/** The cells of a small bag without pruned branches and Merkle cells, by row; undefined for other bags. */
const readFew = (data: Buffer, { meta, dataAt, links, slots, hashed }: Rows, maxDepth: number): Cell[] | undefined => {
  if (slots !== null || hashed.length > 0) return undefined
  const cells: Cell[] = new Array(meta.length)
  for (let row = meta.length - 1; row >= 0; row--) {
    const word = meta[row]!
    const type = typeOf(word)
    if (type !== ORDINARY && type !== LIBRARY) return undefined
    const refs = refsOf(word)
    let depth = 0
    for (let i = 0; i < refs; i++) depth = Math.max(depth, depthOf(cells[links[4 * row + i]!]!.meta) + 1)
    if (depth > maxDepth) fail(`cell ${row} is ${depth} deep, the limit is ${maxDepth}`)
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

/** The roots of a bag of cells, every cell checked. Throws CellError `boc` naming what is wrong. */
export const parseBoc = (bytes: Uint8Array, limits: BocLimits = {}): Cell[] => {
  const header = readHeader(bytes, limits)
  const { dataSize, cells, refSize } = header
  const maxDepth = Math.min(limits.maxDepth ?? MAX_DEPTH, MAX_DEPTH)
  if (cells <= FEW && header.indexAt === 0) {
    const data = Buffer.from(bytes.buffer, bytes.byteOffset + header.dataAt, dataSize)
    const few = readFew(data, readRows(data, dataSize, cells, refSize), maxDepth)
    if (few !== undefined) return header.roots.map((row) => few[row]!)
  }
  // A copy of our own: the caller's buffer may be a piece of a larger one, and may change.
  const data = Buffer.allocUnsafeSlow(dataSize + 8)
  data.set(bytes.subarray(header.dataAt, header.dataAt + dataSize))
  data.fill(0, dataSize)
  const { dataAt, meta, slots, slotCount, links, hashed } = readRows(data, dataSize, cells, refSize)
  const table = new CellTable(data, refSize, dataAt, meta, slots, Buffer.allocUnsafeSlow(slotCount * RECORD))
  settleLevels(table, links, maxDepth)
  if (header.indexAt !== 0) checkIndex(bytes, header, table, links)
  hashTable(table, links)
  checkStored(table, links, hashed)
  return header.roots.map((row) => table.cell(row))
}

/** The only root of a bag of cells. Throws CellError `boc`, also where there are several roots. */
export const parseBocRoot = (bytes: Uint8Array, limits: BocLimits = {}): Cell => {
  const roots = parseBoc(bytes, limits)
  if (roots.length !== 1) fail(`${roots.length} roots instead of one`)
  return roots[0]!
}
