import { Lru } from '../../../base/memory/lru.ts'
import { type Whereabouts, whereaboutsOf } from '../../../cell/absent.ts'
import { type Cell, untracked, writeData } from '../../../cell/cell.ts'
import { type CellSource, LazyCell } from '../../../cell/lazy.ts'
import { hashesOf, metaOfAbsent, plainMeta } from '../../../cell/stored-form.ts'
import type { CellLog, FetchedCells } from './cell-log.ts'
import { padded } from './log-file.ts'
import { FLOATING, landed, MAX_RECORD, PLACE_BYTES } from './packed-cells.ts'

/** Largest number of remembered places of cells with references, so that a code that returns with every transaction is not written again. */
const REMEMBERED = 8192

/** A cell of the log, or one that the log knows by its hash, with the place of its record. */
interface Placed {
  readonly cell: Cell
  readonly place: number
}

/** `source`: the log whose cells are not packed. `onLanded` is told how many cells have come into the log. */
export const createPacker = ({
  source,
  fetched,
  onLanded,
}: {
  readonly source: CellSource
  readonly fetched: Pick<FetchedCells, 'whereabouts'> | undefined
  readonly onLanded: (count: number) => void
}): CellLog['pack'] => {
  const remembered = new Lru<string, number>({ max: REMEMBERED })
  /** The same for records of absent cells. */
  const absents = new Lru<string, number>({ max: REMEMBERED })
  const isStored = (cell: Cell): cell is LazyCell => cell instanceof LazyCell && cell.source === source

  return (roots) => {
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
      return place === undefined ? undefined : { cell: source.load(place), place }
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
        onLanded(made.size)
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
  }
}
