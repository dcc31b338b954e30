import type { Cell } from '../../../cell/cell.ts'

/* Cells in the log's format (cell-log.ts), before they have offsets in the log. So cells can be packed while the log grows. */

export const PLACE_BYTES = 5
/** Maximum number of bytes of a cell record: four references, four hashes with depths, 128 bytes of data. */
export const MAX_RECORD = 4 + 4 * PLACE_BYTES + 4 * 34 + 128
export const ABSENT_BYTES = 4 + 32 + 1 + 32

/** Packed cells. Until the bytes are in the log, the place of a cell is FLOATING plus its offset in `bytes`, in units of 8 bytes. */
export interface PackedCells {
  readonly bytes: Uint8Array
  /** Offsets in `bytes` where floating places are stored. */
  readonly floats: Uint32Array
  readonly roots: readonly number[]
  placeOf(hash: string): number | undefined
  /** Must be run once, when the bytes are in the log at `at`; returns the roots as cells of the log. */
  land(at: number): Generator<void, readonly Cell[]>
}

/** The smallest floating place. Places in a log are always smaller: a log with this many units would be 4 TiB long. */
export const FLOATING = 2 ** 39

/** The place in the log of a packed cell whose bytes are at log offset `at`, a multiple of 8. */
export const landed = (place: number, at: number): number => (place < FLOATING ? place : place - FLOATING + at / 8)

/**
 * Replaces the floating places by places in the log, for bytes at log offset `at`, a multiple of 8. Changes and returns the bytes, so it must be called
 * once.
 */
export const landedBytes = ({ bytes, floats }: PackedCells, at: number): Buffer => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  // readUIntLE and writeUIntLE of five bytes take three times as long, and half a million places are in one turn of the event loop.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (const offset of floats) {
    const place = landed(view.getUint32(offset, true) + view.getUint8(offset + 4) * 2 ** 32, at)
    view.setUint32(offset, place >>> 0, true)
    view.setUint8(offset + 4, place / 2 ** 32)
  }
  return buffer
}
