import { parseBocRoot } from '../../cell/boc.ts'
import { MAX_MESSAGE_CELLS } from '../../cell/budget.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { answerBudget, type Budget, type Json } from '../../decode/decode.ts'
import { showInList } from '../../protocols/index.ts'

/** The root cell of a body's BoC, or why it cannot be parsed. A body can have as many cells as a message. */
export const cellOf = (boc: Uint8Array): Cell | string => {
  try {
    return parseBocRoot(boc, { maxCells: MAX_MESSAGE_CELLS })
  } catch (error) {
    if (error instanceof CellError) return error.message
    throw error
  }
}

/** A decoded body as JSON; null if it cannot be decoded. */
export type Shown = { readonly [key: string]: Json } | null

/** Decodes the bodies and payloads of one answer. One limit applies to the work for all of them. */
export const createBodyDecoder =
  (budget = answerBudget()): ((boc: Uint8Array | null) => Shown) =>
  (boc) => {
    const cell = boc ? cellOf(boc) : ''
    return typeof cell === 'string' ? null : showInList(cell, budget)
  }
export type BodyDecoder = ReturnType<typeof createBodyDecoder>

/** The accounts and the format of rows with bodies, for a list. */
export const showRows =
  <Row, Wire>(toWire: (row: Row, show: BodyDecoder) => Wire, accountsOf: (row: Row) => readonly (Buffer | null)[]) =>
  (_: unknown, rows: readonly Row[]) => {
    const show = createBodyDecoder()
    return { accounts: rows.flatMap(accountsOf), format: (row: Row) => toWire(row, show) }
  }

/** Something decoded, the cells that were read for it, and about how many characters its JSON has. */
export interface Measured<T> {
  readonly shown: T
  readonly cells: number
  readonly characters: number
}

/** Cells and charged characters of a body whose JSON is too short to be measured. */
const SHORT_CELLS = 8
const SHORT_CHARACTERS = 1 << 12
/** Characters for the names of the fields of a cell. */
const OF_CELL = 100

/** Measures the JSON of what `decode` returns. A few cells that refer to one another can have megabytes of JSON. */
export const measured = <T>(budget: Budget, decode: () => T): Measured<T> => {
  const before = { ...budget }
  const shown = decode()
  const cells = before.cells - budget.cells
  const characters = before.characters - budget.characters
  const isShort = cells <= SHORT_CELLS && characters <= SHORT_CHARACTERS
  return { shown, cells, characters: isShort ? characters + cells * OF_CELL : JSON.stringify(shown).length }
}
