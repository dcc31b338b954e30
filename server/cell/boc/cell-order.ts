import { type Cell, untracked } from '../cell.ts'
import { CellError } from '../error.ts'
import { refsOf } from '../meta-word.ts'
import { CellNumbers, wordOf } from './cell-numbers.ts'

/*
 * The order of cells in TON's files: BagOfCells::import_cell, reorder_cells and revisit. Each walk can end after `size` cells, so that the caller can pause.
 * It then returns false. The next call begins again at the roots, and passes over what the calls before have done. A walk without pauses is a plain recursion.
 */

/** Maximum weight of a group of cells in TON's writer. */
const MAX_WEIGHT = 64

/** The distinct cells of a bag, numbered in the order in which TON's writer finds them (children first). */
export interface FoundCells {
  readonly cells: Cell[]
  /** Numbers of each cell's references, four entries per cell; -1 for no reference. */
  readonly refs: number[]
  /** Number of cells in the subtree, at most 255. After `markTops`, 0 marks the top cell of a group. */
  readonly weight: number[]
  readonly numbers: CellNumbers
  rootIds: readonly number[]
}

export const noneFound = (): FoundCells => {
  const cells: Cell[] = []
  return { cells, refs: [], weight: [], numbers: new CellNumbers(cells), rootIds: [] }
}

/**
 * Finds, or hashes, at most `size` more cells. Returns whether these are all. Throws CellError `budget` if there are more than `most` distinct cells. The hash of
 * a new cell is computed after those below it were found, because a large new tree has no hashes at all.
 */
export const findCells = (found: FoundCells, roots: readonly Cell[], most: number, size: number): boolean => {
  const { cells, refs, weight, numbers } = found
  let left = size
  /** Returns the number of a cell, or -1 if `size` cells were found before it. */
  const visit = (cell: Cell): number => {
    const isHashed = cell.aux !== undefined
    const numbered = isHashed ? numbers.find(wordOf(cell), cell) : undefined
    if (numbered !== undefined) return numbered
    if (left === 0) return -1
    const count = refsOf(cell.meta)
    const r0 = count > 0 ? visit(untracked(cell.ref(0))) : -1
    const r1 = count > 1 ? visit(untracked(cell.ref(1))) : -1
    const r2 = count > 2 ? visit(untracked(cell.ref(2))) : -1
    const r3 = count > 3 ? visit(untracked(cell.ref(3))) : -1
    if (left === 0) return -1
    left--
    const word = wordOf(cell)
    const equal = isHashed ? undefined : numbers.find(word, cell)
    if (equal !== undefined) return equal
    const id = cells.length
    let sum = 1
    if (count > 0) sum += weight[r0]!
    if (count > 1) sum += weight[r1]!
    if (count > 2) sum += weight[r2]!
    if (count > 3) sum += weight[r3]!
    if (id === most) throw new CellError('budget', `more than ${most} cells`)
    numbers.add(word, cell)
    refs.push(r0, r1, r2, r3)
    weight.push(Math.min(255, sum))
    return id
  }
  found.rootIds = roots.map((root) => visit(untracked(root)))
  return left > 0
}

/**
 * Splits the bag into groups of limited weight, together with `markTops`. The order of cells in the file depends on the groups. Limits the weights of the
 * children of cells `from` to `to`. Must be called for the highest numbers first, because children have lower numbers than their parents.
 */
export const limitWeights = ({ cells, refs, weight }: FoundCells, from: number, to: number): void => {
  for (let id = to - 1; id >= from; id--) {
    const count = refsOf(cells[id]!.meta)
    let left = count
    let sum = MAX_WEIGHT - 1
    const heavy: number[] = []
    for (let j = 0; j < count; j++) {
      const child = refs[id * 4 + j]!
      if (weight[child]! <= Math.trunc((MAX_WEIGHT - 1 + j) / count)) {
        sum -= weight[child]!
        left--
      } else heavy.push(child)
    }
    for (const child of heavy) {
      const limit = Math.trunc(sum++ / left)
      if (weight[child]! > limit) weight[child] = limit
    }
  }
}

export const markTops = ({ cells, refs, weight }: FoundCells, from: number, to: number): void => {
  for (let id = from; id < to; id++) {
    let sum = 1
    for (let j = refsOf(cells[id]!.meta) - 1; j >= 0; j--) sum += weight[refs[id * 4 + j]!]!
    weight[id] = sum <= weight[id]! ? sum : 0
  }
}

export interface Places {
  /**
   * -1: the cell was not visited. -2: the groups below it have their places. -3: its children have their places. From 0 on: the place of the cell, counted
   * from the end of the file.
   */
  readonly at: Int32Array
  next: number
}

export const noPlaces = ({ cells }: FoundCells): Places => ({ at: new Int32Array(cells.length).fill(-1), next: 0 })

/** Finds the places of at most `size` more cells. Returns whether all cells have their places. */
export const placeCells = ({ cells, refs, weight, rootIds }: FoundCells, places: Places, size: number): boolean => {
  const { at } = places
  let { next } = places
  let left = size
  const scout = (id: number): void => {
    if (at[id] !== -1 || left === 0) return
    for (let j = refsOf(cells[id]!.meta) - 1; j >= 0; j--) {
      const child = refs[id * 4 + j]!
      if (weight[child] === 0) lay(child)
      else scout(child)
    }
    if (left === 0) return
    at[id] = -2
    left--
  }
  const lay = (id: number): void => {
    if (at[id]! >= 0 || at[id] === -3 || left === 0) return
    if (weight[id] === 0) scout(id)
    const count = refsOf(cells[id]!.meta)
    for (let j = count - 1; j >= 0; j--) lay(refs[id * 4 + j]!)
    if (left === 0) return
    for (let j = count - 1; j >= 0; j--) assign(refs[id * 4 + j]!)
    at[id] = -3
    left--
  }
  const assign = (id: number): void => {
    if (at[id]! < 0) at[id] = next++
  }
  for (const id of rootIds) {
    scout(id)
    lay(id)
  }
  if (left > 0) for (const id of rootIds) assign(id)
  places.next = next
  return left > 0
}
