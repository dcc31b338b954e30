import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'

/* State updates prune what the old state has already: the missing parts are put back from what is known of the account. */

/** Adds every cell below some cells by hash, as 32 one-byte characters. */
const addCells = (found: Map<string, Cell>, roots: readonly Cell[]): void => {
  const stack = [...roots]
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    const key = cell.hashKey(0)
    if (found.has(key)) continue
    found.set(key, cell)
    for (let i = 0; i < cell.refCount; i++) stack.push(cell.ref(i))
  }
}

/** The cells that `shown` stand for with nothing pruned, the last of them: `roots` are whole, and each that is completed helps those after it. */
export const completeCells = (roots: readonly Cell[], shown: readonly Cell[], last: Cell): Cell | undefined => {
  const known = new Map<string, Cell>()
  addCells(known, roots)
  for (const cell of shown) {
    const whole = wholeCell(cell, known)
    if (whole !== undefined) addCells(known, [whole])
  }
  return wholeCell(last, known)
}

/** The cell with nothing pruned by the update around it; undefined where a part is not in `known`. */
const wholeCell = (cell: Cell, known: ReadonlyMap<string, Cell>): Cell | undefined => {
  const made = new Map<Cell, Cell | undefined>()
  const make = (at: Cell): Cell | undefined => {
    if (at.levelMask === 0) return at
    if (at.type === 'pruned') return known.get(at.hashKey(0))
    // Merkle cells inside an account's data have levels of their own: such a state is asked for whole.
    if (at.exotic) return undefined
    if (made.has(at)) return made.get(at)
    const builder = beginCell().storeBits(at.data(), at.bits)
    let whole: Cell | undefined
    for (let i = 0; ; i++) {
      if (i === at.refCount) {
        whole = builder.end()
        break
      }
      const child = make(at.ref(i))
      if (child === undefined) break
      builder.storeRef(child)
    }
    made.set(at, whole)
    return whole
  }
  return make(cell)
}
