import { type Budget as CellBudget, spendCell } from '../cell/budget.ts'
import type { Cell } from '../cell/cell.ts'
import { CellError } from '../cell/error.ts'
import type { Slice } from '../cell/slice.ts'
import type { Fields } from './fields.ts'

/** A bit string, left-aligned, the last byte padded with zero bits. */
export interface Bits {
  readonly bits: number
  readonly data: Uint8Array
}

/** A dictionary, in ascending order of its unsigned keys. */
export interface Entries {
  readonly entries: readonly (readonly [bigint, Value])[]
}

/**
 * The value of a field:
 * - A number of up to 53 bits is a number. Wider numbers and amounts are bigint.
 * - An address is its raw text, or null for addr_none and for an external address.
 * - An absent Maybe is null. A field whose condition is false is undefined.
 * - A payload without a described type is a Cell. If it is inline, this is a new cell with the rest of the slice.
 * - A dictionary is the list of its entries.
 * - An Either is the one value that is present.
 */
export type Value = number | bigint | boolean | string | null | undefined | Cell | Bits | Fields | readonly Value[] | Entries

/** A JSON value of an answer. The keys of its objects have the order in which they are sent. */
export type Json = string | boolean | { readonly [key: string]: Json }

/** Limits for decoding bodies. Without them a BoC of a few cells could expand to millions of cells and to gigabytes of JSON. */
export interface Budget extends CellBudget {
  /** Number of characters that texts and undecoded cells may still take. */
  characters: number
}

/** Limits for one body. TON Center's printer has the same limit of 4096 references. */
export const BODY_BUDGET: Readonly<Budget> = { cells: 4096, characters: 1 << 21 }
export const ANSWER_BUDGET: Readonly<Budget> = { cells: 1 << 18, characters: 1 << 25 }

/** A type of body that is recognized by its size instead of a tag. */
export interface SizedBody<S = Shape> {
  readonly shape: S
  readonly fits: (body: Slice) => boolean
}

export interface Constructors {
  /** Returns the constructors with a 32-bit tag in the order in which they are tried; undefined for an unknown tag. */
  readonly bodies: (opcode: number) => readonly Shape[] | undefined
  readonly untagged: readonly SizedBody[]
}

export interface DecodeRun extends Budget {
  readonly constructors: Constructors
  /** Returns the JSON of a cell whose content the field's type does not describe. */
  readonly show: (cell: Cell, run: DecodeRun) => Json
  depth: number
  /** Cache of the base64 texts of undecoded cells by hash, because the same cell can occur many times. */
  texts: Map<string, string> | null
}

/**
 * A compiled type. `load` and `print` read the same bits from the slice: `load` for code, `print` for answers. Both throw CellError if the slice
 * does not fit the type.
 */
export interface Shape {
  readonly load: (s: Slice, run: Budget) => Value
  /** Returns a record or dictionary for code, whose content is read at its first use. So nothing else may be read from its slice. */
  readonly open?: (s: Slice, run: Budget) => Value
  readonly print: (s: Slice, run: DecodeRun) => Json
}

export const spend = (run: Budget, characters: number): void => {
  run.characters -= characters
  if (run.characters < 0) throw new CellError('budget', 'a body whose JSON is too long')
}

/** Returns a slice of a referenced cell. Throws CellError for an exotic cell, or if the cell budget is used up. */
export const enter = (cell: Cell, run: Budget): Slice => {
  spendCell(run)
  return cell.slice()
}
