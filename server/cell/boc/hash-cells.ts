import {
  bitsOf,
  bytesOf,
  descriptor1,
  descriptor2,
  hashSlot,
  LEVEL,
  MERKLE_PROOF,
  maskOf,
  POPCOUNT,
  PRUNED,
  refsOf,
  typeOf,
} from '../meta-word.ts'
import { digest, message } from '../sha256.ts'
import { type CellTable, RECORD } from '../table.ts'
import { createScratch, isLarge } from './scratch.ts'

/* Hashes all cells of a table. A cell of level 0 has one hash. Other cells have one hash for each significant level and one for the top. */

/** Number of cells of a large bag that are hashed in one step, which takes a few milliseconds. */
const CELLS_A_STEP = 2_048

/** Level of hash number `i` of a cell with this level mask: the i-th significant level, or 3 for the last hash. */
const levelOf = (mask: number, i: number): number => {
  let left = i
  for (let level = 0; level < LEVEL[mask]!; level++) if (mask & (1 << level) && left-- === 0) return level
  return 3
}

/** Level of the references' hashes from which the hash of a cell at `level` is computed. */
const childLevelOf = (type: number, level: number): number => (type >= MERKLE_PROOF ? Math.min(3, level + 1) : level)

/** Index of the first hash that has to be computed. The data of a pruned branch contain the hashes before this index. */
const firstHash = (meta: number): number => (typeOf(meta) === PRUNED ? POPCOUNT[maskOf(meta)]! : 0)

/** The required hashes of each cell: bit i stands for hash number i. null means all hashes of all cells. */
type RequiredHashes = Uint32Array | null

const marks = createScratch()

/**
 * Returns the hashes that the Merkle proofs at these roots depend on; null (all) if a root is not a Merkle proof. An ordinary proof depends on half of all
 * hashes, because it refers to its tree by hashes of level 0. The result is valid until the next bag is read.
 */
export const provenHashes = ({ meta, slots }: CellTable, links: Uint32Array, roots: readonly number[]): RequiredHashes => {
  const rows = meta.length
  if (slots === null || !roots.every((row) => typeOf(meta[row]!) === MERKLE_PROOF)) return null
  const required = marks(rows).fill(0, 0, rows)
  for (const root of roots) required[links[4 * root]!]! |= 1
  for (let row = 0; row < rows; row++) {
    const word = meta[row]!
    const [type, mask, refs] = [typeOf(word), maskOf(word), refsOf(word)]
    // No root depends on this cell.
    if (required[row] === 0) continue
    // A Merkle cell contains the first hash of each reference. The check of the Merkle cell always needs this hash.
    if (type >= MERKLE_PROOF) for (let j = 0; j < refs; j++) required[links[4 * row + j]!]! |= 1
    if (type === PRUNED) continue
    // Each hash is computed from the one before it.
    for (let i = 0; required[row]! >>> i > 0; i++) {
      required[row]! |= 1 << i
      const childLevel = childLevelOf(type, levelOf(mask, i))
      for (let j = 0; j < refs; j++) {
        const child = links[4 * row + j]!
        required[child]! |= 1 << hashSlot(maskOf(meta[child]!), childLevel)
      }
    }
  }
  return required
}

const isRequired = (required: RequiredHashes, row: number, i: number): boolean => required === null || (required[row]! & (1 << i)) !== 0

/** Copies bytes to `message` and returns the offset after them. For so few bytes this loop is faster than a native copy. */
const put = (at: number, from: Uint8Array, begin: number, length: number): number => {
  for (let i = 0; i < length; i++) message[at + i] = from[begin + i]!
  return at + length
}

/**
 * Computes hash number `i` of a cell. The hashes before `i`, and those of its references, must be computed already. `links` has four rows of references per
 * cell.
 */
const hashRow = (table: CellTable, links: Uint32Array, row: number, i: number): void => {
  const { bytes, dataAt, meta, slots, records } = table
  const word = meta[row]!
  const [refs, mask, type] = [refsOf(word), maskOf(word), typeOf(word)]
  const slot = slots === null ? row : slots[row]!
  const level = mask === 0 ? 3 : levelOf(mask, i)
  message[0] = descriptor1(refs, type, mask & ((1 << level) - 1))
  message[1] = descriptor2(bitsOf(word))
  // Above the lowest level, the hash one level below takes the place of the data.
  let at = i > 0 && type !== PRUNED ? put(2, records, RECORD * (slot + i - 1), 32) : put(2, bytes, dataAt[row]!, bytesOf(word))
  const childLevel = childLevelOf(type, level)
  for (let j = 0; j < refs; j++) at = put(at, records, RECORD * table.slot(links[4 * row + j]!, childLevel) + 32, 2)
  for (let j = 0; j < refs; j++) at = put(at, records, RECORD * table.slot(links[4 * row + j]!, childLevel), 32)
  records.write(digest(at), RECORD * (slot + i), 'latin1')
}

/** Hashes the cells of a table whose levels and depths were computed. The loop begins at the last row, because a reference is always in a later row. */
export function* hashTable(table: CellTable, links: Uint32Array, required: RequiredHashes): Generator<void, void> {
  const { meta } = table
  const inSteps = isLarge(meta.length)
  for (let row = meta.length - 1; row >= 0; row--) {
    if (inSteps && row % CELLS_A_STEP === 0) yield
    const word = meta[row]!
    for (let i = firstHash(word); i <= POPCOUNT[maskOf(word)]!; i++) if (isRequired(required, row, i)) hashRow(table, links, row, i)
  }
}
