import { Cell } from './cell.ts'
import { SOLID, TRACKED } from './layout.ts'

/** Collects the cells that were read through recording views. */
export class UsageRecorder {
  readonly seen = new Set<Cell>()

  track(cell: Cell): Cell {
    return new Cell((cell.meta & ~SOLID) | TRACKED, this, cell, undefined, undefined, undefined, undefined)
  }

  /** @internal */
  note(view: Cell): void {
    this.seen.add(view.aux as Cell)
  }
}
