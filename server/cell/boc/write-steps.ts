import { type Cell, untracked, writeData } from '../cell.ts'
import { bitsOf, bytesOf, descriptor1, descriptor2, maskOf, refsOf, typeOf } from '../meta-word.ts'
import { CellNumbers, wordOf } from './cell-numbers.ts'
import { crc32c } from './crc32c.ts'

const MAGIC = 0xb5ee9c72
/** Flag for a CRC32C, in the same header byte as the size of cell numbers. */
const WITH_CRC = 64
/** Size of a cell number, and of an offset, in bytes. Both are large enough for any bag that fits into memory. */
const REF_BYTES = 4
const OFFSET_BYTES = 6
/**
 * Size of the header: 6 bytes (magic, flags, size of an offset), the counts of cells, of roots and of absent cells, and the total size of the cells. The
 * rows of the roots follow.
 */
const HEADER_BYTES = 6 + 3 * REF_BYTES + OFFSET_BYTES

const sizeOf = (cell: Cell): number => 2 + bytesOf(cell.meta) + refsOf(cell.meta) * REF_BYTES

/**
 * Writes trees of any size as a bag of cells with CRC32C, one cell in each step. `count` is called with the size of each cell that the walk finds, and may
 * throw to end the walk. The walk finds a cell after its children. The bag has the cells in reverse order, because every reader needs parents first. TON's own
 * writer has a different order.
 */
export function* bocSteps(roots: readonly Cell[], count: (bytes: number) => void = () => {}): Generator<void, Uint8Array> {
  const cells: Cell[] = []
  const numbers = new CellNumbers(cells)
  const numberOf = (cell: Cell): number | undefined => numbers.find(wordOf(cell), cell)
  let size = 0
  for (const root of roots.map(untracked)) {
    const open = numberOf(root) === undefined ? [{ cell: root, next: 0 }] : []
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const { cell } = top
      if (top.next < cell.refCount) {
        const child = untracked(cell.ref(top.next++))
        if (numberOf(child) === undefined) open.push({ cell: child, next: 0 })
        continue
      }
      open.pop()
      numbers.add(wordOf(cell), cell)
      count(sizeOf(cell))
      size += sizeOf(cell)
      yield
    }
  }
  const rowOf = (cell: Cell): number => cells.length - 1 - numberOf(untracked(cell))!
  const out = Buffer.alloc(HEADER_BYTES + roots.length * REF_BYTES + size + 4)
  out.writeUInt32BE(MAGIC, 0)
  out[4] = WITH_CRC | REF_BYTES
  out[5] = OFFSET_BYTES
  out.writeUInt32BE(cells.length, 6)
  out.writeUInt32BE(roots.length, 6 + REF_BYTES)
  out.writeUIntBE(size, 6 + 3 * REF_BYTES, OFFSET_BYTES)
  let at = HEADER_BYTES
  for (const root of roots) at = out.writeUInt32BE(rowOf(root), at)
  for (let i = cells.length - 1; i >= 0; i--) {
    const cell = cells[i]!
    const { meta } = cell
    out[at++] = descriptor1(refsOf(meta), typeOf(meta), maskOf(meta))
    out[at++] = descriptor2(bitsOf(meta))
    at += writeData(cell, out, at)
    for (let j = 0; j < refsOf(meta); j++) at = out.writeUInt32BE(rowOf(cell.ref(j)), at)
    yield
  }
  out.writeUInt32LE(crc32c(out, 0, at), at)
  return out
}
