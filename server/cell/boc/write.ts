import { type Cell, untracked, writeData } from '../cell.ts'
import { CellError } from '../error.ts'
import { bitsOf, bytesOf, descriptor1, descriptor2, maskOf, POPCOUNT, refsOf, typeOf } from '../meta-word.ts'
import { CellNumbers, wordOf } from './cell-numbers.ts'
import { crc32c } from './crc32c.ts'

/** Options for writing a bag. The defaults are those of TON's tools: CRC32C and no index. */
export interface BocOptions {
  /** Appends a CRC32C; default true. */
  readonly crc32c?: boolean
  /** Writes an index of cell ends; default false. */
  readonly index?: boolean
  /** Marks cells in the index that are referenced more than once; needs `index`. Default false. */
  readonly cacheBits?: boolean
  /** Stores hashes in the top cell of each group of up to 64 cells, as in TON's block files; default false. */
  readonly hashes?: boolean
  /** Maximum number of distinct cells; default no limit. */
  readonly maxCells?: number | undefined
}

/** Maximum weight of a group of cells in TON's writer. */
const MAX_WEIGHT = 64

/** The distinct cells of a bag, numbered in the order in which TON's writer finds them (children first). */
interface Found {
  readonly cells: Cell[]
  /** Numbers of each cell's references, four entries per cell; -1 for no reference. */
  readonly refs: number[]
  /** Number of cells in the subtree, at most 255. After `group` has run, 0 marks the top cell of a group. */
  readonly weight: number[]
  readonly shared: boolean[]
}

const find = (roots: readonly Cell[], most: number): { found: Found; rootIds: number[] } => {
  const found: Found = { cells: [], refs: [], weight: [], shared: [] }
  const { cells, refs, weight, shared } = found
  const numbers = new CellNumbers(cells)
  const visit = (cell: Cell): number => {
    const word = wordOf(cell)
    const numbered = numbers.find(word, cell)
    if (numbered !== undefined) {
      shared[numbered] = true
      return numbered
    }
    const count = refsOf(cell.meta)
    const r0 = count > 0 ? visit(untracked(cell.ref(0))) : -1
    const r1 = count > 1 ? visit(untracked(cell.ref(1))) : -1
    const r2 = count > 2 ? visit(untracked(cell.ref(2))) : -1
    const r3 = count > 3 ? visit(untracked(cell.ref(3))) : -1
    let sum = 1
    if (count > 0) sum += weight[r0]!
    if (count > 1) sum += weight[r1]!
    if (count > 2) sum += weight[r2]!
    if (count > 3) sum += weight[r3]!
    const id = cells.length
    if (id === most) throw new CellError('budget', `more than ${most} cells to write`)
    numbers.add(word, cell)
    refs.push(r0, r1, r2, r3)
    weight.push(Math.min(255, sum))
    shared.push(false)
    return id
  }
  return { found, rootIds: roots.map((root) => visit(untracked(root))) }
}

/** Splits the bag into groups of limited weight, as BagOfCells::reorder_cells does. The order of cells in the file depends on the groups. */
const group = ({ cells, refs, weight }: Found): void => {
  for (let id = cells.length - 1; id >= 0; id--) {
    const count = refsOf(cells[id]!.meta)
    let left = count
    let sum = MAX_WEIGHT - 1
    const heavy: number[] = []
    for (let j = 0; j < count; j++) {
      const child = refs[id * 4 + j]!
      if (weight[child]! <= Math.trunc((MAX_WEIGHT - 1 + j) / count)) {
        sum -= weight[child]!
        left--
      } else heavy.push(child)
    }
    for (const child of heavy) {
      const limit = Math.trunc(sum++ / left)
      if (weight[child]! > limit) weight[child] = limit
    }
  }
  for (let id = 0; id < cells.length; id++) {
    let sum = 1
    for (let j = refsOf(cells[id]!.meta) - 1; j >= 0; j--) sum += weight[refs[id * 4 + j]!]!
    weight[id] = sum <= weight[id]! ? sum : 0
  }
}

/** Row of each cell in the file, as BagOfCells::revisit assigns it. */
const place = ({ cells, refs, weight }: Found, rootIds: readonly number[]): Int32Array => {
  // -1: not visited. -2: the groups below the cell have their rows. -3: its children have their rows. From 0 on: the number of the cell, counted from the end.
  const places = new Int32Array(cells.length).fill(-1)
  let next = 0
  const scout = (id: number): void => {
    if (places[id] !== -1) return
    for (let j = refsOf(cells[id]!.meta) - 1; j >= 0; j--) {
      const child = refs[id * 4 + j]!
      if (weight[child] === 0) lay(child)
      else scout(child)
    }
    places[id] = -2
  }
  const lay = (id: number): void => {
    if (places[id]! >= 0 || places[id] === -3) return
    if (weight[id] === 0) scout(id)
    const count = refsOf(cells[id]!.meta)
    for (let j = count - 1; j >= 0; j--) lay(refs[id * 4 + j]!)
    for (let j = count - 1; j >= 0; j--) assign(refs[id * 4 + j]!)
    places[id] = -3
  }
  const assign = (id: number): void => {
    if (places[id]! < 0) places[id] = next++
  }
  for (const id of rootIds) {
    scout(id)
    lay(id)
  }
  for (const id of rootIds) assign(id)
  return places.map((fromEnd) => cells.length - 1 - fromEnd)
}

const bytesFor = (value: number): number => {
  let bytes = 1
  while (value >= 2 ** (8 * bytes)) bytes++
  return bytes
}

const writeUint = (target: Buffer, at: number, value: number, size: number): number => {
  let rest = value
  for (let i = size - 1; i >= 0; i--) {
    target[at + i] = rest % 256
    rest = Math.floor(rest / 256)
  }
  return at + size
}

const writeHashes = (target: Buffer, from: number, cell: Cell): number => {
  const mask = maskOf(cell.meta)
  const levels = [0, 1, 2].filter((level) => mask & (1 << level))
  let at = from
  for (const level of [...levels, 3]) at += target.write(cell.hashKey(level), at, 32, 'latin1')
  for (const level of [...levels, 3]) at = target.writeUInt16BE(cell.depth(level), at)
  return at
}

const MAGIC = 0xb5ee9c72

/** Serializes a bag of one cell. It is a fast path, because most message bodies have only one cell. */
const serializeOne = (cell: Cell, crc: boolean): Uint8Array => {
  const { meta } = cell
  const dataSize = 2 + bytesOf(meta)
  const end = 11 + dataSize
  const out = Buffer.allocUnsafeSlow(end + (crc ? 4 : 0))
  out.writeUInt32BE(MAGIC, 0)
  // Each number takes one byte: 1 cell, 1 root, 0 absent cells, the size of the data, the row of the root.
  out[4] = (crc ? 64 : 0) | 1
  out[5] = out[6] = out[7] = 1
  out[8] = out[10] = 0
  out[9] = dataSize
  out[11] = descriptor1(0, typeOf(meta), maskOf(meta))
  out[12] = descriptor2(bitsOf(meta))
  writeData(cell, out, 13)
  if (crc) out.writeUInt32LE(crc32c(out, 0, end), end)
  return new Uint8Array(out.buffer)
}

/**
 * Serializes roots as a bag of cells. Each distinct cell is written once, in the order of TON's own writer.
 * Throws CellError `boc` if there are no roots, `budget` above `maxCells`.
 */
export const serializeBoc = (roots: Cell | readonly Cell[], options: BocOptions = {}): Uint8Array => {
  const list = Array.isArray(roots) ? (roots as readonly Cell[]) : [roots as Cell]
  if (list.length === 0) throw new CellError('boc', 'a bag of cells without roots')
  const crc = options.crc32c ?? true
  const first = untracked(list[0]!)
  if (list.length === 1 && refsOf(first.meta) === 0 && !options.hashes && !options.index) return serializeOne(first, crc)
  const { found, rootIds } = find(list, options.maxCells ?? Number.POSITIVE_INFINITY)
  const { cells, refs, weight, shared } = found
  group(found)
  const places = place(found, rootIds)
  const count = cells.length
  const order = new Int32Array(count)
  for (let id = 0; id < count; id++) order[places[id]!] = id

  const refSize = bytesFor(count)
  const hashed = (id: number): boolean => options.hashes === true && weight[id] === 0
  let dataSize = 0
  for (let id = 0; id < count; id++) {
    const { meta } = cells[id]!
    dataSize += 2 + bytesOf(meta) + refsOf(meta) * refSize + (hashed(id) ? 34 * (POPCOUNT[maskOf(meta)]! + 1) : 0)
  }
  const offsetSize = bytesFor(options.cacheBits ? dataSize * 2 : dataSize)
  const indexAt = 6 + 3 * refSize + offsetSize + list.length * refSize
  const dataAt = indexAt + (options.index ? count * offsetSize : 0)
  const out = Buffer.allocUnsafeSlow(dataAt + dataSize + (crc ? 4 : 0))
  out.writeUInt32BE(MAGIC, 0)
  out[4] = (options.index ? 128 : 0) | (crc ? 64 : 0) | (options.cacheBits ? 32 : 0) | refSize
  out[5] = offsetSize
  let at = writeUint(out, 6, count, refSize)
  at = writeUint(out, at, list.length, refSize)
  at = writeUint(out, at, 0, refSize)
  at = writeUint(out, at, dataSize, offsetSize)
  for (const id of rootIds) at = writeUint(out, at, places[id]!, refSize)
  at = dataAt
  for (let row = 0; row < count; row++) {
    const id = order[row]!
    const cell = cells[id]!
    const { meta } = cell
    out[at++] = descriptor1(refsOf(meta), typeOf(meta), maskOf(meta)) | (hashed(id) ? 16 : 0)
    out[at++] = descriptor2(bitsOf(meta))
    if (hashed(id)) at = writeHashes(out, at, cell)
    at += writeData(cell, out, at)
    for (let j = 0; j < refsOf(meta); j++) at = writeUint(out, at, places[refs[id * 4 + j]!]!, refSize)
    if (options.index) {
      const end = at - dataAt
      writeUint(out, indexAt + row * offsetSize, options.cacheBits ? end * 2 + (shared[id] ? 1 : 0) : end, offsetSize)
    }
  }
  if (crc) out.writeUInt32LE(crc32c(out, 0, at), at)
  return new Uint8Array(out.buffer)
}
