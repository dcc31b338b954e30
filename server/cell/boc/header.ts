import type { Budget } from '../budget.ts'
import { CellError } from '../error.ts'
import { readUint } from '../table.ts'
import { crc32c } from './crc32c.ts'

export interface BocLimits {
  /** Maximum number of cells; default 2^22. */
  readonly maxCells?: number
  /** Cells that this bag and others may still have together. A cell counts once for each of its hashes: four times below three Merkle cells. */
  readonly budget?: Budget
  /** Maximum size of the bag in bytes; default 64 MiB. */
  readonly maxBytes?: number
  /** Maximum depth of a root; default (and at most) 1024. */
  readonly maxDepth?: number
  /** Maximum number of roots; default 16384, as in TON's reader. */
  readonly maxRoots?: number
  /** For bags of Merkle proofs: computes only the hashes that the proofs depend on, and the others on first use. Default false. */
  readonly proofs?: boolean
}

/** The header must be valid. */
export const cellsInBoc = (bytes: Uint8Array): number => readUint(bytes, 6, bytes[4]! & 7)

/** Estimated bytes that a cell takes besides its bytes in the BoC, once it has been read: its hash and its object. */
const CELL_BYTES = 128
/** Estimated memory of the cells of a BoC, in which a cell may take only two bytes. The header must be valid. */
export const parsedSizeOf = (boc: Uint8Array): number => boc.length + CELL_BYTES * cellsInBoc(boc)

/** Header of a bag of cells. Its sizes were checked against the size of the bag. `indexAt`: offset of the index; 0 if the bag has no index. */
export type Header = Readonly<ReturnType<typeof readHeader>>

export const failBoc = (text: string): never => {
  throw new CellError('boc', `bag of cells: ${text}`)
}

/**
 * First bytes of a hex bag of cells (`b5ee9c72` or `B5EE9C72`) that was decoded as base64 by mistake. For these bytes the error message says that the text
 * is hex.
 */
const HEX_AS_BASE64: readonly number[] = [0x6f979ef5, 0x079104f4]

const failUnknown = (magic: number): never =>
  failBoc(
    `unknown magic ${magic.toString(16).padStart(8, '0')}${HEX_AS_BASE64.includes(magic) ? ': it looks like hex, base64 is expected' : ''}`,
  )

/*
 * serialized_boc_idx#68ff65f3 size:(## 8) { size <= 4 } off_bytes:(## 8) { off_bytes <= 8 } cells:(##(size * 8)) roots:(##(size * 8)) { roots = 1 }
 *   absent:(##(size * 8)) { roots + absent <= cells } tot_cells_size:(##(off_bytes * 8)) index:(cells * ##(off_bytes * 8)) cell_data:(tot_cells_size * [ uint8 ])
 * serialized_boc_idx_crc32c#acc3a728 ... the same, and crc32c:uint32
 * serialized_boc#b5ee9c72 has_idx:(## 1) has_crc32c:(## 1) has_cache_bits:(## 1) flags:(## 2) { flags = 0 } size:(## 3) { size <= 4 }
 *   off_bytes:(## 8) { off_bytes <= 8 } cells:(##(size * 8)) roots:(##(size * 8)) { roots >= 1 } absent:(##(size * 8)) { roots + absent <= cells }
 *   tot_cells_size:(##(off_bytes * 8)) root_list:(roots * ##(size * 8)) index:has_idx?(cells * ##(off_bytes * 8)) cell_data:(tot_cells_size * [ uint8 ])
 *   crc32c:has_crc32c?uint32
 */
/** Reads and checks a header, and the CRC if there is one. Throws CellError `boc`. */
export const readHeader = (bytes: Uint8Array, limits: BocLimits) => {
  const length = bytes.length
  const maxBytes = limits.maxBytes ?? 1 << 26
  if (length === 0) failBoc('no bytes at all')
  if (length > maxBytes) failBoc(`${length} bytes are over the limit of ${maxBytes}`)
  if (length < 6) failBoc(`${length} bytes are too few for a header`)
  const magic = readUint(bytes, 0, 4)
  const generic = magic === 0xb5ee9c72
  if (!generic && magic !== 0x68ff65f3 && magic !== 0xacc3a728) failUnknown(magic)
  const flags = bytes[4]!
  const hasIndex = generic ? (flags & 128) !== 0 : true
  const hasCrc = generic ? (flags & 64) !== 0 : magic === 0xacc3a728
  const cacheBits = generic && (flags & 32) !== 0
  if ((generic ? flags & 24 : flags & 248) !== 0) failBoc(`unknown flags in ${flags.toString(16)}`)
  if (cacheBits && !hasIndex) failBoc('cache bits without an index')
  const refSize = flags & 7
  if (refSize < 1 || refSize > 4) failBoc(`a reference size of ${refSize} bytes, not 1 to 4`)
  const offsetSize = bytes[5]!
  if (offsetSize < 1 || offsetSize > 8) failBoc(`an offset size of ${offsetSize} bytes, not 1 to 8`)
  const rootsAt = 6 + 3 * refSize + offsetSize
  if (length < rootsAt) failBoc(`${length} bytes are too few for a header of ${rootsAt}`)
  const cells = readUint(bytes, 6, refSize)
  const rootCount = readUint(bytes, 6 + refSize, refSize)
  const absent = readUint(bytes, 6 + 2 * refSize, refSize)
  const dataSize = readUint(bytes, 6 + 3 * refSize, offsetSize)
  if (cells === 0) failBoc('no cells')
  const maxCells = Math.min(limits.maxCells ?? 1 << 22, limits.budget?.cells ?? 1 << 22)
  if (cells > maxCells) failBoc(`${cells} cells are over the limit of ${maxCells}`)
  if (rootCount === 0) failBoc('no roots')
  if (!generic && rootCount !== 1) failBoc(`${rootCount} roots in a form that has exactly one`)
  if (absent !== 0) failBoc(`${absent} absent cells: only whole bags are read`)
  if (rootCount > cells) failBoc(`${rootCount} roots of ${cells} cells`)
  if (rootCount > (limits.maxRoots ?? 16384)) failBoc(`${rootCount} roots are over the limit of ${limits.maxRoots ?? 16384}`)
  const indexAt = rootsAt + (generic ? rootCount * refSize : 0)
  const dataAt = indexAt + (hasIndex ? cells * offsetSize : 0)
  const total = dataAt + dataSize + (hasCrc ? 4 : 0)
  if (total > length) failBoc(`${length} bytes, but the header asks for ${total}`)
  if (total < length) failBoc(`${length - total} bytes too many at the end`)
  if (dataSize < 2 * cells) failBoc(`${dataSize} bytes of data cannot hold ${cells} cells`)
  if (hasCrc) {
    const stored = bytes[length - 4]! + bytes[length - 3]! * 256 + bytes[length - 2]! * 65536 + bytes[length - 1]! * 16777216
    const computed = crc32c(bytes, 0, length - 4)
    if (stored !== computed) failBoc(`CRC32C is ${computed.toString(16)}, the bag says ${stored.toString(16)}`)
  }
  const roots: number[] = []
  for (let i = 0; i < rootCount; i++) {
    const row = generic ? readUint(bytes, rootsAt + i * refSize, refSize) : 0
    if (row >= cells) failBoc(`root ${i} is cell ${row} of ${cells}`)
    roots.push(row)
  }
  return { refSize, offsetSize, cells, roots, indexAt: hasIndex ? indexAt : 0, cacheBits, dataAt, dataSize }
}
