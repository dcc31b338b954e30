import { Cell } from './cell.ts'
import { bytesOf, hashSlot, MERKLE_PROOF, maskOf, typeOf } from './meta-word.ts'

export const RECORD = 36

/**
 * The cells of one parsed bag as a structure of arrays. Cell objects are views that are made on demand. Each view keeps the whole table alive. `compact` copies
 * a subtree, so that the table can be freed.
 */
export class CellTable {
  /** The cell records of the bag, followed by at least 8 spare bytes. */
  readonly bytes: Buffer
  /** Size of a reference in bytes. */
  readonly refSize: number
  /** Offset of each cell's data in `bytes`; its references follow. */
  readonly dataAt: Uint32Array
  readonly meta: Uint32Array
  /** First hash slot of each cell. null if every cell is of level 0: the only slot of a cell then has the number of its row. */
  readonly slots: Uint32Array | null
  /** One record per slot: 32 bytes of hash, two of depth (big-endian, as in hashing), two unused. */
  readonly records: Buffer
  /** Computes the missing hashes; null if no hash is missing. Of a Merkle cell any hash can be missing, of other cells any hash except the first. */
  rest: (() => void) | null = null

  constructor(bytes: Buffer, refSize: number, dataAt: Uint32Array, meta: Uint32Array, slots: Uint32Array | null, records: Buffer) {
    this.bytes = bytes
    this.refSize = refSize
    this.dataAt = dataAt
    this.meta = meta
    this.slots = slots
    this.records = records
  }

  refRow(row: number, i: number): number {
    const at = this.dataAt[row]! + bytesOf(this.meta[row]!) + i * this.refSize
    return readUint(this.bytes, at, this.refSize)
  }

  slot(row: number, level: number): number {
    return this.slots === null ? row : this.slots[row]! + hashSlot(maskOf(this.meta[row]!), level)
  }

  /** Like `slot`, but computes the missing hashes first if the hash in this slot may be missing. */
  hashed(row: number, level: number): number {
    const slot = this.slot(row, level)
    if (this.rest !== null && (slot !== this.slots![row]! || typeOf(this.meta[row]!) >= MERKLE_PROOF)) {
      const { rest } = this
      this.rest = null
      rest()
    }
    return slot
  }

  depth(slot: number): number {
    const at = slot * RECORD + 32
    return (this.records[at]! << 8) | this.records[at + 1]!
  }

  cell(row: number): Cell {
    return new Cell(this.meta[row]!, this, row, undefined, undefined, undefined, undefined)
  }
}

/** Big-endian number of 1 to 6 bytes. */
export const readUint = (bytes: Uint8Array, at: number, size: number): number => {
  let value = bytes[at]!
  for (let i = 1; i < size; i++) value = value * 256 + bytes[at + i]!
  return value
}
