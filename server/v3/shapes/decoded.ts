import { parseBocRoot } from '../../cell/boc.ts'
import { MAX_MESSAGE_CELLS } from '../../cell/budget.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { answerBudget, type Json } from '../../decode/decode.ts'
import { showInList } from '../../protocols/index.ts'

/* Message bodies and payloads as lists of v3 show them. */

/** The root cell of the BoC of a body, which has as many cells as a message at most; or why it cannot be read. */
export const cellOf = (boc: Uint8Array): Cell | string => {
  try {
    return parseBocRoot(boc, { maxCells: MAX_MESSAGE_CELLS })
  } catch (error) {
    if (error instanceof CellError) return error.message
    throw error
  }
}

/** A decoded body as lists show it; null where nothing decodes it. */
export type Shown = { readonly [key: string]: Json } | null

/** Decodes the bodies and payloads of one answer, with one limit on the work for all of them. */
export const createBodyDecoder = (): ((boc: Uint8Array | null) => Shown) => {
  const budget = answerBudget()
  return (boc) => {
    const cell = boc ? cellOf(boc) : ''
    return typeof cell === 'string' ? null : showInList(cell, budget)
  }
}
export type BodyDecoder = ReturnType<typeof createBodyDecoder>
