import type { Cell } from '../cell/cell.ts'
import { CellError } from '../cell/error.ts'
import type { Slice } from '../cell/slice.ts'
import type { Value } from './values.ts'

/** A value of an answer: what JSON can hold, in the wire's order of keys. */
export type Json = string | boolean | { readonly [key: string]: Json }

/** What may be spent on showing bodies: a bag of few cells can spell millions, and a few bytes many gigabytes. */
export interface Budget {
  /** References to follow, and cells to show. */
  cells: number
  /** Characters of texts and undecoded cells. */
  characters: number
}

/** The most that one body may spend. 4096 references are also the limit of TON Center's printer (9.2). */
export const BODY_BUDGET: Readonly<Budget> = { cells: 4096, characters: 1 << 21 }
/** The most that all bodies of one answer may spend. */
export const ANSWER_BUDGET: Readonly<Budget> = { cells: 1 << 18, characters: 1 << 25 }

/** What the shapes of one body share. */
export interface Run extends Budget {
  /** Shows a cell that its field does not describe. */
  readonly show: (cell: Cell, run: Run) => Json
  /** Bodies within bodies above this one. */
  depth: number
  /** Undecoded cells that were written already, by hash: the same one may stand in many places. */
  texts: Map<string, string> | null
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
  if (run.characters < 0) throw new CellError('range', 'a body that spells too much')
}

/** Counts a cell. Throws CellError where there were too many. */
export const take = (run: Run): void => {
  if (--run.cells < 0) throw new CellError('range', 'a body of too many cells')
}

/** Begins to read a reference. Throws CellError for exotic cells and for a body of too many cells. */
export const enter = (cell: Cell, run: Run): Slice => {
  take(run)
  return cell.slice()
}
