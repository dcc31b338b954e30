import { TonError } from '../../../shared/errors.ts'
import { bocSteps, cellsInBoc } from '../../cell/boc.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { base64 } from '../wire.ts'

/** Maximum number of stack entries in one answer, nested entries included. It is tonlib's limit. */
export const MAX_ENTRIES = 8000
/** Maximum number of characters of BoCs in one answer. */
const MAX_BOC_CHARACTERS = 8 << 20
/** Maximum number of cells of BoCs in one answer, more than an account can have. Each cell takes a microsecond to write. */
const MAX_BOC_CELLS = 100_000
/** Maximum number of cells that one answer shows as objects. A shared cell counts each time it is written. */
const MAX_SHOWN_CELLS = 16_384

export interface Budget {
  /** Counts one entry. Throws CHAIN with tonlib's text above the limit. */
  entry(): void
  /** Returns the cell's BoC in base64, in steps. Equal cells are serialized once. Throws CHAIN above the limit. */
  boc(cell: Cell): Generator<void, string>
  /** Counts cells that are to be written as objects. Returns false if they exceed the limit. */
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
  function* written(cell: Cell, maxCells: number): Generator<void, Uint8Array> {
    try {
      return yield* bocSteps([cell], { maxCells })
    } catch (error) {
      if (error instanceof CellError && error.kind === 'budget') exceeded()
      throw error
    }
  }
  return {
    entry() {
      if (++entries > MAX_ENTRIES) exceeded()
    },
    *boc(cell) {
      const key = cell.hashHex()
      let text = bocs.get(key)
      if (text === undefined) {
        const bytes = yield* written(cell, MAX_BOC_CELLS - cells)
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
