import { type Cell, writeData } from '../cell.ts'
import { bitsOf, bytesOf, descriptor1, descriptor2, maskOf, refsOf, typeOf } from '../meta-word.ts'
import { crc32c } from './crc32c.ts'

const MAGIC = 0xb5ee9c72
/** Flag for a CRC32C, in the same header byte as the size of cell numbers. */
const WITH_CRC = 64
/** Size of a cell number, and of an offset, in bytes. Both are large enough for any bag that fits into memory. */
const REF_BYTES = 4
const OFFSET_BYTES = 6
/**
 * Size of the header: 6 bytes (magic, flags, size of an offset), the counts of cells, of roots and of absent cells, the total size of the cells, and the
 * index of the root.
 */
const HEADER_BYTES = 6 + 3 * REF_BYTES + OFFSET_BYTES + REF_BYTES

const sizeOf = (cell: Cell): number => 2 + bytesOf(cell.meta) + refsOf(cell.meta) * REF_BYTES

/**
 * Writes a tree of any size as a bag of cells with CRC32C, one cell in each step. `count` is called with the size of each cell that the walk finds, and may
 * throw to end the walk. The walk finds a cell after its children. The bag has the cells in reverse order, because every reader needs parents first. TON's own
 * writer has a different order.
 */
export function* bocSteps(root: Cell, count: (bytes: number) => void): Generator<void, Uint8Array> {
  const numbers = new Map<string, number>()
  const cells: Cell[] = []
  let size = 0
  const open = [{ cell: root, next: 0 }]
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (top.next < top.cell.refCount) {
      const child = top.cell.ref(top.next++)
      if (!numbers.has(child.hashKey())) open.push({ cell: child, next: 0 })
      continue
    }
    open.pop()
    numbers.set(top.cell.hashKey(), cells.push(top.cell) - 1)
    count(sizeOf(top.cell))
    size += sizeOf(top.cell)
    yield
  }
  const out = Buffer.alloc(HEADER_BYTES + size + 4)
  out.writeUInt32BE(MAGIC, 0)
  out[4] = WITH_CRC | REF_BYTES
  out[5] = OFFSET_BYTES
  out.writeUInt32BE(cells.length, 6)
  out.writeUInt32BE(1, 6 + REF_BYTES)
  out.writeUIntBE(size, 6 + 3 * REF_BYTES, OFFSET_BYTES)
  let at = HEADER_BYTES
  for (let i = cells.length - 1; i >= 0; i--) {
    const cell = cells[i]!
    const { meta } = cell
    out[at++] = descriptor1(refsOf(meta), typeOf(meta), maskOf(meta))
    out[at++] = descriptor2(bitsOf(meta))
    at += writeData(cell, out, at)
    for (let j = 0; j < refsOf(meta); j++) at = out.writeUInt32BE(cells.length - 1 - numbers.get(cell.ref(j).hashKey())!, at)
    yield
  }
  out.writeUInt32LE(crc32c(out, 0, at), at)
  return out
}
