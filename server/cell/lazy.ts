import { dictPathOf } from './absent.ts'
import { type ByteString, Cell } from './cell.ts'
import { CellError } from './error.ts'
import { refsOf, SOLID } from './meta-word.ts'

/** A store of lazy cells. `load` returns the cell at a position: a cell of this store, a cell of another store, or an absent cell. */
export interface CellSource {
  load(at: number): Cell
}

/**
 * A cell of a store. Its own data and hashes are in memory. Its references are loaded on first use and then stay in memory, so a state of any size needs memory
 * only for the cells that were read. A new root object starts without the cells that were loaded below an older root object.
 */
export class LazyCell extends Cell {
  readonly source: CellSource
  at: number
  private at0: number
  private at1: number
  private at2: number
  private at3: number

  /** `meta`, `data` and `hashes` are those of a built cell (see Cell). `places` are the positions of its references. */
  constructor(source: CellSource, at: number, meta: number, data: ByteString, hashes: ByteString, places: readonly number[]) {
    // SOLID, because the cell keeps no table of a parsed bag alive. So `compact` does not copy it.
    super(meta | SOLID, data, hashes, undefined, undefined, undefined, undefined)
    this.source = source
    this.at = at
    this.at0 = places[0] ?? 0
    this.at1 = places[1] ?? 0
    this.at2 = places[2] ?? 0
    this.at3 = places[3] ?? 0
  }

  override ref(i: number): Cell {
    const loaded = i === 0 ? this.r0 : i === 1 ? this.r1 : i === 2 ? this.r2 : i === 3 ? this.r3 : undefined
    return loaded ?? this.fetch(i)
  }

  private fetch(i: number): Cell {
    if (!(i >= 0 && i < refsOf(this.meta)))
      throw new CellError('underflow', `cannot read reference ${i}: the cell has ${refsOf(this.meta)}`)
    const child = this.source.load(this.placeOf(i))
    this.adopt(i, child)
    return child
  }

  private placeOf(i: number): number {
    return i === 0 ? this.at0 : i === 1 ? this.at1 : i === 2 ? this.at2 : this.at3
  }

  /** Adds `by` to the positions of the cell and its references, if they are at least `from`. New cells get their final positions this way. */
  move(from: number, by: number): void {
    if (this.at >= from) this.at += by
    if (this.at0 >= from) this.at0 += by
    if (this.at1 >= from) this.at1 += by
    if (this.at2 >= from) this.at2 += by
    if (this.at3 >= from) this.at3 += by
  }

  /**
   * Sets reference `i` to a cell that is already loaded. It must be the cell at this position of the source. An absent cell is ignored, because the complete
   * cell may be fetched later.
   */
  adopt(i: number, child: Cell): void {
    if (dictPathOf(child) !== undefined) return
    if (i === 0) this.r0 = child
    else if (i === 1) this.r1 = child
    else if (i === 2) this.r2 = child
    else this.r3 = child
  }
}
