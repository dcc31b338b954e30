import { uniqueCells } from '../../../../cell/budget.ts'
import type { Cell } from '../../../../cell/cell.ts'
import { compactSteps } from '../../../../cell/copy-cells.ts'
import { createShareCode } from '../../../../tlb/state/share-account-code.ts'
import { exists, type Keep } from './block-accounts.ts'

/** About the memory that one cell takes. */
const CELL_BYTES = 150
/** Number of cells after which an account is not counted further: an account with so many shares its code with no other. */
const MAX_COUNTED = 2_048

const sizeOf = (account: Cell): number => {
  const budget = { cells: MAX_COUNTED }
  for (const _ of uniqueCells([account], budget)) if (budget.cells === 0) break
  return (MAX_COUNTED - budget.cells) * CELL_BYTES
}

/**
 * Prepares account cells for the state. Cells that come from a BoC are copied, so that the state does not retain the whole BoC in memory.
 * New accounts with the same code share the code's cells, also across blocks. Cells that a transaction does not change remain the same objects.
 */
export const createKeep = (): Keep => {
  const shareCode = createShareCode()
  return function* (account, before) {
    const own = yield* compactSteps(account)
    // Only an account that had no state before can bring code that other accounts already have.
    return exists(own) && before.refCount === 0 ? shareCode(own, sizeOf(own)) : own
  }
}
