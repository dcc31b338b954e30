import { parseBocRoot } from '../../cell/boc.ts'
import { MAX_MESSAGE_CELLS } from '../../cell/budget.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { answerBudget, type Json } from '../../decode/decode.ts'
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
export const createBodyDecoder = (): ((boc: Uint8Array | null) => Shown) => {
  const budget = answerBudget()
  return (boc) => {
    const cell = boc ? cellOf(boc) : ''
    return typeof cell === 'string' ? null : showInList(cell, budget)
  }
}
export type BodyDecoder = ReturnType<typeof createBodyDecoder>
