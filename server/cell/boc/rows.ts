import { exoticFault } from '../exotic.ts'
import { depthOf, LEVEL, MERKLE_PROOF, maskOf, ORDINARY, POPCOUNT, PRUNED, packMeta, refsOf, typeOf } from '../meta-word.ts'
import { type CellTable, RECORD, readUint } from '../table.ts'
import { failBoc } from './header.ts'
import { createScratch, endsStep } from './scratch.ts'

/**
 * Offset and descriptors of each cell. `hashed` lists the rows with stored hashes. The arrays can be longer than the number of cells. Bags that are not large
 * share their arrays, so these are valid only until the next bag is read.
 */
export interface Rows {
  readonly count: number
  readonly dataAt: Uint32Array
  readonly meta: Uint32Array
  readonly slots: Uint32Array | null
  readonly slotCount: number
  /** The rows of each cell's references, four entries per cell. They are needed only while the bag is read. */
  readonly links: Uint32Array
  readonly hashed: readonly number[]
}

const [positions, words, slotsOf, references] = [createScratch(), createScratch(), createScratch(), createScratch()]

/** The first pass goes forward and reads the offset, the descriptors and the references of each cell. */
export function* readRows(bytes: Uint8Array, size: number, cells: number, refSize: number): Generator<void, Rows> {
  const dataAt = positions(cells)
  const meta = words(cells)
  const links = references(4 * cells)
  const hashed: number[] = []
  let slots: Uint32Array | null = null
  let slotCount = 0
  let at = 0
  for (let row = 0; row < cells; row++) {
    if (endsStep(row, cells)) yield
    if (at + 2 > size) failBoc(`the data ends before cell ${row} of ${cells}`)
    const d1 = bytes[at]!
    const d2 = bytes[at + 1]!
    const refs = d1 & 7
    if (refs > 4) failBoc(refs === 7 && d1 & 16 ? `cell ${row} is absent: only whole bags are read` : `cell ${row} has ${refs} references`)
    const mask = d1 >>> 5
    at += 2
    if (d1 & 16) {
      hashed.push(row)
      at += 34 * (POPCOUNT[mask]! + 1)
    }
    const length = (d2 + 1) >>> 1
    const end = at + length + refs * refSize
    if (end > size) failBoc(`cell ${row} runs past the end of the data`)
    let bits = length * 8
    if (d2 & 1) {
      const last = bytes[at + length - 1]!
      if ((last & 127) === 0) failBoc(`cell ${row} has no completion tag`)
      bits -= 32 - Math.clz32(last & -last)
    }
    let type = ORDINARY
    if (d1 & 8) {
      if (bits < 8) failBoc(`cell ${row} is exotic with ${bits} bits`)
      type = bytes[at]!
      const wrong = exoticFault(type, bits, refs, bytes[at + 1]!)
      if (wrong !== undefined) failBoc(`cell ${row} is ${wrong}`)
    }
    dataAt[row] = at
    meta[row] = packMeta(bits, refs, type, mask, 0)
    if (slots === null && mask !== 0) {
      slots = slotsOf(cells)
      for (let i = 0; i < row; i++) slots[i] = i
    }
    if (slots !== null) slots[row] = slotCount
    slotCount += POPCOUNT[mask]! + 1
    for (let i = at + length, link = 4 * row; i < end; i += refSize, link++) {
      const target = readUint(bytes, i, refSize)
      if (target <= row) failBoc(`cell ${row} refers to cell ${target}, which does not come after it`)
      if (target >= cells) failBoc(`cell ${row} refers to cell ${target} of ${cells}`)
      links[link] = target
    }
    at = end
  }
  if (at !== size) failBoc(`${size - at} bytes of data left after the last cell`)
  return { count: cells, dataAt, meta, slots, slotCount, links, hashed }
}

/** The second pass goes backward and computes the level mask and the depth of each cell. */
export function* settleLevels(table: CellTable, links: Uint32Array, maxDepth: number): Generator<void, void> {
  const { bytes, dataAt, meta, slots, records } = table
  const putDepth = (slot: number, depth: number): void => {
    records[slot * RECORD + 32] = depth >>> 8
    records[slot * RECORD + 33] = depth
  }
  for (let row = meta.length - 1; row >= 0; row--) {
    if (endsStep(row, meta.length)) yield
    const word = meta[row]!
    const type = typeOf(word)
    const refs = refsOf(word)
    let mask = 0
    let depth = 0
    for (let i = 0; i < refs; i++) {
      const child = meta[links[4 * row + i]!]!
      mask |= maskOf(child)
      depth = Math.max(depth, depthOf(child) + 1)
    }
    if (type >= MERKLE_PROOF) mask >>>= 1
    else if (type === PRUNED) mask = bytes[dataAt[row]! + 1]!
    if (mask !== maskOf(word)) failBoc(`cell ${row} has level mask ${maskOf(word)} in its descriptor, but it must be ${mask}`)
    if (depth > maxDepth) failBoc(`cell ${row} is ${depth} deep, the limit is ${maxDepth}`)
    meta[row] = word | (depth << 19)
    if (slots === null) {
      putDepth(row, depth)
      continue
    }
    let slot = slots[row]!
    if (type === PRUNED) {
      const at = dataAt[row]! + 2
      for (let i = 0; i < POPCOUNT[mask]!; i++) bytes.copy(records, (slot + i) * RECORD, at + 32 * i, at + 32 * i + 32)
    }
    for (let level = 0; level < LEVEL[mask]!; level++) {
      if ((mask & (1 << level)) === 0) continue
      const lower =
        type === PRUNED
          ? prunedDepth(table, row, slot - slots[row]!)
          : lowerDepth(table, links, row, refs, type >= MERKLE_PROOF ? level + 1 : level)
      if (lower > maxDepth) failBoc(`cell ${row} is ${lower} deep at level ${level}, the limit is ${maxDepth}`)
      putDepth(slot++, lower)
    }
    putDepth(slot, depth)
  }
}

const prunedDepth = (table: CellTable, row: number, i: number): number => {
  const at = table.dataAt[row]! + 2 + 32 * POPCOUNT[maskOf(table.meta[row]!)]! + 2 * i
  return readUint(table.bytes, at, 2)
}

const lowerDepth = (table: CellTable, links: Uint32Array, row: number, refs: number, level: number): number => {
  let depth = 0
  for (let i = 0; i < refs; i++) depth = Math.max(depth, table.depth(table.slot(links[4 * row + i]!, level)) + 1)
  return depth
}
