import { beginCell } from '../../server/cell/builder.ts'
import { type Cell, CellError, EMPTY_CELL } from '../../server/cell/cell.ts'
import type { Slice } from '../../server/cell/slice.ts'
import { hostileCell, hostileDict } from './hostile-cells.ts'
import type { Random } from './random.ts'

/* Puts bombs into real trees of cells, in the place of dictionaries and of any other reference. */

/** A cell below a root, by the references that lead to it. */
interface Site {
  readonly path: readonly number[]
  readonly cell: Cell
  /** Widths of keys with which the cell can be read as a dictionary, each with a leaf after its label, and with the extra of a fork. */
  readonly dicts: readonly { readonly width: number; readonly value: Cell; readonly extra: Cell }[]
}

/** The places for bombs: below the root, which tells what the tree is, unless there is nothing below it. */
export interface Sites {
  readonly root: Cell
  readonly all: readonly Site[]
  readonly dicts: readonly Site[]
}

/** Cells of a tree that are looked at, those of one dictionary, and the widest key. */
const MAX_SITES = 400
const MAX_CELLS = 80
const MAX_WIDTH = 360
/** Widths that are tried for one cell. */
const MAX_FORMS = 3

/** Moves past a label and returns its length; undefined if there is none. */
const skipLabel = (s: Slice, left: number): number | undefined => {
  const has = (bits: number): boolean => s.remainingBits >= bits
  if (!has(2)) return undefined
  const lengthBits = 32 - Math.clz32(left)
  let length = 0
  if (!s.loadBit()) {
    while (has(1) && s.loadBit()) length++
    return length <= left && has(length) ? skipped(s, length) : undefined
  }
  const isSame = s.loadBit()
  if (!has(lengthBits + (isSame ? 1 : 0))) return undefined
  if (isSame) s.skip(1)
  length = s.loadUint(lengthBits)
  return length <= left && (isSame || has(length)) ? (isSame ? length : skipped(s, length)) : undefined
}

const skipped = (s: Slice, length: number): number => {
  s.skip(length)
  return length
}

/** A leaf and the extra of a fork, if the cell can be a dictionary of this width. */
const dictOf = (root: Cell, width: number): Site['dicts'][number] | undefined => {
  let value: Cell | undefined
  let extra = EMPTY_CELL
  let cells = 0
  const visit = (cell: Cell, left: number): boolean => {
    if (cell.exotic) return cell.type === 'pruned'
    const s = cell.slice()
    const length = skipLabel(s, left)
    if (length === undefined || ++cells > MAX_CELLS) return false
    if (length === left) {
      value ??= s.asCell()
      return true
    }
    if (s.remainingRefs < 2) return false
    const [low, high] = [s.loadRef(), s.loadRef()]
    if (s.remainingBits > 0 || s.remainingRefs > 0) extra = s.asCell()
    return visit(low, left - length - 1) && visit(high, left - length - 1)
  }
  return visit(root, width) && value !== undefined ? { width, value, extra } : undefined
}

const dictsOf = (cell: Cell): Site['dicts'] => {
  if (cell.bits < 2 || cell.exotic) return []
  const found: Site['dicts'][number][] = []
  for (let width = 1; width <= MAX_WIDTH; width++) {
    const dict = dictOf(cell, width)
    if (dict !== undefined) found.push(dict)
  }
  // Many widths fit a single entry. The more of the cell is key, the likelier.
  return found.sort((a, b) => a.value.bits - b.value.bits).slice(0, MAX_FORMS)
}

/** The places in a tree where a bomb can stand. What lies below exotic cells is left out, because their hashes would have to follow. */
export const sitesOf = (root: Cell): Sites => {
  const all: Site[] = []
  const seen = new Set<string>()
  const open: { readonly cell: Cell; readonly path: readonly number[] }[] = [{ cell: root, path: [] }]
  for (let i = 0; i < open.length && all.length < MAX_SITES; i++) {
    const { cell, path } = open[i]!
    if (seen.has(cell.hashKey())) continue
    seen.add(cell.hashKey())
    all.push({ path, cell, dicts: dictsOf(cell) })
    if (!cell.exotic) for (let j = 0; j < cell.refCount; j++) open.push({ cell: cell.ref(j), path: [...path, j] })
  }
  const below = all.length > 1 ? all.slice(1) : all
  return { root, all: below, dicts: below.filter(({ dicts }) => dicts.length > 0) }
}

/** The root with another cell at a path. */
const replaced = (root: Cell, path: readonly number[], by: Cell): Cell => {
  const [first, ...rest] = path
  if (first === undefined) return by
  const b = beginCell().storeBits(root.data(), root.bits)
  for (let i = 0; i < root.refCount; i++) b.storeRef(i === first ? replaced(root.ref(i), rest, by) : root.ref(i))
  return b.end()
}

/** The tree with a bomb in one place: mostly a dictionary with many more entries of the kind that it had. undefined if that does not fit. */
export const bombify = ({ root, all, dicts }: Sites, random: Random): Cell | undefined => {
  try {
    if (dicts.length > 0 && random.chance(0.7)) {
      const { path, dicts: forms } = random.pick(dicts)
      const { width, value, extra } = random.pick(forms)
      return replaced(root, path, hostileDict(random, width, { value, extra }))
    }
    const { path } = random.pick(all)
    return replaced(root, path, hostileCell(random))
  } catch (error) {
    // Too deep, or too many bits for a cell with a label.
    if (error instanceof CellError) return undefined
    throw error
  }
}
