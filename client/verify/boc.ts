import { bytesOf } from '../bytes.ts'
import { type Cell, MERKLE_PROOF, makeCell, ones } from './cell.ts'
import { crc32c } from './crc32c.ts'
import { fail, must } from './error.ts'

/*
 * serialized_boc#b5ee9c72 has_idx:(## 1) has_crc32c:(## 1) has_cache_bits:(## 1) flags:(## 2) { flags = 0 } size:(## 3) { size <= 4 }
 *   off_bytes:(## 8) { off_bytes <= 8 } cells:(##(size * 8)) roots:(##(size * 8)) { roots >= 1 } absent:(##(size * 8)) { roots + absent <= cells }
 *   tot_cells_size:(##(off_bytes * 8)) root_list:(roots * ##(size * 8)) index:has_idx?(cells * ##(off_bytes * 8)) cell_data:(tot_cells_size * [ uint8 ])
 *   crc32c:has_crc32c?uint32
 */

/** Maximum cells of a proof. The largest valid ones show a thousand validators, or the list of transactions of a whole block. */
const MAX_PROOF = 1 << 14
/** Maximum cells of a transaction, an account, or the body of a message. */
const MAX_WHOLE = 131_072
/** Maximum hashes of all bags of cells on a page, which take about three seconds. A cell below Merkle cells has up to four. */
export const MAX_PAGE = 524_288

/** Hashes of cells that may still be computed. All bags of cells on a page share one budget, so a hundred large bags cost no more than a few. */
export interface Budget {
  hashes: number
}

class Bytes {
  readonly bytes: Uint8Array
  at = 0
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
  take(length: number): Uint8Array {
    this.at += length
    must(this.at <= this.bytes.length, 'a bag of cells that is cut off')
    return this.bytes.subarray(this.at - length, this.at)
  }
  uint(length: number): number {
    return this.take(length).reduce((value, byte) => value * 256 + byte, 0)
  }
}

/** Reads a cell, without its hash. `refs`: indexes of the references in the list of cells. */
const readRow = (s: Bytes, row: number, count: number, size: number) => {
  const d1 = s.uint(1)
  const d2 = s.uint(1)
  const mask = d1 >> 5
  must((d1 & 7) <= 4, `cell ${row} has ${d1 & 7} references`)
  // Stored hashes are not believed, so they are not read.
  if (d1 & 16) s.take(34 * (1 + ones(mask)))
  const data = s.take((d2 + 1) >> 1)
  const last = data[data.length - 1] ?? 0
  must(!(d2 & 1) || (last & 127) !== 0, `cell ${row} has no completion tag`)
  const bits = data.length * 8 - (d2 & 1 ? 32 - Math.clz32(last & -last) : 0)
  const refs = Array.from({ length: d1 & 7 }, () => s.uint(size))
  for (const ref of refs) must(ref > row && ref < count, `cell ${row} refers to cell ${ref} of ${count}`)
  return { data, bits, refs, isExotic: (d1 & 8) > 0, mask }
}

/** Roots of a bag of cells in base64. Each cell is hashed once, so shared cells cost linear time. */
const parse = (text: unknown, roots: number, max: number, budget: Budget): readonly Cell[] => {
  if (typeof text !== 'string' || text === '') return fail('no bag of cells')
  const bytes = bytesOf(text)
  const s = new Bytes(bytes)
  must(s.uint(4) === 0xb5ee9c72, 'not a bag of cells')
  const flags = s.uint(1)
  const size = flags & 7
  const width = s.uint(1)
  must((flags & 24) === 0 && size >= 1 && size <= 4 && width >= 1 && width <= 8, 'a bag of cells with unknown flags or sizes')
  const [count, rootCount, absent, length] = [s.uint(size), s.uint(size), s.uint(size), s.uint(width)]
  must(rootCount === roots && absent === 0, `a bag of ${rootCount} roots and ${absent} absent cells, where ${roots} roots are expected`)
  must(count <= max && count <= budget.hashes, `a bag of ${count} cells, the limit is ${Math.min(max, budget.hashes)}`)
  const rootRows = Array.from({ length: roots }, () => s.uint(size))
  if (flags & 128) s.take(count * width)
  const begin = s.at
  must(count * 2 <= length, `${length} bytes cannot hold ${count} cells`)
  const rows = Array.from({ length: count }, (_, row) => readRow(s, row, count, size))
  must(s.at - begin === length, 'cells that do not fill the bag')
  budget.hashes -= rows.reduce((sum, { mask }) => sum + 1 + ones(mask), 0)
  must(budget.hashes >= 0, 'too many hashes of cells')
  if (flags & 64) {
    const crc = crc32c(bytes.subarray(0, s.at))
    must(
      s.take(4).every((byte, i) => byte === ((crc >>> (8 * i)) & 255)),
      'a bag of cells with a wrong CRC32C',
    )
  }
  must(s.at === bytes.length, 'bytes behind a bag of cells')
  const cells: Cell[] = new Array(count)
  for (let row = count - 1; row >= 0; row--) {
    const { data, bits, refs, isExotic, mask } = rows[row]!
    const children = refs.map((ref) => cells[ref]!)
    cells[row] = makeCell(data, bits, children, isExotic)
    must(cells[row]!.mask === mask, `cell ${row} has another level mask than its descriptor says`)
  }
  return rootRows.map((row) => cells[row] ?? fail(`there is no cell ${row} for a root`))
}

/** Parses a bag of cells with one root. Throws VerifyError if the tree has pruned branches. */
export const wholeRoot = (text: unknown, budget: Budget): Cell => {
  const [root] = parse(text, 1, MAX_WHOLE, budget) as [Cell]
  must(root.mask === 0, 'parts of it are pruned')
  return root
}

/** Unwraps the Merkle proofs in a bag of cells. The level-0 hash of each returned root is the hash of the complete tree. */
export const proofRoots = (text: unknown, count: number, budget: Budget): readonly Cell[] =>
  parse(text, count, MAX_PROOF, budget).map((root) => {
    must(root.type === MERKLE_PROOF && root.mask === 0, 'not a Merkle proof')
    return root.refs[0]!
  })

/** Unwraps a bag of cells with one Merkle proof. */
export const proofRoot = (text: unknown, budget: Budget): Cell => proofRoots(text, 1, budget)[0]!
