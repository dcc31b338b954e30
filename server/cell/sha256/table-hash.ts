import {
  bitsOf,
  bytesOf,
  depthOf,
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
} from '../layout.ts'
import { createScratch, isLarge } from '../scratch.ts'
import { type CellTable, RECORD } from '../table.ts'
import { HEAP, JOB } from './code.ts'
import { type Hasher, hasherFor } from './sha256.ts'

/*
 * Hashes whole tables. A job is one SHA-256. A cell of level 0 needs one job, other cells one for each significant level and one for the top. Jobs
 * are sorted so that each comes after the jobs it depends on, and in groups of four with the same number of blocks. The vector code does such a
 * group at once.
 */

/** Largest number of groups of jobs in one call of the hasher. */
const BATCH = 1024
const GROUP_WORDS = JOB + 1

/** The level of hash number `i` of a mask: its i-th significant level, or 3 for the last. */
const levelOf = (mask: number, i: number): number => {
  let left = i
  for (let level = 0; level < LEVEL[mask]!; level++) if (mask & (1 << level) && left-- === 0) return level
  return 3
}

/** The level of the references' hashes that a cell's hash at `level` is computed from. */
const childLevelOf = (type: number, level: number): number => (type >= MERKLE_PROOF ? Math.min(3, level + 1) : level)

/** Number of the first hash that is computed. The hashes before it, in a pruned branch, are part of its data. */
const firstHash = (meta: number): number => (typeOf(meta) === PRUNED ? POPCOUNT[maskOf(meta)]! : 0)

/** Blocks of the message for hash number `i`. */
const blocksOf = (meta: number, i: number, first: number): number => {
  const length = 2 + (i > first ? 32 : bytesOf(meta)) + 34 * refsOf(meta)
  return ((length + 8) >>> 6) + 1
}

/** The wanted hashes of each cell, as bits by hash number. null: all hashes of all cells. */
type Wanted = Uint32Array | null

const marks = createScratch()

/**
 * The hashes that the Merkle proofs at these roots depend on; null (all) if a root is not a Merkle proof. For an ordinary proof this is half of all
 * hashes, because the proof names the tree below it by hashes of level 0. Valid until the next bag is read.
 */
export const provenHashes = ({ meta, slots }: CellTable, links: Uint32Array, roots: readonly number[]): Wanted => {
  const rows = meta.length
  if (slots === null || !roots.every((row) => typeOf(meta[row]!) === MERKLE_PROOF)) return null
  const wanted = marks(rows).fill(0, 0, rows)
  for (let row = 0; row < rows; row++) {
    const word = meta[row]!
    const [type, mask, refs] = [typeOf(word), maskOf(word), refsOf(word)]
    // A Merkle cell contains the first hash of each reference, so that hash is always needed for the check.
    if (type >= MERKLE_PROOF) for (let j = 0; j < refs; j++) wanted[links[4 * row + j]!]! |= 1
    if (type === PRUNED) continue
    // Each hash is computed from the one before it.
    for (let i = 0; wanted[row]! >>> i > 0; i++) {
      wanted[row]! |= 1 << i
      const childLevel = childLevelOf(type, levelOf(mask, i))
      for (let j = 0; j < refs; j++) {
        const child = links[4 * row + j]!
        wanted[child]! |= 1 << hashSlot(maskOf(meta[child]!), childLevel)
      }
    }
  }
  return wanted
}

const [jobs, borders, places] = [createScratch(), createScratch(), createScratch()]

const isWanted = (wanted: Wanted, row: number, i: number): boolean => wanted === null || (wanted[row]! & (1 << i)) !== 0

/** Jobs as row * 4 + hash number, sorted into `kinds` classes by depth, hash number and number of blocks. `starts`: where each class begins. */
const sortJobs = ({ meta }: CellTable, wanted: Wanted): { order: Uint32Array; starts: Uint32Array; kinds: number } => {
  const rows = meta.length
  let height = 0
  for (let row = 0; row < rows; row++) height = Math.max(height, depthOf(meta[row]!))
  const kinds = (height + 1) * 32
  const starts = isLarge(rows) ? new Uint32Array(kinds + 1) : borders(kinds + 1).fill(0, 0, kinds + 1)
  for (let row = 0; row < rows; row++) {
    const word = meta[row]!
    const first = firstHash(word)
    for (let i = first; i <= POPCOUNT[maskOf(word)]!; i++)
      if (isWanted(wanted, row, i)) starts[depthOf(word) * 32 + i * 8 + blocksOf(word, i, first) + 1]!++
  }
  for (let i = 1; i <= kinds; i++) starts[i]! += starts[i - 1]!
  const order = jobs(starts[kinds]!)
  const next = places(kinds)
  for (let i = 0; i < kinds; i++) next[i] = starts[i]!
  for (let row = rows - 1; row >= 0; row--) {
    const word = meta[row]!
    const first = firstHash(word)
    for (let i = first; i <= POPCOUNT[maskOf(word)]!; i++)
      if (isWanted(wanted, row, i)) order[next[depthOf(word) * 32 + i * 8 + blocksOf(word, i, first)]!++] = row * 4 + i
  }
  return { order, starts, kinds }
}

/** Hashes the cells of a table whose levels and depths are known. `links` are the rows of the references, four entries per cell. */
export function* hashTable(table: CellTable, links: Uint32Array, wanted: Wanted): Generator<void, void> {
  const { bytes, dataAt, meta, slots, records } = table
  const recordsAt = HEAP + ((bytes.length + 15) & ~15)
  const jobsAt = recordsAt + ((records.length + 31) & ~15)
  const isOwn = isLarge(meta.length)
  const hasher: Hasher = hasherFor(jobsAt - HEAP + 4 * GROUP_WORDS * BATCH, isOwn)
  const { words } = hasher
  hasher.bytes.set(bytes, HEAP)
  hasher.bytes.set(records, recordsAt)
  const { order, starts, kinds } = sortJobs(table, wanted)

  const writeJob = (at: number, job: number): void => {
    const row = job >>> 2
    const i = job & 3
    const word = meta[row]!
    const refs = refsOf(word)
    const mask = maskOf(word)
    const type = typeOf(word)
    const slot = slots === null ? row : slots[row]!
    const level = mask === 0 ? 3 : levelOf(mask, i)
    const again = i > 0 && type !== PRUNED
    words[at] = recordsAt + RECORD * (slot + i)
    words[at + 1] = again ? recordsAt + RECORD * (slot + i - 1) : HEAP + dataAt[row]!
    words[at + 2] =
      descriptor1(refs, type, mask & ((1 << level) - 1)) |
      (descriptor2(bitsOf(word)) << 8) |
      ((again ? 32 : bytesOf(word)) << 16) |
      (refs << 24)
    const childLevel = childLevelOf(type, level)
    for (let j = 0; j < refs; j++) words[at + 3 + j] = recordsAt + RECORD * table.slot(links[4 * row + j]!, childLevel)
  }

  let groups = 0
  const flush = (): void => {
    if (groups > 0) hasher.run(jobsAt, groups)
    groups = 0
  }
  for (let kind = 0; kind < kinds; kind++) {
    const to = starts[kind + 1]!
    for (let from = starts[kind]!; from < to; from += 4) {
      const at = (jobsAt >>> 2) + groups * GROUP_WORDS
      // If fewer than four jobs of a class are left, the last one is repeated.
      for (let i = 0; i < 4; i++) writeJob(at + (i * JOB) / 4, order[Math.min(from + i, to - 1)]!)
      words[at + JOB] = kind & 7
      if (++groups < BATCH) continue
      flush()
      if (isOwn) yield
    }
  }
  flush()
  records.set(hasher.bytes.subarray(recordsAt, recordsAt + records.length))
}
