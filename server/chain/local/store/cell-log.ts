import { Lru } from '../../../base/memory/lru.ts'
import { absentCell, type Whereabouts, whereaboutsOf } from '../../../cell/absent.ts'
import { type Cell, untracked, writeData } from '../../../cell/cell.ts'
import { type CellSource, LazyCell } from '../../../cell/lazy.ts'
import {
  dataBytesOf,
  depthInMeta,
  hashBytesOf,
  hashesOf,
  isAbsent,
  metaOfAbsent,
  plainMeta,
  refCountOf,
} from '../../../cell/stored-form.ts'
import { HEADER_BYTES, padded } from './log-file.ts'

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

const PLACE_BYTES = 5
/** Bytes of the longest cell record: four references, four hashes with depths, 128 bytes of data. */
const MAX_RECORD = 4 + 4 * PLACE_BYTES + 4 * 34 + 128
/** Largest number of remembered places of cells with references, so that a code that returns with every transaction is not written again. */
const REMEMBERED = 8192

/** Bytes of the record of an absent cell. */
const ABSENT_BYTES = 4 + 32 + 1 + 32

/** Cells that a chain took from another network. The log keeps their hashes alone. */
export interface FetchedCells {
  /** The cell with this hash; undefined if it was not fetched. */
  find(hash: string): Cell | undefined
  /** Where a fetched cell stands; undefined for other hashes. */
  whereabouts(hash: string): Whereabouts | undefined
  /** Number of their cells loaded or packed so far. */
  touched(): number
}

/** Cells packed for the log, and their roots as cells of the log. */
export interface PackedCells {
  readonly bytes: Buffer
  readonly roots: readonly LazyCell[]
  /** Place of a cell that was packed, by its hash. */
  placeOf(hash: string): number | undefined
  /** To be called after the bytes are in the log. */
  commit(): void
}

export interface CellLog {
  /** A new object for the cell at a place; an absent cell if it was not fetched. Throws if there is no cell. */
  load(place: number): Cell
  /**
   * Packs the cells of `roots` that are not in the log yet. `at` is the offset where the bytes will begin, a multiple of 8. `before` is a similar
   * root in the log; equal cells of it are reused. (An account that returns from the TVM may consist of new cells only, its code included.)
   */
  pack(roots: readonly { readonly root: Cell; readonly before: Cell | undefined }[], at: number): PackedCells
  /** Number of cells loaded or packed so far. It bounds what states in use may hold in memory. */
  touched(): number
}

/** A cell of the log, or one that the log knows by its hash, with the place of its record. */
interface Placed {
  readonly cell: Cell
  readonly place: number
}

export const createCellLog = (
  readInto: (target: Buffer, at: number) => number,
  fetched?: Pick<FetchedCells, 'find' | 'whereabouts'>,
): CellLog => {
  const scratch = Buffer.alloc(MAX_RECORD)
  const remembered = new Lru<string, number>({ max: REMEMBERED })
  /** The same for records of absent cells. */
  const absents = new Lru<string, number>({ max: REMEMBERED })
  let touched = 0

  const load = (place: number): Cell => {
    const got = readInto(scratch, place * 8)
    const meta = scratch.readUInt32LE(0)
    const outside = (): Error => new Error(`the chain's log holds no cell at ${place * 8}`)
    if (isAbsent(meta)) {
      if (got < ABSENT_BYTES) throw outside()
      const hash = scratch.toString('latin1', 4, 36)
      const at = { tree: scratch.readUInt8(36), key: scratch.toString('latin1', 37, ABSENT_BYTES) }
      return fetched?.find(hash) ?? absentCell(hash, depthInMeta(meta), at)
    }
    const count = refCountOf(meta)
    const hashesAt = 4 + PLACE_BYTES * count
    const dataAt = hashesAt + hashBytesOf(meta)
    const end = dataAt + dataBytesOf(meta)
    if (place * 8 < HEADER_BYTES || count > 4 || got < end) throw outside()
    const places: number[] = []
    for (let i = 0; i < count; i++) places.push(scratch.readUIntLE(4 + PLACE_BYTES * i, PLACE_BYTES))
    touched++
    return new LazyCell(source, place, meta, scratch.toString('latin1', dataAt, end), scratch.toString('latin1', hashesAt, dataAt), places)
  }
  const source: CellSource = { load }
  const isStored = (cell: Cell): cell is LazyCell => cell instanceof LazyCell && cell.source === source

  return {
    load,
    touched: () => touched,
    pack: (roots, at) => {
      let bytes = Buffer.alloc(1 << 14)
      let size = 0
      const made = new Map<string, Placed>()
      const room = (): void => {
        if (bytes.length < size + MAX_RECORD) bytes = Buffer.concat([bytes], bytes.length * 2)
      }
      const write = (cell: Cell, children: readonly Placed[]): Placed => {
        room()
        const place = (at + size) / 8
        const places = children.map((child) => child.place)
        const hashes = hashesOf(cell)
        const meta = plainMeta(cell.meta)
        let end = bytes.writeUInt32LE(meta, size)
        for (const child of places) end = bytes.writeUIntLE(child, end, PLACE_BYTES)
        end += bytes.write(hashes, end, 'latin1')
        const dataAt = end
        end += writeData(cell, bytes, end)
        size = padded(end)
        const lazy = new LazyCell(source, place, meta, bytes.toString('latin1', dataAt, end), hashes, places)
        for (const [i, child] of children.entries()) lazy.adopt(i, child.cell)
        return { cell: lazy, place }
      }
      const writeAbsent = (cell: Cell, where: Whereabouts): Placed => {
        room()
        const place = (at + size) / 8
        let end = bytes.writeUInt32LE(metaOfAbsent(cell), size)
        end += bytes.write(cell.hashKey(), end, 'latin1')
        end = bytes.writeUInt8(where.tree, end)
        size = padded(end + bytes.write(where.key, end, 'latin1'))
        return { cell, place }
      }
      const visit = (view: Cell, before: Cell | undefined): Placed => {
        const cell = untracked(view)
        if (isStored(cell)) return { cell, place: cell.at }
        const key = cell.hashKey()
        if (before !== undefined && isStored(before) && before.hashKey() === key) return { cell: before, place: before.at }
        const known = made.get(key)
        // An absent cell may have the hash of one that is present elsewhere.
        if (known && (whereaboutsOf(known.cell) === undefined || whereaboutsOf(cell) !== undefined)) return known
        const placed = again(key) ?? absent(cell, key) ?? write(cell, below(cell, before))
        made.set(key, placed)
        return placed
      }
      /** The record of a cell that is known by its hash; undefined for other cells. */
      const absent = (cell: Cell, key: string): Placed | undefined => {
        const where = whereaboutsOf(cell) ?? fetched?.whereabouts(key)
        if (where === undefined) return undefined
        const place = absents.get(key)
        return place === undefined ? writeAbsent(cell, where) : { cell, place }
      }
      /** A cell that was written by an earlier call. */
      const again = (key: string): Placed | undefined => {
        const place = remembered.get(key)
        return place === undefined ? undefined : { cell: load(place), place }
      }
      const below = (cell: Cell, before: Cell | undefined): readonly Placed[] => {
        const old = before !== undefined && before.refCount === cell.refCount && whereaboutsOf(before) === undefined ? before : undefined
        const children: Placed[] = []
        for (let i = 0; i < cell.refCount; i++) {
          const child = untracked(cell.ref(i))
          children.push(isStored(child) ? { cell: child, place: child.at } : visit(child, old?.ref(i)))
        }
        return children
      }
      const found = roots.map(({ root, before }) => visit(root, before).cell as LazyCell)
      return {
        bytes: bytes.subarray(0, size),
        roots: found,
        placeOf: (hash) => made.get(hash)?.place,
        commit: () => {
          touched += made.size
          for (const [key, { cell, place }] of made) {
            if (isStored(cell)) {
              if (cell.refCount > 0) remembered.set(key, place)
            } else absents.set(key, place)
          }
        },
      }
    },
  }
}
