import { TonError } from '../../../shared/errors.ts'
import { cellsInBoc, serializeBoc } from '../../cell/boc.ts'
import type { Cell } from '../../cell/cell.ts'
import { base64 } from '../wire.ts'

/** Entries of one answer, nested ones included: tonlib's own limit. */
export const MAX_ENTRIES = 8000
/** Characters of BoCs in one answer. */
const MAX_BOC_CHARACTERS = 8 << 20
/** Cells of BoCs in one answer: more than an account has. Each takes a microsecond to write, and small ones have few characters. */
const MAX_BOC_CELLS = 100_000
/** Cells shown in the `object` form in one answer; shared cells count each time they are shown. */
const MAX_SHOWN_CELLS = 16_384

/** Counts what one answer contains and limits it, so that a stack of shared cells and tuples cannot fill the memory. */
export interface Budget {
  /** Counts one entry. Throws CHAIN past the limit, with tonlib's text. */
  entry(): void
  /** The cell's BoC, base64. The same cell is serialized once. Throws CHAIN past the limit. */
  boc(cell: Cell): string
  /** Whether so many more cells may be shown; if so they are counted. */
  show(cells: number): boolean
}

export const createBudget = (): Budget => {
  let entries = 0
  let characters = 0
  let cells = 0
  let shown = 0
  const bocs = new Map<string, string>()
  const exceeded = (): never => {
    throw new TonError('CHAIN', 'TVM stack size exceeds limit')
  }
  return {
    entry() {
      if (++entries > MAX_ENTRIES) exceeded()
    },
    boc(cell) {
      const key = cell.hashHex()
      let text = bocs.get(key)
      if (text === undefined) {
        if (cells > MAX_BOC_CELLS) exceeded()
        const bytes = serializeBoc(cell)
        cells += cellsInBoc(bytes)
        text = base64(bytes)
        bocs.set(key, text)
      }
      characters += text.length
      return characters > MAX_BOC_CHARACTERS ? exceeded() : text
    },
    show(cells) {
      if (shown + cells > MAX_SHOWN_CELLS) return false
      shown += cells
      return true
    },
  }
}
