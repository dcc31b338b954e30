import type { ByteString, Cell } from './cell.ts'
import { bytesOf, depthOf, LEVEL, maskOf, POPCOUNT, PRUNED, packMeta, refsOf, SOLID, TRACKED, typeOf } from './meta-word.ts'

/** The meta word of a cell without the bits that are valid only in memory. */
export const plainMeta = (meta: number): number => meta & ~(SOLID | TRACKED)

/** Number of bytes of a cell's hashes and (above level 0) depths in a store. */
export const hashBytesOf = (meta: number): number => {
  const mask = maskOf(meta)
  return mask === 0 ? 32 : (POPCOUNT[mask]! + 1) * 34
}

export { bytesOf as dataBytesOf, depthOf as depthInMeta, refsOf as refCountOf }

/** All hashes of a cell and, above level 0, its depths after them. `aux` of a built cell and the constructor of LazyCell have this form. */
export const hashesOf = (cell: Cell): ByteString => {
  const mask = maskOf(cell.meta)
  if (mask === 0) return cell.hashKey()
  let hashes = ''
  let depths = ''
  for (let level = 0; level <= 3; level++) {
    if (level < LEVEL[mask]! ? (mask & (1 << level)) === 0 : level !== 3) continue
    hashes += cell.hashKey(level)
    depths += String.fromCharCode(cell.depth(level) >>> 8, cell.depth(level) & 255)
  }
  return hashes + depths
}

/** The stored meta word of an absent cell (absent.ts): a pruned branch of level 0, which cannot occur in TON. */
export const metaOfAbsent = (cell: Cell): number => packMeta(0, 0, PRUNED, 0, cell.depth())

export const isAbsent = (meta: number): boolean => typeOf(meta) === PRUNED && maskOf(meta) === 0
