import type { Cell } from './cell.ts'
import { CellError } from './error.ts'

/**
 * Cells that a walk may still enter. A cell that is reached on two paths is entered twice: a few hundred shared cells can form 2^256 paths. Walks that belong
 * together share one budget.
 */
export interface Budget {
  cells: number
}

/** Counts a cell that a walk enters. Throws CellError `budget` above the limit. */
export const spendCell = (budget: Budget): void => {
  if (--budget.cells < 0) throw new CellError('budget', 'too many cells on all paths of a tree of cells')
}

/** Largest number of cells on all paths of a part that TON checks by itself, as a node's own checks have it (`default_validate_max_cells` of tlblib.hpp). */
export const MAX_CHECKED_CELLS = 1024

/** For a walk over a dictionary of a chain's whole state, which its nodes built entry by entry. Nobody else can make its cells shared. */
export const WHOLE_STATE = 2 ** 40

/** Largest number of cells of a message (max_msg_cells of parameter 43). A dictionary that is not made of shared cells has no more edges. */
export const MAX_MESSAGE_CELLS = 1 << 13

/** Largest number of cells of an account's state (max_acc_state_cells of parameter 43). */
export const MAX_ACCOUNT_CELLS = 1 << 16

/** Largest number of cells of a bag that is read, and so of any tree that comes from outside in one. */
export const MAX_BAG_CELLS = 1 << 22

/** The cells of trees, each once by its hash, in no particular order. Each counts as one of the budget. Throws CellError `budget` above it. */
export function* uniqueCells(roots: readonly Cell[], budget: Budget): Generator<Cell> {
  const seen = new Set<string>()
  const open = [...roots]
  for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
    const key = cell.hashKey()
    if (seen.has(key)) continue
    seen.add(key)
    spendCell(budget)
    yield cell
    for (let i = 0; i < cell.refCount; i++) open.push(cell.ref(i))
  }
}

/** Whether trees have at most so many cells together, each counted once. It looks at no more. */
export const hasAtMost = (roots: readonly Cell[], most: number): boolean => {
  const budget = { cells: most + 1 }
  for (const _ of uniqueCells(roots, budget)) if (budget.cells === 0) return false
  return true
}
