import type { Cell } from './cell.ts'
import { CellError } from './error.ts'

/**
 * Number of cells that a walk may still enter. A cell on two paths is entered twice, so a few hundred shared cells can form 2^256 paths. Walks that belong
 * together share one budget.
 */
export interface Budget {
  cells: number
}

/** Counts a cell that a walk enters, or more. Throws CellError `budget` if the budget is used up. */
export const spendCell = (budget: Budget, count = 1): void => {
  budget.cells -= count
  if (budget.cells < 0) throw new CellError('budget', 'too many cells on all paths of a tree of cells')
}

/** Maximum number of cells on all paths that a TON node visits in one check of a structure (`default_validate_max_cells` of tlblib.hpp). */
export const MAX_CHECKED_CELLS = 1024

/**
 * Practically no limit, for a dictionary of a chain's full state. Validators built it entry by entry, so an attacker cannot blow up the walk with shared
 * cells.
 */
export const WHOLE_STATE = 2 ** 40

/** Maximum number of cells of a message (max_msg_cells of parameter 43). A dictionary in a message has at most as many edges if it has no shared cells. */
export const MAX_MESSAGE_CELLS = 1 << 13

/** Maximum number of cells of an account's state (max_acc_state_cells of parameter 43). */
export const MAX_ACCOUNT_CELLS = 1 << 16

/** Maximum number of cells of a bag that is read. A tree from outside comes in one bag, so it has no more cells. */
export const MAX_BAG_CELLS = 1 << 22

/**
 * Yields each distinct cell of the trees once, depth-first. Each costs one cell of the budget. Throws CellError `budget` if the budget is used up.
 * `serializeBoc` reads in the same order, so it finds in memory what this walk has loaded: two lazy references to one cell are two objects.
 */
export function* uniqueCells(roots: readonly Cell[], budget: Budget): Generator<Cell> {
  const seen = new Set<string>()
  const open = [...roots]
  for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
    const key = cell.hashKey()
    if (seen.has(key)) continue
    seen.add(key)
    spendCell(budget)
    yield cell
    for (let i = cell.refCount - 1; i >= 0; i--) open.push(cell.ref(i))
  }
}

/** The number of distinct cells of trees together; `most` + 1 if there are more than `most`. The walk ends at the first cell above that number. */
export const countAtMost = (roots: readonly Cell[], most: number): number => {
  const budget = { cells: most + 1 }
  for (const _ of uniqueCells(roots, budget)) if (budget.cells === 0) break
  return most + 1 - budget.cells
}
/** Returns whether trees have at most `most` distinct cells together. */
export const hasAtMost = (roots: readonly Cell[], most: number): boolean => countAtMost(roots, most) <= most
