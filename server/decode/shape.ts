import { type Budget as CellBudget, spendCell } from '../cell/budget.ts'
import type { Cell } from '../cell/cell.ts'
import { CellError } from '../cell/error.ts'
import type { Slice } from '../cell/slice.ts'
import type { BodyKind } from './notation.ts'
import type { Value } from './values.ts'

/** A JSON value of an answer, with keys in the order of the wire. */
export type Json = string | boolean | { readonly [key: string]: Json }

/** Limits for showing bodies. A BoC of a few cells can expand to millions, and a few bytes to many gigabytes. */
export interface Budget extends CellBudget {
  /** Characters left for texts and undecoded cells. */
  characters: number
  /** Whether fields are read when code asks for them. A body may then end before its payload: contracts in use leave out the bit of an empty one. */
  readonly forCode?: boolean
}

/** Limits for one body. 4096 references are also the limit of TON Center's printer. */
export const BODY_BUDGET: Readonly<Budget> = { cells: 4096, characters: 1 << 21 }
/** Limits for all bodies of one answer. */
export const ANSWER_BUDGET: Readonly<Budget> = { cells: 1 << 18, characters: 1 << 25 }

/** A body that is recognised by its size. */
export interface SizedBody<S = Shape> {
  readonly shape: S
  /** Whether a body has the size of this one. It is read only then. */
  readonly fits: (body: Slice) => boolean
}

/** The constructors that a decoder knows. */
export interface Constructors {
  /** Those of a 32-bit tag in the order in which they are tried; undefined for an unknown tag. */
  readonly bodies: (kind: BodyKind, opcode: number) => readonly Shape[] | undefined
  /** Bodies without a tag. */
  readonly untagged: readonly SizedBody[]
}

/** State that the shapes of one body share. */
export interface DecodeRun extends Budget {
  readonly constructors: Constructors
  /** Shows a cell that its field does not describe. */
  readonly show: (cell: Cell, run: DecodeRun) => Json
  /** Number of bodies around the current one. */
  depth: number
  /** Texts of undecoded cells by hash, because the same cell can occur many times. */
  texts: Map<string, string> | null
}

/**
 * A compiled type. `load` and `print` read the same bits from the slice: `load` for code, `print` for answers. Both throw CellError if the slice
 * holds something else.
 */
export interface Shape {
  readonly load: (s: Slice, run: Budget) => Value
  /** A record for code, alone in its slice: its fields are read at their first use. */
  readonly open?: (s: Slice, run: Budget) => Value
  /** Moves past a value without making it. It throws what `load` throws, unless only the content of a reference is wrong. */
  readonly skip?: (s: Slice) => void
  readonly print: (s: Slice, run: DecodeRun) => Json
}

/** Counts written characters. Throws CellError above the limit. */
export const spend = (run: Budget, characters: number): void => {
  run.characters -= characters
  if (run.characters < 0) throw new CellError('budget', 'a body whose JSON is too long')
}

/** Starts reading a reference. Throws CellError for an exotic cell and above the cell limit. */
export const enter = (cell: Cell, run: Budget): Slice => {
  spendCell(run)
  return cell.slice()
}
