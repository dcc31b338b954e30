import type { MethodDef } from '../../shared/method.ts'

/*
 * The cost of an answer, by its rows and by its text, and which answers are so large that few are made at a time. The database reads the rows, the event
 * loop writes them, and memory holds them until the reader has them.
 */

/** Characters of an answer's JSON that cost one unit. They are counted once it is made. */
const TEXT_OF_UNIT = 256 << 10
/** Rows that cost one unit, in addition to the weight of the method. */
const ROWS_OF_UNIT = 100
/** A page of more rows is a large one. */
const LARGE = 100
/** Rows that one trace counts as, because it is a tree of transactions. */
const OF_TRACE = 10

/** Rows that a call asks for by `limit`, parsed or not; 0 if it has no limit or its method has no pages. */
const rowsAsked = ({ page }: MethodDef, params: unknown): number => {
  if (page === undefined || typeof params !== 'object' || params === null) return 0
  const { limit } = params as { readonly limit?: unknown }
  // Parameters may not be parsed yet, so this can be anything.
  if (typeof limit !== 'number' && typeof limit !== 'string') return 0
  const rows = Math.min(Number(limit), page.max)
  if (!(rows > 0)) return 0
  return page.rows === 'traces' ? rows * OF_TRACE : rows
}

/** Units that the rows of a call cost. */
export const unitsOfRows = (def: MethodDef, params: unknown): number => Math.floor(rowsAsked(def, params) / ROWS_OF_UNIT)

/** Units that `more` characters cost after `before` characters of the same request. */
export const unitsOfText = (before: number, more: number): number =>
  Math.floor((before + more) / TEXT_OF_UNIT) - Math.floor(before / TEXT_OF_UNIT)

/** Whether a call to the index may have so large an answer that only a few are made at a time. */
export const isLargePage = (def: MethodDef, params: unknown): boolean => def.needs === 'index' && rowsAsked(def, params) > LARGE
