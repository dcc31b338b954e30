import { endSteps } from '../../base/yield.ts'
import { type Cell, untracked, writeData } from '../cell.ts'
import { CellError } from '../error.ts'
import { bitsOf, bytesOf, descriptor1, descriptor2, maskOf, POPCOUNT, refsOf, typeOf } from '../meta-word.ts'
import { type FoundCells, findCells, limitWeights, markTops, noneFound, noPlaces, placeCells } from './cell-order.ts'
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
  /** Maximum number of bytes of the cells; default no limit. */
  readonly maxBytes?: number
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

const NONE: ReadonlySet<number> = new Set()

/** A bag whose cells have their rows. */
type Bag = Readonly<ReturnType<typeof beginBag>>

/** Cells with more than one reference, for `cacheBits`. */
const sharedIn = ({ refs, rootIds }: FoundCells): ReadonlySet<number> => {
  const [once, again] = [new Set<number>(), new Set<number>()]
  for (const id of [...refs, ...rootIds]) (once.has(id) ? again : once).add(id)
  return again
}

const hasHashes = ({ weight }: FoundCells, options: BocOptions, id: number): boolean => options.hashes === true && weight[id] === 0

/** Allocates the bytes of a bag, and writes all that stands before its cells. `places` are counted from the end. */
const beginBag = (found: FoundCells, places: Int32Array, options: BocOptions) => {
  const { cells, rootIds } = found
  const crc = options.crc32c ?? true
  const count = cells.length
  /** Row of each cell. */
  const rows = new Int32Array(count)
  /** Number of the cell in each row. */
  const order = new Int32Array(count)
  const refSize = bytesFor(count)
  let dataSize = 0
  for (let id = 0; id < count; id++) {
    const row = count - 1 - places[id]!
    rows[id] = row
    order[row] = id
    const { meta } = cells[id]!
    dataSize += 2 + bytesOf(meta) + refsOf(meta) * refSize + (hasHashes(found, options, id) ? 34 * (POPCOUNT[maskOf(meta)]! + 1) : 0)
  }
  if (dataSize > (options.maxBytes ?? dataSize)) throw new CellError('budget', `more than ${options.maxBytes} bytes`)
  const offsetSize = bytesFor(options.cacheBits ? dataSize * 2 : dataSize)
  const indexAt = 6 + 3 * refSize + offsetSize + rootIds.length * refSize
  const dataAt = indexAt + (options.index ? count * offsetSize : 0)
  const out = Buffer.allocUnsafeSlow(dataAt + dataSize + (crc ? 4 : 0))
  out.writeUInt32BE(MAGIC, 0)
  out[4] = (options.index ? 128 : 0) | (crc ? 64 : 0) | (options.cacheBits ? 32 : 0) | refSize
  out[5] = offsetSize
  let at = writeUint(out, 6, count, refSize)
  at = writeUint(out, at, rootIds.length, refSize)
  at = writeUint(out, at, 0, refSize)
  at = writeUint(out, at, dataSize, offsetSize)
  for (const id of rootIds) at = writeUint(out, at, rows[id]!, refSize)
  return { found, options, rows, order, refSize, offsetSize, indexAt, dataAt, out, shared: options.cacheBits ? sharedIn(found) : NONE }
}

/** Writes the rows from `from` to `to`, beginning at the position `start`. Returns the position after them. */
const writeRows = (bag: Bag, from: number, to: number, start: number): number => {
  const { found, options, rows, order, refSize, offsetSize, indexAt, dataAt, out, shared } = bag
  const { cells, refs } = found
  let at = start
  for (let row = from; row < to; row++) {
    const id = order[row]!
    const cell = cells[id]!
    const { meta } = cell
    const hashed = hasHashes(found, options, id)
    out[at++] = descriptor1(refsOf(meta), typeOf(meta), maskOf(meta)) | (hashed ? 16 : 0)
    out[at++] = descriptor2(bitsOf(meta))
    if (hashed) at = writeHashes(out, at, cell)
    at += writeData(cell, out, at)
    for (let j = 0; j < refsOf(meta); j++) at = writeUint(out, at, rows[refs[id * 4 + j]!]!, refSize)
    if (options.index) {
      const end = at - dataAt
      writeUint(out, indexAt + row * offsetSize, options.cacheBits ? end * 2 + (shared.has(id) ? 1 : 0) : end, offsetSize)
    }
  }
  return at
}

const endBag = ({ out, options }: Bag, end: number): Uint8Array => {
  if (options.crc32c ?? true) out.writeUInt32LE(crc32c(out, 0, end), end)
  return new Uint8Array(out.buffer)
}

/** Whether a bag has one cell, and neither hashes nor an index. Throws CellError `boc` if there are no roots. */
const isOne = (roots: readonly Cell[], options: BocOptions): boolean => {
  if (roots.length === 0) throw new CellError('boc', 'a bag of cells without roots')
  return roots.length === 1 && refsOf(untracked(roots[0]!).meta) === 0 && !options.hashes && !options.index
}

/** No limit: more cells than fit into memory. */
const ALL = 2 ** 30

/** Serializes roots. Finds at most `found` cells in a step, because they may be loaded from disk, and handles at most `size` cells in each later step. */
function* writeSteps(roots: readonly Cell[], options: BocOptions, found: number, size: number): Generator<void, Uint8Array> {
  if (isOne(roots, options)) return serializeOne(untracked(roots[0]!), options.crc32c ?? true)
  const all = noneFound()
  while (!findCells(all, roots, options.maxCells ?? ALL, found)) yield
  const count = all.cells.length
  for (let to = count; to > 0; to -= size) {
    limitWeights(all, Math.max(0, to - size), to)
    yield
  }
  for (let from = 0; from < count; from += size) {
    markTops(all, from, Math.min(count, from + size))
    yield
  }
  const places = noPlaces(all)
  while (!placeCells(all, places, size)) yield
  const bag = beginBag(all, places.at, options)
  let at = bag.dataAt
  for (let from = 0; from < count; from += size) {
    at = writeRows(bag, from, Math.min(count, from + size), at)
    yield
  }
  return endBag(bag, at)
}

/**
 * Serializes roots as a bag of cells. Each distinct cell is written once, in the order of TON's own writer.
 * Throws CellError `boc` if there are no roots, `budget` above `maxCells` or `maxBytes`.
 */
export const serializeBoc = (roots: Cell | readonly Cell[], options: BocOptions = {}): Uint8Array =>
  endSteps(writeSteps(Array.isArray(roots) ? roots : [roots as Cell], options, ALL, ALL))

/** Writes the same bytes as `serializeBoc`, in steps of a millisecond or two, for trees that can have many cells. */
export const bocSteps = (roots: readonly Cell[], options: BocOptions = {}): Generator<void, Uint8Array> =>
  writeSteps(roots, options, 64, 1_024)
