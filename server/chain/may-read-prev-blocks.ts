import { uniqueCells } from '../cell/budget.ts'
import type { Cell } from '../cell/cell.ts'

/*
 * Detects whether code may read previous blocks. Fetching them needs an extra query, and few contracts read them. In the leaves of a method dictionary an
 * instruction may begin at any bit, so every bit offset is searched. A false match costs one query.
 */

/** GETPARAM 13 (PREVBLOCKSINFOTUPLE). */
const SHORT = 0xf82d
/** PREVMCBLOCKS, PREVKEYBLOCK, PREVMCBLOCKS_100, GETPARAMLONG 13. */
const LONG: ReadonlySet<number> = new Set([0xf83400, 0xf83401, 0xf83402, 0xf8810d])

const standsIn = (cell: Cell): boolean => {
  const data = cell.data()
  let window = 0
  for (let i = 0; i < cell.bits; i += 1) {
    window = ((window << 1) | ((data[i >>> 3]! >>> (7 - (i & 7))) & 1)) & 0xffffff
    if (i >= 15 && (window & 0xffff) === SHORT) return true
    if (i >= 23 && LONG.has(window)) return true
  }
  return false
}

const MAX_CELLS = 4_096

/** True if instructions in a tree of cells may read previous blocks, or if the tree has more than MAX_CELLS cells. */
export const mayReadPrevBlocks = (tree: Cell): boolean => {
  const budget = { cells: MAX_CELLS + 1 }
  for (const cell of uniqueCells([tree], budget)) if (budget.cells === 0 || standsIn(cell)) return true
  return false
}
