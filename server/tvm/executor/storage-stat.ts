import { type Cell, isMerkle } from '../../cell/cell.ts'
import { dictHash } from '../../cell/dict-hash.ts'
import type { TransactionRun } from './transaction-run.ts'

/** Merkle depths are capped at this value (`MERKLE_DEPTH_LIMIT` of account-storage-stat.h). */
const MERKLE_DEPTH_LIMIT = 3

interface Entry {
  /** Number of references to the cell, from cells or as a root. */
  refs: number
  merkleDepth: number
}

export type StorageStat = ReturnType<typeof measureStorage>

/** The distinct cells below an account's AccountStorage. The storage fee depends on their number (`AccountStorageStat`). */
const measureStorage = (roots: readonly Cell[]) => {
  const entries = new Map<string, Entry>()
  let bits = 0
  const visit = (cell: Cell): number => {
    const key = cell.hashKey()
    const counted = entries.get(key)
    if (counted !== undefined) {
      counted.refs++
      return counted.merkleDepth
    }
    const entry = { refs: 1, merkleDepth: 0 }
    entries.set(key, entry)
    bits += cell.bits
    let depth = 0
    for (let i = 0; i < cell.refCount; i++) depth = Math.max(depth, visit(cell.ref(i)))
    entry.merkleDepth = Math.min(isMerkle(cell) ? depth + 1 : depth, MERKLE_DEPTH_LIMIT)
    return entry.merkleDepth
  }
  let merkleDepth = 0
  for (const root of roots) merkleDepth = Math.max(merkleDepth, visit(root))
  return { cells: entries.size, bits, merkleDepth, dictHash: () => hashOf(entries) }
}

/** Measures code, data and libraries of an account. They are measured for the limits of a state, and, usually unchanged, for the storage fee: once then. */
export const measureState = (run: Pick<TransactionRun, 'measured'>, parts: readonly (Cell | undefined)[]): StorageStat => {
  const roots = parts.filter((cell) => cell !== undefined)
  const key = roots.map((cell) => cell.hashKey()).join('')
  if (run.measured?.key !== key) run.measured = { key, stat: measureStorage(roots) }
  return run.measured.stat
}

/** Hash of the storage dictionary: Hashmap 256 of cell hash -> (number of references 32 bits, Merkle depth 2 bits). undefined if there are no cells. */
const hashOf = (entries: ReadonlyMap<string, Entry>): Uint8Array | undefined => {
  // Strings of one-byte characters have the order of their bytes.
  const keys = [...entries.keys()].sort()
  const bytes = Buffer.from(keys.join(''), 'latin1')
  const leaves = keys.map((key, i) => ({ path: bytes.subarray(32 * i, 32 * i + 32), key }))
  const hash = dictHash(256, leaves, (b, { key }) => {
    const { refs, merkleDepth } = entries.get(key)!
    return b.storeUint(refs, 32).storeUint(merkleDepth, 2)
  })
  return hash === undefined ? undefined : Buffer.from(hash, 'latin1')
}
