import type { Cell } from '../../../cell/cell.ts'

/* Cells in the form of the log (cell-log.ts) before they have offsets. So they can be packed while the log grows, and by another thread. */

/** Bytes of a place. */
export const PLACE_BYTES = 5
/** Bytes of the longest cell record: four references, four hashes with depths, 128 bytes of data. */
export const MAX_RECORD = 4 + 4 * PLACE_BYTES + 4 * 34 + 128
/** Bytes of the record of an absent cell. */
export const ABSENT_BYTES = 4 + 32 + 1 + 32

/** The place of a packed cell is FLOATING more than its place in `bytes`, in units of 8 bytes, until the bytes are in the log. */
export interface PackedCells {
  readonly bytes: Uint8Array
  /** Offsets in `bytes` of the floating places. */
  readonly floats: Uint32Array
  /** Places of the roots. */
  readonly roots: readonly number[]
}

/** Cells that were packed in this thread. */
export interface OwnPackedCells extends PackedCells {
  /** Place of a cell that was packed, by its hash. */
  placeOf(hash: string): number | undefined
  /** To be called once, when the bytes are in the log at `at`; returns the roots as cells of the log. */
  land(at: number): readonly Cell[]
}

/** The first floating place. A log never has so many cells: it would be 4 TiB long. */
export const FLOATING = 2 ** 39

/** The place of a packed cell when its bytes are at `at`, a multiple of 8. */
export const landed = (place: number, at: number): number => (place < FLOATING ? place : place - FLOATING + at / 8)

/**
 * Offset of the bytes when the roots are at `places`. A root of a block that was made before, and undone, is in the log already and says nothing of it. If all
 * of them are, no cell is new, and the offset does not matter.
 */
export const offsetOf = ({ roots }: PackedCells, places: readonly number[]): number => {
  const first = roots.findIndex((root) => root >= FLOATING)
  return first < 0 ? 0 : (places[first]! - roots[first]! + FLOATING) * 8
}

/** Writes the places that the cells have when their bytes are at `at`, a multiple of 8; returns the bytes. To be called once. */
export const landedBytes = ({ bytes, floats }: PackedCells, at: number): Buffer => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (const offset of floats) buffer.writeUIntLE(landed(buffer.readUIntLE(offset, PLACE_BYTES), at), offset, PLACE_BYTES)
  return buffer
}
