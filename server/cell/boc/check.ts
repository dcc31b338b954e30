import { bytesOf, MERKLE_PROOF, maskOf, POPCOUNT, refsOf, typeOf } from '../meta-word.ts'
import { type CellTable, RECORD, readUint } from '../table.ts'
import { failBoc, type Header } from './header.ts'

const same = (a: Uint8Array, at: number, b: Uint8Array, bt: number): boolean => {
  for (let i = 0; i < 32; i++) if (a[at + i] !== b[bt + i]) return false
  return true
}

/**
 * Compares the hashes and depths in Merkle cells with those of their references, and the stored hashes and depths of cells with the computed ones. Throws
 * CellError `boc`.
 */
export const checkStored = (table: CellTable, links: Uint32Array, hashed: readonly number[]): void => {
  const { bytes, dataAt, meta, records } = table
  for (let row = 0; row < meta.length; row++) {
    const word = meta[row]!
    if (typeOf(word) < MERKLE_PROOF) continue
    const refs = refsOf(word)
    for (let i = 0; i < refs; i++) {
      const slot = table.slot(links[4 * row + i]!, 0)
      const at = dataAt[row]! + 1
      if (!same(bytes, at + 32 * i, records, slot * RECORD)) failBoc(`Merkle cell ${row}: its hash ${i} is not that of its reference`)
      if (readUint(bytes, at + 32 * refs + 2 * i, 2) !== table.depth(slot))
        failBoc(`Merkle cell ${row}: its depth ${i} is not that of its reference`)
    }
  }
  for (const row of hashed) {
    const count = POPCOUNT[maskOf(meta[row]!)]! + 1
    const at = dataAt[row]! - 34 * count
    const slot = table.slot(row, 0)
    for (let i = 0; i < count; i++) {
      if (!same(bytes, at + 32 * i, records, (slot + i) * RECORD)) failBoc(`cell ${row}: its stored hash ${i} is wrong`)
      if (readUint(bytes, at + 32 * count + 2 * i, 2) !== table.depth(slot + i)) failBoc(`cell ${row}: its stored depth ${i} is wrong`)
    }
  }
}

/** Checks each entry of the index: the end of its cell and, in the cache bit, whether the cell is referenced more than once. Throws CellError `boc`. */
export const checkIndex = (bytes: Uint8Array, header: Header, table: CellTable, links: Uint32Array): void => {
  const { indexAt, offsetSize, cacheBits, cells } = header
  const counts = cacheBits ? new Uint8Array(cells) : null
  if (counts !== null) {
    const count = (row: number): void => {
      if (counts[row]! < 2) counts[row]!++
    }
    header.roots.forEach(count)
    for (let row = 0; row < cells; row++) for (let i = refsOf(table.meta[row]!) - 1; i >= 0; i--) count(links[4 * row + i]!)
  }
  for (let row = 0; row < cells; row++) {
    const end = table.dataAt[row]! + bytesOf(table.meta[row]!) + refsOf(table.meta[row]!) * header.refSize
    const expected = counts === null ? end : end * 2 + (counts[row]! > 1 ? 1 : 0)
    const stored = readUint(bytes, indexAt + row * offsetSize, offsetSize)
    if (stored !== expected) failBoc(`index entry ${row} is ${stored}, not ${expected}`)
  }
}
