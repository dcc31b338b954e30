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

/**
 * Cells packed for the log, before it is known where they will stand. The place of such a cell is FLOATING more than its place in `bytes`. Other threads can
 * be given this.
 */
export interface PackedCells {
  readonly bytes: Uint8Array
  /** Offsets in `bytes` of the floating places. */
  readonly floats: Uint32Array
  /** Places of the roots. */
  readonly roots: readonly number[]
}

/** Cells that were packed here. */
export interface OwnPackedCells extends PackedCells {
  /** Place of a cell that was packed, by its hash. */
  placeOf(hash: string): number | undefined
  /** To be called once, when the bytes are in the log at `at`; returns the roots as cells of the log. */
  land(at: number): readonly Cell[]
}

/** The first floating place. A log never has so many cells: it would be 4 TiB long. */
const FLOATING = 2 ** 39

/** The place of a packed cell when its bytes are at `at`, a multiple of 8. */
export const landed = (place: number, at: number): number => (place < FLOATING ? place : place - FLOATING + at / 8)

/** Writes the places that the cells have when their bytes are at `at`, a multiple of 8; returns the bytes. To be called once. */
export const landedBytes = ({ bytes, floats }: PackedCells, at: number): Buffer => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (const offset of floats) buffer.writeUIntLE(landed(buffer.readUIntLE(offset, PLACE_BYTES), at), offset, PLACE_BYTES)
  return buffer
}

/** Place of a cell of a log. Throws if it is none. */
export const placeInLog = (cell: Cell): number => {
  if (!(cell instanceof LazyCell)) throw new Error('the cell is not in a log')
  return cell.at
}

export interface CellLog {
  /** A new object for the cell at a place; an absent cell if it was not fetched. Throws if there is no cell. */
  load(place: number): Cell
  /** The cell at a place, with what is loaded of `before`, a similar tree of this log. */
  follow(place: number, before: Cell): Cell
  /**
   * Packs the cells of `roots` that are not in the log yet. `before` is a similar root in the log; equal cells of it are reused. (An account that
   * returns from the TVM may consist of new cells only, its code included.)
   */
  pack(roots: readonly { readonly root: Cell; readonly before: Cell | undefined }[]): OwnPackedCells
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

  /** Cells that changed are loaded along the paths that are loaded in `before`; those that did not change are taken from there. */
  const follow = (place: number, before: Cell): Cell => {
    const cell = load(place)
    if (!isStored(cell) || !isStored(before)) return cell
    for (let i = Math.min(cell.refCount, before.refCount) - 1; i >= 0; i--) {
      const old = before.loaded(i)
      if (old === undefined || !isStored(old)) continue
      const child = cell.placeOf(i)
      cell.adopt(i, old.at === child ? old : follow(child, old))
    }
    return cell
  }

  return {
    load,
    follow,
    touched: () => touched,
    pack: (roots) => {
      let bytes = Buffer.alloc(1 << 14)
      let size = 0
      const floats: number[] = []
      const made = new Map<string, Placed>()
      const room = (): void => {
        if (bytes.length < size + MAX_RECORD) bytes = Buffer.concat([bytes], bytes.length * 2)
      }
      const write = (cell: Cell, children: readonly Placed[]): Placed => {
        room()
        const place = FLOATING + size / 8
        const places = children.map((child) => child.place)
        const hashes = hashesOf(cell)
        const meta = plainMeta(cell.meta)
        let end = bytes.writeUInt32LE(meta, size)
        for (const child of places) {
          if (child >= FLOATING) floats.push(end)
          end = bytes.writeUIntLE(child, end, PLACE_BYTES)
        }
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
        const place = FLOATING + size / 8
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
      const found = roots.map(({ root, before }) => visit(root, before))
      return {
        bytes: bytes.subarray(0, size),
        floats: Uint32Array.from(floats),
        roots: found.map(({ place }) => place),
        placeOf: (hash) => made.get(hash)?.place,
        land: (at) => {
          const by = at / 8 - FLOATING
          touched += made.size
          for (const [key, { cell, place }] of made) {
            const lies = landed(place, at)
            if (!isStored(cell)) {
              absents.set(key, lies)
              continue
            }
            cell.move(FLOATING, by)
            if (cell.refCount > 0) remembered.set(key, lies)
          }
          return found.map(({ cell }) => cell)
        },
      }
    },
  }
}
