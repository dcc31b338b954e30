import { absentCell, type DictPath } from '../../../cell/absent.ts'
import type { Cell } from '../../../cell/cell.ts'
import { type CellSource, LazyCell } from '../../../cell/lazy.ts'
import { dataBytesOf, depthInMeta, hashBytesOf, isAbsent, refCountOf } from '../../../cell/stored-form.ts'
import { HEADER_BYTES } from './log-file.ts'
import { createPacker } from './pack-cells.ts'
import { ABSENT_BYTES, MAX_RECORD, type OwnPackedCells, PLACE_BYTES } from './packed-cells.ts'

/*
 * Cells of states in the log. Each cell is written once, with the block that makes it. A new state is a few new cells that refer to old ones by
 * place. So a step costs only what it changes, and every past state can be read from the place of its root.
 *
 *   meta:uint32 place(uint40, in units of 8 bytes) for each reference, hashes, data, padding to a multiple of 8
 *
 * An absent cell (cell/absent.ts) has a record too. Its meta has a type of its own:
 *
 *   meta:uint32 hash:bits256 tree:uint8 key:bits256 padding
 */

/** Cells that a chain took from another network. The log keeps their hashes alone. */
export interface FetchedCells {
  /** The cell with this hash; undefined if it was not fetched. */
  find(hash: string): Cell | undefined
  /** Where a fetched cell stands; undefined for other hashes. */
  dictPath(hash: string): DictPath | undefined
  /** Number of their cells loaded or packed so far. */
  touched(): number
}

type PackedRoots = readonly { readonly root: Cell; readonly before: Cell | undefined }[]

export interface CellLog {
  /** A new object for the cell at a place; an absent cell if it was not fetched. Throws if there is no cell. */
  load(place: number): Cell
  /** The cell at a place, with what is loaded of `before`, a similar tree of this log. */
  follow(place: number, before: Cell): Cell
  /**
   * Packs the cells of `roots` that are not in the log yet. `before` is a similar root in the log; equal cells of it are reused. (An account that
   * returns from the TVM may consist of new cells only, its code included.)
   */
  pack(roots: PackedRoots): OwnPackedCells
  /** The same, one cell at a step. */
  packSteps(roots: PackedRoots): Generator<void, OwnPackedCells>
  /** Number of cells loaded or packed so far. It bounds what states in use may hold in memory. */
  touched(): number
}

/** Place of a cell of a log. Throws if it is none. */
export const placeInLog = (cell: Cell): number => {
  if (!(cell instanceof LazyCell)) throw new Error('the cell is not in a log')
  return cell.at
}

/** Bytes that are read at once: cells that belong together stand side by side, those below a cell before it. */
const WINDOW = 8192

export const createCellLog = (
  readInto: (target: Buffer, at: number) => number,
  fetched?: Pick<FetchedCells, 'find' | 'dictPath'>,
): CellLog => {
  const window = Buffer.alloc(WINDOW)
  /** What is in the window, as offsets in the file. */
  let [from, to] = [0, 0]
  let touched = 0

  /** Moves the window to the bytes that end with the record at an offset. It is valid until other code runs, which may change the file. */
  const moveTo = (at: number): void => {
    if (to === 0) {
      queueMicrotask(() => {
        to = 0
      })
    }
    from = Math.max(0, at + MAX_RECORD - WINDOW)
    to = from + readInto(window, from)
  }

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
  const isStored = (cell: Cell): cell is LazyCell => cell instanceof LazyCell && cell.source === source

  /** Cells that changed are loaded along the paths that are loaded in `before`; those that did not change are taken from there. Each place is followed once, because cells are shared. */
  const follow = (place: number, before: Cell, followed = new Map<number, Cell>()): Cell => {
    const loaded = followed.get(place)
    if (loaded !== undefined) return loaded
    const cell = load(place)
    followed.set(place, cell)
    if (!isStored(cell) || !isStored(before)) return cell
    for (let i = Math.min(cell.refCount, before.refCount) - 1; i >= 0; i--) {
      const old = before.loaded(i)
      if (old === undefined) continue
      const child = cell.placeOf(i)
      // Also a cell that was fetched: it is found by the hash in the record at its place.
      if (before.placeOf(i) === child) cell.adopt(i, old)
      else if (isStored(old)) cell.adopt(i, follow(child, old, followed))
    }
    return cell
  }

  const packSteps = createPacker({
    source,
    fetched,
    onLanded: (count) => {
      touched += count
    },
  })
  return {
    load,
    follow,
    touched: () => touched,
    pack: (roots) => {
      const steps = packSteps(roots)
      for (;;) {
        const step = steps.next()
        if (step.done) return step.value
      }
    },
    packSteps,
  }
}
