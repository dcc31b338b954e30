import { Cell } from './cell.ts'
import { SOLID, TRACKED } from './meta-word.ts'

export class UsageRecorder {
  readonly seen = new Set<Cell>()

  track(cell: Cell): Cell {
    return new Cell((cell.meta & ~SOLID) | TRACKED, this, cell, undefined, undefined, undefined, undefined)
  }

  note(view: Cell): void {
    this.seen.add(view.aux as Cell)
  }
}
