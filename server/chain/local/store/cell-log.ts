import { absentCell, type DictPath } from '../../../cell/absent.ts'
import type { Cell } from '../../../cell/cell.ts'
import { type CellSource, LazyCell } from '../../../cell/lazy.ts'
import { dataBytesOf, depthInMeta, hashBytesOf, isAbsent, refCountOf } from '../../../cell/stored-form.ts'
import { HEADER_BYTES } from './log-file.ts'
import { createPacker } from './pack-cells.ts'
import { ABSENT_BYTES, MAX_RECORD, PLACE_BYTES } from './packed-cells.ts'

/*
 * Cells of states in the log. Each cell is written once, with the block that makes it. A new state is a few new cells that refer to old cells by place: the
 * offset of a cell's record, in units of 8 bytes. So the log grows by the changed cells only, and every past state can be read from the place of its root.
 *
 *   meta:uint32 place:uint40 for each reference, hashes, data, padding to a multiple of 8
 *
 * An absent cell (cell/absent.ts) has a record too, with another type in its meta:
 *
 *   meta:uint32 hash:bits256 tree:uint8 key:bits256 padding
 */

/** Cells that a chain fetched from another network. The chain's log stores only their hashes. */
export interface FetchedCells {
  find(hash: string): Cell | undefined
  /** Path of a fetched cell in its dictionary; undefined for other hashes. */
  dictPath(hash: string): DictPath | undefined
  /** Number of fetched cells that were loaded or packed so far. */
  touched(): number
}

export type PackedRoots = readonly { readonly root: Cell; readonly before: Cell | undefined }[]

/** Bytes per read of the file. One read usually gets many cells of a tree, because child cells are stored directly before their parent. */
const WINDOW = 8192

export const createCellLog = (readInto: (target: Buffer, at: number) => number, fetched?: Pick<FetchedCells, 'find' | 'dictPath'>) => {
  const window = Buffer.alloc(WINDOW)
  let [from, to] = [0, 0]
  let touched = 0

  /** Reads the window so that it ends with the record at `at`. The window must not be used after a yield, because other code may change the file. */
  const moveTo = (at: number): void => {
    if (to === 0) {
      queueMicrotask(() => {
        to = 0
      })
    }
    from = Math.max(0, at + MAX_RECORD - WINDOW)
    to = from + readInto(window, from)
  }

  /** A new Cell object for the record at a place; an absent cell if the cell was not fetched. Throws if there is no record. */
  const load = (place: number): Cell => {
    const at = place * 8
    if (at < from || at + MAX_RECORD > to) moveTo(at)
    const end = to - from
    const start = at - from
    const outside = (): Error => new Error(`the chain's log holds no cell at ${at}`)
    if (at < HEADER_BYTES || start + 4 > end) throw outside()
    const meta = window.readUInt32LE(start)
    if (isAbsent(meta)) {
      if (start + ABSENT_BYTES > end) throw outside()
      const hash = window.toString('latin1', start + 4, start + 36)
      const where = { tree: window.readUInt8(start + 36), key: window.toString('latin1', start + 37, start + ABSENT_BYTES) }
      return fetched?.find(hash) ?? absentCell(hash, depthInMeta(meta), where)
    }
    const count = refCountOf(meta)
    const hashesAt = start + 4 + PLACE_BYTES * count
    const dataAt = hashesAt + hashBytesOf(meta)
    const dataEnd = dataAt + dataBytesOf(meta)
    if (count > 4 || dataEnd > end) throw outside()
    const places: number[] = []
    for (let i = 0; i < count; i++) places.push(window.readUIntLE(start + 4 + PLACE_BYTES * i, PLACE_BYTES))
    touched++
    return new LazyCell(
      source,
      place,
      meta,
      window.toString('latin1', dataAt, dataEnd),
      window.toString('latin1', hashesAt, dataAt),
      places,
    )
  }
  const source: CellSource = { load }
  const packSteps = createPacker({
    source,
    fetched,
    onLanded: (count) => {
      touched += count
    },
  })
  return {
    load,
    /** Number of cells loaded or packed so far, a measure of the memory that states take. */
    touched: (): number => touched,
    packSteps,
  }
}
export type CellLog = ReturnType<typeof createCellLog>
