import { type ByteString, type Cell, isMerkle, untracked, writeData } from './cell.ts'
import { CellError } from './error.ts'
import {
  bitsOf,
  depthOf,
  descriptor1,
  descriptor2,
  LEVEL,
  MAX_DEPTH,
  maskOf,
  ORDINARY,
  POPCOUNT,
  PRUNED,
  refsOf,
  typeOf,
} from './meta-word.ts'
import { digest, message } from './sha256.ts'

/** Buffer for the hashes of a cell above level 0: up to four hashes, then the same number of depths. */
const several = Buffer.alloc(4 * 34)

/** Hashes a built cell, and all cells below it without hashes. Returns the new `aux` of the cell. Throws CellError `overflow` beyond depth 1024. */
export const hashBuilt = (cell: Cell): ByteString => {
  for (let i = refsOf(cell.meta) - 1; i >= 0; i--) {
    const child = untracked(cell.ref(i))
    if (child.aux === undefined) hashBuilt(child)
  }
  const hashes = hashesOf(cell)
  cell.aux = hashes
  return hashes
}

/**
 * Hashes a cell that replaces `original` after parts below it were pruned, under `merkleDepth` Merkle cells. Up to the level `merkleDepth` the cell has the
 * hashes and depths of the original. Only the top hash and depth are new. The children must be hashed already.
 */
export const hashStandIn = (cell: Cell, original: Cell, merkleDepth: number): void => {
  const mask = maskOf(cell.meta)
  let at = 0
  let depthsAt = 32 * (POPCOUNT[mask]! + 1)
  let previous: ByteString | undefined
  for (let level = 0; level <= merkleDepth; level++) {
    if ((mask & (1 << level)) === 0) continue
    previous = original.hashKey(level)
    at += several.write(previous, at, 32, 'latin1')
    depthsAt = several.writeUInt16BE(original.depth(level), depthsAt)
  }
  at += several.write(representation(cell, 3, previous), at, 32, 'latin1')
  // Mask 0: nothing below was pruned. The caller rebuilds such a cell too if a child is a different object with equal content. `aux` then has only the one
  // hash, without depths.
  const end = mask === 0 ? at : several.writeUInt16BE(depthOf(cell.meta), depthsAt)
  cell.aux = several.toString('latin1', 0, end)
}

/** SHA-256 of a cell's representation at `level`. Above the lowest level, `previous` (the hash one level below) takes the place of the data. */
const representation = (cell: Cell, level: number, previous: ByteString | undefined): ByteString => {
  const { meta } = cell
  const refs = refsOf(meta)
  const childLevel = isMerkle(cell) ? Math.min(3, level + 1) : level
  message[0] = descriptor1(refs, typeOf(meta), maskOf(meta) & ((1 << level) - 1))
  message[1] = descriptor2(bitsOf(meta))
  let at = 2
  if (previous === undefined) at += writeData(cell, message, at)
  else at += message.write(previous, at, 32, 'latin1')
  for (let i = 0; i < refs; i++) {
    const depth = cell.ref(i).depth(childLevel)
    message[at++] = depth >>> 8
    message[at++] = depth
  }
  for (let i = 0; i < refs; i++) at += message.write(cell.ref(i).hashKey(childLevel), at, 32, 'latin1')
  return digest(at)
}

/** All hashes of a cell whose children are hashed: one for each significant level, and the top hash. Above level 0 the depths follow. */
const hashesOf = (cell: Cell): ByteString => {
  const mask = maskOf(cell.meta)
  if (mask === 0) return representation(cell, 3, undefined)
  const count = POPCOUNT[mask]! + 1
  if (typeOf(cell.meta) === PRUNED) {
    const stored = cell.src as ByteString
    several.write(stored.substring(2), 0, 'latin1')
    several.copyWithin(32 * count, 32 * (count - 1), 34 * (count - 1))
    several.write(representation(cell, 3, undefined), 32 * (count - 1), 32, 'latin1')
    several.writeUInt16BE(0, 34 * count - 2)
    return several.toString('latin1', 0, 34 * count)
  }
  let previous: ByteString | undefined
  let slot = 0
  for (let level = 0; level <= 3; level++) {
    if (level < LEVEL[mask]! ? (mask & (1 << level)) === 0 : level !== 3) continue
    const depth = depthAt(cell, level)
    previous = representation(cell, level, previous)
    several.write(previous, 32 * slot, 32, 'latin1')
    several.writeUInt16BE(depth, 32 * count + 2 * slot++)
  }
  return several.toString('latin1', 0, 34 * count)
}

const depthAt = (cell: Cell, level: number): number => {
  if (level === 3) return depthOf(cell.meta)
  const childLevel = typeOf(cell.meta) === ORDINARY ? level : level + 1
  let depth = 0
  for (let i = 0; i < refsOf(cell.meta); i++) depth = Math.max(depth, cell.ref(i).depth(childLevel) + 1)
  if (depth > MAX_DEPTH) throw new CellError('overflow', `cell depth ${depth} is over ${MAX_DEPTH}`)
  return depth
}
