import { type Cell, isMerkle, passingRef } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { type Interrupt, mayGoOn } from './transaction-run.ts'

const STOPPED = -1
/** Number of cells between two calls of `interrupt`. Counting so many takes less than a millisecond. */
const CHECK_CELLS = 1_000

/**
 * Counts distinct cells (by hash) and their bits, as `CellStorageStat` of crypto/vm/boc.cpp does for the size of a message. The count stops at the first cell
 * above the limit, so `cells` is then greater than the limit. The list of actions may name one large message 255 times, so counting can take seconds:
 * `interrupt` is called during the count.
 */
export class CellCount {
  cells = 0
  bits = 0
  /** Largest number of Merkle cells on a path down from any cell that was counted so far. */
  merkleDepth = 0
  private readonly limit: number
  private readonly interrupt: Interrupt
  /** Merkle depth of each counted cell, by `hashKey()`. The depth includes the cell itself. */
  private readonly seen = new Map<string, number>()

  constructor(limit: number, interrupt: Interrupt) {
    this.limit = limit
    this.interrupt = interrupt
  }

  add(cell: Cell): this {
    this.visit(cell)
    return this
  }

  addRefs(slice: Slice): this {
    for (let i = 0; i < slice.remainingRefs; i++) if (this.visit(slice.preloadRef(i)) === STOPPED) break
    return this
  }

  /** The Merkle depth of a cell, or STOPPED. Cells are at most 1,024 deep, so recursion is safe. */
  private visit(cell: Cell): number {
    const key = cell.hashKey()
    const counted = this.seen.get(key)
    if (counted !== undefined) return counted
    this.seen.set(key, 0)
    this.cells++
    if (this.cells % CHECK_CELLS === 0) mayGoOn(this.interrupt)
    if (this.cells > this.limit) return STOPPED
    this.bits += cell.bits
    let depth = 0
    for (let i = 0; i < cell.refCount; i++) {
      const child = this.visit(passingRef(cell, i))
      if (child === STOPPED) return STOPPED
      if (child > depth) depth = child
    }
    if (isMerkle(cell)) depth++
    this.seen.set(key, depth)
    if (depth > this.merkleDepth) this.merkleDepth = depth
    return depth
  }
}
