import type { Cell } from '../cell/cell.ts'
import { CellError } from '../cell/error.ts'
import type { Slice } from '../cell/slice.ts'
import type { Value } from './values.ts'

/** A value of an answer: what JSON can hold, in the wire's order of keys. */
export type Json = string | boolean | { readonly [key: string]: Json }

/** References that one body may have followed, as often as TON Center's printer (9.2); a bag of few cells can spell millions. */
export const MOST_CELLS = 4096

/** Characters of texts and undecoded cells that one answer may hold. */
export const MOST_CHARACTERS = 1 << 22

/** What the shapes of one body share. */
export interface Run {
  /** References that may still be followed. */
  cells: number
  /** Shows a cell that its field does not describe. */
  readonly show: (cell: Cell, run: Run) => Json
  /** Bodies within bodies above this one. */
  depth: number
  /** Characters of texts and undecoded cells that may still be written. */
  characters: number
}

/**
 * A type, ready to read. `load` and `print` take the same bits from the slice, the one for code, the other for answers. Both throw CellError
 * where the slice holds something else.
 */
export interface Shape {
  readonly load: (s: Slice, run: Run) => Value
  readonly print: (s: Slice, run: Run) => Json
}

/** Counts what an answer writes. Throws CellError where it gets too long. */
export const spend = (run: Run, characters: number): void => {
  run.characters -= characters
  if (run.characters < 0) throw new CellError('range', `more than ${MOST_CHARACTERS} characters of texts and cells`)
}

/** Begins to read a reference. Throws CellError for exotic cells and for a body of too many cells. */
export const enter = (cell: Cell, run: Run): Slice => {
  if (--run.cells < 0) throw new CellError('range', `a body of more than ${MOST_CELLS} cells`)
  return cell.slice()
}
