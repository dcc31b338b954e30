import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'

/* A state update prunes cells that the old state has. Here such cells are restored from known cells of the account. */

/** Number of cells that are added or completed in one step. */
const CELLS_A_STEP = 1_024

/** Adds cells and all cells below them, by hash as 32 one-byte characters. In steps, because an account can have 65,536 cells. */
function* addCells(found: Map<string, Cell>, roots: readonly Cell[]): Generator<void> {
  const stack = [...roots]
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    const key = cell.hashKey(0)
    if (found.has(key)) continue
    found.set(key, cell)
    if (found.size % CELLS_A_STEP === 0) yield
    for (let i = 0; i < cell.refCount; i++) stack.push(cell.ref(i))
  }
}

/**
 * Returns `last` without pruned branches; undefined if a cell is missing. `roots`: complete cells. `shown`: cells of earlier blocks; once completed, they
 * provide cells for the later ones and for `last`.
 */
export function* completeCells(roots: readonly Cell[], shown: readonly Cell[], last: Cell): Generator<void, Cell | undefined> {
  const cells = new Map<string, Cell>()
  yield* addCells(cells, roots)
  for (const cell of shown) {
    const whole = yield* wholeCell(cell, cells)
    if (whole !== undefined) yield* addCells(cells, [whole])
    yield
  }
  return yield* wholeCell(last, cells)
}

/** Returns the cell with its pruned branches restored; undefined if `cells` lacks a branch. In steps: each cell of a large account can lead to such a branch. */
function* wholeCell(cell: Cell, cells: ReadonlyMap<string, Cell>): Generator<void, Cell | undefined> {
  // Completed cells by hash, because two references to one cell are two objects, and a tree of 30 levels can have 2^30 paths.
  const made = new Map<string, Cell | undefined>()
  function* make(at: Cell): Generator<void, Cell | undefined> {
    if (at.levelMask === 0) return at
    if (at.type === 'pruned') return cells.get(at.hashKey(0))
    // Merkle cells inside an account's data have levels of their own. The state of such an account is requested instead.
    if (at.exotic) return undefined
    const key = at.hashKey()
    if (made.has(key)) return made.get(key)
    const builder = beginCell().storeBits(at.data(), at.bits)
    let whole: Cell | undefined
    for (let i = 0; ; i++) {
      if (i === at.refCount) {
        whole = builder.end()
        // Otherwise all cells would be hashed in one step, when the root's hash is needed.
        whole.hashKey()
        break
      }
      const child = yield* make(at.ref(i))
      if (child === undefined) break
      builder.storeRef(child)
    }
    made.set(key, whole)
    if (made.size % CELLS_A_STEP === 0) yield
    return whole
  }
  return yield* make(cell)
}
