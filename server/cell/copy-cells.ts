import { type ByteString, Cell, untracked } from './cell.ts'
import { CellError } from './error.ts'
import { finishExotic } from './exotic.ts'
import { hashStandIn } from './hash.ts'
import { bitsOf, bytesOf, depthOf, MAX_DEPTH, maskOf, ORDINARY, packMeta, refsOf, SOLID, typeOf } from './meta-word.ts'
import { hashesOf } from './stored-form.ts'
import type { CellTable } from './table.ts'

const dataOf = (view: Cell): ByteString => {
  const cell = untracked(view)
  const { src } = cell
  if (typeof src === 'string') return src
  const table = src as CellTable
  const at = table.dataAt[cell.aux as number]!
  return table.bytes.toString('latin1', at, at + bytesOf(cell.meta))
}

/** Makes an ordinary cell. `data` has the completion tag. Throws CellError `overflow` beyond depth 1024. */
export const finishOrdinary = (data: ByteString, bits: number, count: number, r0?: Cell, r1?: Cell, r2?: Cell, r3?: Cell): Cell => {
  let mask = 0
  let depth = 0
  let solid = SOLID
  for (let i = 0; i < count; i++) {
    const { meta } = (i === 0 ? r0 : i === 1 ? r1 : i === 2 ? r2 : r3)!
    mask |= maskOf(meta)
    depth = Math.max(depth, depthOf(meta) + 1)
    solid &= meta
  }
  if (depth > MAX_DEPTH) throw new CellError('overflow', `cell depth ${depth} is over ${MAX_DEPTH}`)
  const cell = new Cell(packMeta(bits, count, ORDINARY, mask, depth) | solid, data, undefined, r0, r1, r2, r3)
  // The depth at a lower level can exceed the limit too. Hashing throws then, so the cell is hashed here and not when its hash is first used.
  if (mask !== 0) cell.hashKey()
  return cell
}

/** Returns a copy of the cell with other references. `hash` is the hash of the result, if the caller knows it. Above level 0 `hash` is ignored. */
export const withRefs = (cell: Cell, refs: readonly Cell[], hash?: ByteString): Cell => {
  const { meta } = cell
  const data = dataOf(cell)
  const made =
    typeOf(meta) === ORDINARY
      ? finishOrdinary(data, bitsOf(meta), refs.length, refs[0], refs[1], refs[2], refs[3])
      : finishExotic(data, bitsOf(meta), refs)
  if (hash !== undefined && maskOf(made.meta) === 0) made.aux ??= hash
  return made
}

/** Returns the cell that replaces `original`, under `merkleDepth` Merkle cells, after parts below it were pruned. `refs` are its new references. */
export const replacementOf = (original: Cell, refs: readonly Cell[], merkleDepth: number): Cell => {
  const { meta } = original
  let mask = 0
  let depth = 0
  let solid = SOLID
  for (const ref of refs) {
    mask |= maskOf(ref.meta)
    depth = Math.max(depth, depthOf(ref.meta) + 1)
    solid &= ref.meta
    if (ref.aux === undefined) ref.hashKey()
  }
  if (typeOf(meta) !== ORDINARY) mask >>>= 1
  const word = packMeta(bitsOf(meta), refs.length, typeOf(meta), mask, depth) | solid
  const cell = new Cell(word, dataOf(original), undefined, refs[0], refs[1], refs[2], refs[3])
  hashStandIn(cell, original, merkleDepth)
  return cell
}

/** Copies at most `most` cells. Returns the copy of the root, which is complete only if fewer cells were added to `copies`. */
const copyCells = (root: Cell, copies: Map<ByteString, Cell>, most: number): Cell => {
  const end = copies.size + most
  const visit = (view: Cell): Cell => {
    const cell = untracked(view)
    if (cell.meta & SOLID || copies.size === end) return cell
    const key = cell.hashKey()
    const found = copies.get(key)
    if (found !== undefined) return found
    const count = refsOf(cell.meta)
    const copy = new Cell(
      cell.meta | SOLID,
      dataOf(cell),
      hashesOf(cell),
      count > 0 ? visit(cell.ref(0)) : undefined,
      count > 1 ? visit(cell.ref(1)) : undefined,
      count > 2 ? visit(cell.ref(2)) : undefined,
      count > 3 ? visit(cell.ref(3)) : undefined,
    )
    if (copies.size < end) copies.set(key, copy)
    return copy
  }
  return visit(root)
}

/**
 * Returns a deep copy for cells that stay in memory for long. Unlike the original, the copy does not keep a parsed table alive. Cells that are already compact
 * are not copied, and equal cells are copied once. `copies` maps `hashKey()` to cells that the copy may share. New cells are added to `copies`.
 */
export const compact = (root: Cell, copies: Map<ByteString, Cell> = new Map()): Cell => copyCells(root, copies, Number.POSITIVE_INFINITY)

/** Number of cells that are copied in one step, which takes a few milliseconds. */
const CELLS_A_STEP = 2_048

/** Copies as `compact` does. Each step begins again at the root and finds the cells that were copied in the steps before. */
export function* compactSteps(root: Cell): Generator<void, Cell> {
  const copies = new Map<ByteString, Cell>()
  for (;;) {
    const before = copies.size
    const copy = copyCells(root, copies, CELLS_A_STEP)
    if (copies.size < before + CELLS_A_STEP) return copy
    yield
  }
}
