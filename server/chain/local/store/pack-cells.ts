import { Lru } from '../../../base/memory/lru.ts'
import { type DictPath, dictPathOf } from '../../../cell/absent.ts'
import { type Cell, untracked, writeData } from '../../../cell/cell.ts'
import { type CellSource, LazyCell } from '../../../cell/lazy.ts'
import { hashesOf, metaOfAbsent, plainMeta } from '../../../cell/stored-form.ts'
import type { FetchedCells, PackedRoots } from './cell-log.ts'
import { padded } from './log-file.ts'
import { FLOATING, landed, MAX_RECORD, type PackedCells, PLACE_BYTES } from './packed-cells.ts'

/** Maximum number of cells with references whose places are cached. Because of the cache, code that reappears in many transactions is written once. */
const REMEMBERED = 8192

/** Number of cells that get their places in the log in one step. */
const LANDED_A_STEP = 4_096

/** A cell with the place of its record. The cell is a cell of the log, or an absent cell, which the log stores by hash. */
interface PlacedCell {
  readonly cell: Cell
  readonly place: number
}

/** A cell whose references are still being packed. */
interface Open {
  readonly cell: Cell
  /** A similar cell in the log with the same number of references. */
  readonly before: Cell | undefined
  readonly children: PlacedCell[]
}

const opened = (cell: Cell, before: Cell | undefined): Open => {
  const isSimilar = before !== undefined && before.refCount === cell.refCount && dictPathOf(before) === undefined
  return { cell, before: isSimilar ? before : undefined, children: [] }
}

/**
 * Packs the cells of `roots` that are not in the log yet. Each root comes with a similar root in the log (`before`), whose equal cells are reused. (The
 * TVM may return an account with new Cell objects only, even for its code.) Yields after each cell.
 */
export type PackSteps = (roots: PackedRoots) => Generator<void, PackedCells>

/** `source`: the log whose own cells are not packed again. `onLanded` gets the number of packed cells once they are in the log. */
export const createPacker = ({
  source,
  fetched,
  onLanded,
}: {
  readonly source: CellSource
  readonly fetched: Pick<FetchedCells, 'dictPath'> | undefined
  readonly onLanded: (count: number) => void
}): PackSteps => {
  const remembered = new Lru<string, number>({ max: REMEMBERED })
  const absents = new Lru<string, number>({ max: REMEMBERED })
  const isStored = (cell: Cell): cell is LazyCell => cell instanceof LazyCell && cell.source === source

  return function* (roots) {
    let bytes = Buffer.alloc(1 << 14)
    let size = 0
    const floats: number[] = []
    const made = new Map<string, PlacedCell>()
    const room = (): void => {
      if (bytes.length < size + MAX_RECORD) bytes = Buffer.concat([bytes], bytes.length * 2)
    }
    const write = (cell: Cell, children: readonly PlacedCell[]): PlacedCell => {
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
    const writeAbsent = (cell: Cell, where: DictPath): PlacedCell => {
      room()
      const place = FLOATING + size / 8
      let end = bytes.writeUInt32LE(metaOfAbsent(cell), size)
      end += bytes.write(cell.hashKey(), end, 'latin1')
      end = bytes.writeUInt8(where.tree, end)
      size = padded(end + bytes.write(where.key, end, 'latin1'))
      return { cell, place }
    }
    /** The record of an absent or fetched cell, which is stored by hash; undefined for other cells. */
    const absent = (cell: Cell, key: string): PlacedCell | undefined => {
      const where = dictPathOf(cell) ?? fetched?.dictPath(key)
      if (where === undefined) return undefined
      const place = absents.get(key)
      return place === undefined ? writeAbsent(cell, where) : { cell, place }
    }
    const again = (key: string): PlacedCell | undefined => {
      const place = remembered.get(key)
      return place === undefined ? undefined : { cell: source.load(place), place }
    }
    /** The place of a cell whose references need not be packed; undefined for a cell that must be written after its references. */
    const placed = (cell: Cell, before: Cell | undefined): PlacedCell | undefined => {
      const key = cell.hashKey()
      if (before !== undefined && isStored(before) && before.hashKey() === key) return { cell: before, place: before.at }
      const packed = made.get(key)
      // An absent cell may have the same hash as a present cell. A present cell must not be replaced by an absent cell.
      if (packed && (dictPathOf(packed.cell) === undefined || dictPathOf(cell) !== undefined)) return packed
      const found = again(key) ?? absent(cell, key)
      if (found !== undefined) made.set(key, found)
      return found
    }
    function* visit(root: Cell, before: Cell | undefined): Generator<void, PlacedCell> {
      // Result list of a virtual parent whose only reference is the root.
      const top: PlacedCell[] = []
      const path: Open[] = []
      const enter = (view: Cell, old: () => Cell | undefined, into: PlacedCell[]): void => {
        const cell = untracked(view)
        if (isStored(cell)) return void into.push({ cell, place: cell.at })
        const similar = old()
        const found = placed(cell, similar)
        if (found === undefined) path.push(opened(cell, similar))
        else into.push(found)
      }
      enter(root, () => before, top)
      for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
        const { cell, before: old, children } = last
        const i = children.length
        if (i < cell.refCount) {
          enter(cell.ref(i), () => old?.ref(i), children)
          continue
        }
        path.pop()
        const own = write(cell, children)
        made.set(cell.hashKey(), own)
        ;(path.at(-1)?.children ?? top).push(own)
        yield
      }
      return top[0]!
    }
    const found: PlacedCell[] = []
    for (const { root, before } of roots) found.push(yield* visit(root, before))
    return {
      bytes: bytes.subarray(0, size),
      floats: Uint32Array.from(floats),
      roots: found.map(({ place }) => place),
      placeOf: (hash) => made.get(hash)?.place,
      *land(at) {
        onLanded(made.size)
        const parents: string[] = []
        let count = 0
        for (const [key, { cell, place }] of made) {
          if (++count % LANDED_A_STEP === 0) yield
          if (!isStored(cell)) {
            absents.set(key, landed(place, at))
            continue
          }
          cell.move(FLOATING, at / 8 - FLOATING)
          if (cell.refCount > 0) parents.push(key)
        }
        // Of more cells, the cache would keep only the last ones too.
        for (const key of parents.slice(-REMEMBERED)) remembered.set(key, landed(made.get(key)!.place, at))
        return found.map(({ cell }) => cell)
      },
    }
  }
}
