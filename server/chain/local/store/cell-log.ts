import { Lru } from '../../../base/memory/lru.ts'
import { type Cell, untracked, writeData } from '../../../cell/cell.ts'
import { type CellSource, LazyCell } from '../../../cell/lazy.ts'
import { dataBytesOf, hashBytesOf, hashesOf, plainMeta, refCountOf } from '../../../cell/stored-form.ts'
import { HEADER_BYTES, padded } from './log-file.ts'

/*
 * Cells of states in the log. Each cell is written once, with the block that makes it. A new state is a few new cells that refer to old ones by
 * place. So a step costs only what it changes, and every past state can be read from the place of its root.
 *
 *   meta:uint32 place(uint40, in units of 8 bytes) for each reference, hashes, data, padding to a multiple of 8
 */

const PLACE_BYTES = 5
/** Bytes of the longest cell record: four references, four hashes with depths, 128 bytes of data. */
const MAX_RECORD = 4 + 4 * PLACE_BYTES + 4 * 34 + 128
/** Largest number of remembered places of cells with references, so that a code that returns with every transaction is not written again. */
const REMEMBERED = 8192

/** Cells packed for the log, and their roots as cells of the log. */
export interface PackedCells {
  readonly bytes: Buffer
  readonly roots: readonly LazyCell[]
  /** To be called after the bytes are in the log. */
  commit(): void
}

export interface CellLog {
  /** A new object for the cell at a place. Throws if there is no cell. */
  load(place: number): LazyCell
  /**
   * Packs the cells of `roots` that are not in the log yet. `at` is the offset where the bytes will begin, a multiple of 8. `before` is a similar
   * root in the log; equal cells of it are reused. (An account that returns from the TVM may consist of new cells only, its code included.)
   */
  pack(roots: readonly { readonly root: Cell; readonly before: Cell | undefined }[], at: number): PackedCells
  /** Number of cells loaded or packed so far. It bounds what states in use may hold in memory. */
  touched(): number
}

export const createCellLog = (readInto: (target: Buffer, at: number) => number): CellLog => {
  const scratch = Buffer.alloc(MAX_RECORD)
  const remembered = new Lru<string, number>({ max: REMEMBERED })
  let touched = 0

  const load = (place: number): LazyCell => {
    const got = readInto(scratch, place * 8)
    const meta = scratch.readUInt32LE(0)
    const count = refCountOf(meta)
    const hashesAt = 4 + PLACE_BYTES * count
    const dataAt = hashesAt + hashBytesOf(meta)
    const end = dataAt + dataBytesOf(meta)
    if (place * 8 < HEADER_BYTES || count > 4 || got < end) throw new Error(`the chain's log holds no cell at ${place * 8}`)
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
      const made = new Map<string, LazyCell>()
      const write = (cell: Cell, children: readonly LazyCell[]): LazyCell => {
        if (bytes.length < size + MAX_RECORD) bytes = Buffer.concat([bytes], bytes.length * 2)
        const place = (at + size) / 8
        const places = children.map((child) => child.at)
        const hashes = hashesOf(cell)
        const meta = plainMeta(cell.meta)
        let end = bytes.writeUInt32LE(meta, size)
        for (const child of places) end = bytes.writeUIntLE(child, end, PLACE_BYTES)
        end += bytes.write(hashes, end, 'latin1')
        const dataAt = end
        end += writeData(cell, bytes, end)
        size = padded(end)
        const lazy = new LazyCell(source, place, meta, bytes.toString('latin1', dataAt, end), hashes, places)
        for (const [i, child] of children.entries()) lazy.adopt(i, child)
        return lazy
      }
      const visit = (view: Cell, before: Cell | undefined): LazyCell => {
        const cell = untracked(view)
        if (isStored(cell)) return cell
        const key = cell.hashKey()
        if (before !== undefined && isStored(before) && before.hashKey() === key) return before
        const known = made.get(key)
        if (known) return known
        const place = remembered.get(key)
        const children: LazyCell[] = []
        if (place === undefined) {
          const old = before?.refCount === cell.refCount ? before : undefined
          for (let i = 0; i < cell.refCount; i++) {
            const child = untracked(cell.ref(i))
            children.push(isStored(child) ? child : visit(child, old?.ref(i)))
          }
        }
        const lazy = place === undefined ? write(cell, children) : load(place)
        made.set(key, lazy)
        return lazy
      }
      const found = roots.map(({ root, before }) => visit(root, before))
      return {
        bytes: bytes.subarray(0, size),
        roots: found,
        commit: () => {
          touched += made.size
          for (const [key, cell] of made) {
            if (cell.refCount > 0) remembered.set(key, cell.at)
          }
        },
      }
    },
  }
}
