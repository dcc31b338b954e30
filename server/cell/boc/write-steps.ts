import { type Cell, writeData } from '../cell.ts'
import { bitsOf, bytesOf, descriptor1, descriptor2, maskOf, refsOf, typeOf } from '../layout.ts'
import { crc32c } from './crc32c.ts'

const MAGIC = 0xb5ee9c72
/** Flag of a bag with a CRC32C, beside the size of its numbers. */
const WITH_CRC = 64
/** Bytes of a number of a cell, and of an offset in the cells: enough for any bag that fits into memory. */
const REF_BYTES = 4
const OFFSET_BYTES = 6
/** Magic, flags, size of offsets; cells, roots, absent cells; bytes of the cells; number of the root. */
const HEADER_BYTES = 6 + 3 * REF_BYTES + OFFSET_BYTES + REF_BYTES

/** Bytes of a cell in such a bag. */
const sizeOf = (cell: Cell): number => 2 + bytesOf(cell.meta) + refsOf(cell.meta) * REF_BYTES

/**
 * Writes a tree as a bag of cells with CRC32C, one cell at a step, for trees of any size. `count` gets the size of each cell when the walk finds it, and may
 * throw. The walk finds a cell after those below it, and the bag has them in the opposite order, as every reader needs. TON's own writer orders them otherwise.
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
